import { describe, expect, it } from 'vitest';
import type { LiveOptions } from '#src/kernel/chat/live-answer.ts';
import { asId, type DeliveryId, type MessageId } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import type { FakeSlack } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { losableWork } from '#test/support/lost-work.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { holdNext, NEVER, outbound, setUpChannel, targetIn, threadTarget } from '../fixture.ts';

const setUp = async () => {
  const clock = new ManualClock();
  const { fake, channel } = await setUpChannel({ clock, settings: { startWaitMs: 0 } });
  await fake.until(() => channel.isConnected());
  const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
  const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
  const posted: MessageId[] = [];
  const options: LiveOptions = {
    mode: 'stream',
    locale: 'en',
    deliveryId: newId<DeliveryId>(),
    onPosted: async (messageId) => void posted.push(messageId),
  };
  const open = (more: Partial<LiveOptions> = {}, where = target) => {
    const live = channel.openLive?.(where, { ...options, ...more });
    if (!live) throw new Error('no live answer');
    return live;
  };
  const shown = () => fake.botMessagesIn(fake.general.id).map(({ rendered }) => rendered);
  return { fake, channel, clock, target, posted, options, open, shown, thread: asked.ts };
};

const statuses = ({ history }: FakeSlack): readonly string[] =>
  entriesOf(history, 'status').map(({ status }) => status);

describe('the live answer on Slack', () => {
  it('in mode status is a line below the thread, updated at most once a second, and removed by the answer', async () => {
    const { fake, channel, clock, target, open, shown, thread } = await setUp();
    const live = open({ mode: 'status' });
    live.showStatus('Thinking…');
    await fake.until(() => fake.statusOf(fake.general.id, thread) === 'Thinking…');
    live.showStatus('outdated');
    live.showStatus('Looking up Apple…');
    live.showText('not shown');
    await fake.until(() => clock.pendingTimers > 0);
    await clock.advance(1_000);
    await fake.until(() => fake.statusOf(fake.general.id, thread) === 'Looking up Apple…');
    expect(await live.end('replaced')).toBeUndefined();
    expect(shown()).toEqual([]);
    await channel.send(outbound(target, 'Apple rose.'), NEVER);
    expect(fake.statusOf(fake.general.id, thread)).toBe('');
    // Slack removed it with the post: that needs no request.
    expect(statuses(fake)).toEqual(['Thinking…', 'Looking up Apple…']);
  });

  it('shows nothing more once another process has the conversation', async () => {
    const { fake, channel, clock, target, open, thread } = await setUp();
    const work = losableWork();
    const live = open({ mode: 'status' });
    work.run(() => live.showStatus('Thinking…'));
    await fake.until(() => fake.statusOf(fake.general.id, thread) === 'Thinking…');
    work.run(() => live.showStatus('Looking up Apple…'));
    await fake.until(() => clock.pendingTimers > 0);
    work.lose();
    await clock.advance(60_000);
    await channel.addReaction?.(target, '👀');
    expect(statuses(fake)).toEqual(['Thinking…']);
  });

  it('removes its message although Slack does not answer at first', async () => {
    const { fake, clock, open, shown } = await setUp();
    const live = open();
    live.showText('Apple rose');
    await fake.until(() => shown().length === 1);
    fake.fail('chat.delete', { kind: 'dropped-before' });
    const ended = live.end('dropped');
    await fake.until(() =>
      fake.history.some((entry) => entry.type === 'request' && entry.method === 'chat.delete'),
    );
    await fake.until(() => clock.pendingTimers > 0);
    await clock.advance(2_000);
    await ended;
    expect(shown()).toEqual([]);
  });

  it.each(['dropped', 'kept'] as const)('removes its status if no answer follows (%s)', async (how) => {
    const { fake, open, thread } = await setUp();
    const live = open({ mode: 'status' });
    live.showStatus('Thinking…');
    await fake.until(() => fake.statusOf(fake.general.id, thread) === 'Thinking…');
    await live.end(how);
    expect(statuses(fake)).toEqual(['Thinking…', '']);
  });

  it('removes its status in a direct chat, where the answer is not posted in the thread of the status', async () => {
    const { fake, open } = await setUp();
    const { ts } = fake.say(fake.directOf(fake.alice.id).id, fake.alice.id, 'q');
    const direct = targetIn(fake.alice.id, fake.alice.id, {
      isDirect: true,
      replyToMessageId: asId<MessageId>(ts),
    });
    const live = open({ mode: 'status' }, direct);
    live.showStatus('Thinking…');
    await fake.until(() => statuses(fake).length === 1);
    await live.end('replaced');
    await fake.until(() => statuses(fake).length === 2);
    expect(statuses(fake)).toEqual(['Thinking…', '']);
  });

  it('does not wait for a slow status when the answer is there, and removes the status that comes after it', async () => {
    const { fake, channel, target, open, shown, thread } = await setUp();
    const slow = holdNext(fake, 'assistant.threads.setStatus');
    const live = open({ mode: 'status' });
    live.showStatus('Thinking…');
    await slow.reached();
    await live.end('replaced');
    await channel.send(outbound(target, 'Apple rose.'), NEVER);
    expect(shown()).toEqual(['Apple rose.']);
    expect(statuses(fake)).toEqual([]);
    slow.release();
    await fake.until(() => statuses(fake).length === 2);
    expect(fake.statusOf(fake.general.id, thread)).toBe('');
  });

  it('waits a moment for the end of a late status when the channel is closed', async () => {
    const { fake, channel, open } = await setUp();
    const slow = holdNext(fake, 'assistant.threads.setStatus');
    const live = open({ mode: 'status' });
    live.showStatus('Thinking…');
    await slow.reached();
    await live.end('replaced');
    const closed = channel.close();
    slow.release();
    await closed;
    expect(statuses(fake)).toEqual(['Thinking…', '']);
  });

  it('shows its first text beside a status that is still on its way', async () => {
    const { fake, open, posted } = await setUp();
    const slow = holdNext(fake, 'assistant.threads.setStatus');
    const live = open();
    live.showStatus('Writing…');
    await slow.reached();
    live.showText('Apple is at ');
    await fake.until(() => posted.length === 1);
    slow.release();
    await live.end('dropped');
  });

  it('streams a growing text, and the answer replaces it', async () => {
    const { fake, channel, clock, target, open, posted, shown } = await setUp();
    const live = open();
    live.showText('Apple ');
    await fake.until(() => posted.length === 1);
    live.showText('Apple is at');
    live.showText('Apple is at $230, up');
    await fake.until(() => clock.pendingTimers > 0);
    await clock.advance(1_000);
    await fake.until(() => shown()[0]?.trimEnd() === 'Apple is at $230,');
    const messageId = await live.end('replaced');
    expect(messageId).toBe(posted[0]);
    if (messageId)
      await channel.send(outbound(target, 'Apple is at **$230**.', { replaces: messageId }), NEVER);
    expect(shown()).toEqual(['Apple is at **$230**.']);
    expect(entriesOf(fake.history, 'stream-appended')).toHaveLength(1);
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
  });

  it('contains no link while it streams, because a stream cannot suppress previews', async () => {
    const { fake, clock, open, posted, shown } = await setUp();
    const live = open();
    live.showText('See [Your ba');
    await fake.until(() => posted.length === 1);
    live.showText('See [Your bank](https://evil.example/x?d=1) or https://evil.example/y. Also ev');
    await fake.until(() => clock.pendingTimers > 0);
    await clock.advance(1_000);
    await fake.until(() => shown()[0]?.startsWith('See Your bank (…) or ….') === true);
    live.showText(
      'See [Your bank](https://evil.example/x?d=1) or https://evil.example/y. Also evil.example/z?d=1 or evil.example',
    );
    await fake.until(() => clock.pendingTimers > 0);
    await clock.advance(1_000);
    await fake.until(() => shown()[0]?.includes('Also … or') === true);
    expect(shown()[0]).not.toMatch(/evil|http/);
    await live.end('dropped');
    expect(entriesOf(fake.history, 'stream-appended')).toHaveLength(2);
  });

  it('that starts over or contains a mass mention is edited, never shown twice', async () => {
    const { fake, clock, open, posted, shown } = await setUp();
    const live = open();
    live.showText('The first attempt <!chan');
    await fake.until(() => posted.length === 1);
    live.showText('Another <!channel> one, and a longer one');
    await fake.until(() => clock.pendingTimers > 0);
    await clock.advance(1_000);
    await fake.until(() => shown()[0] === 'Another ‹!channel> one, and a longer one');
    expect(fake.botMessagesIn(fake.general.id).flatMap((message) => fake.pinged(message))).toEqual([]);
    expect(await live.end('dropped')).toBeUndefined();
    expect(shown()).toEqual([]);
  });

  it('is one edited message where Slack refuses a stream, or there is no thread', async () => {
    const { fake, open, posted, shown } = await setUp();
    fake.fail('chat.startStream', { kind: 'error', error: 'channel_type_not_supported' });
    const live = open();
    live.showText('plain words');
    await fake.until(() => posted.length === 1);
    expect(shown()).toEqual(['plain words']);
    const direct = open({}, targetIn(fake.alice.id, fake.alice.id, { isDirect: true }));
    direct.showText('to you');
    await fake.until(() => posted.length === 2);
    expect(fake.botMessagesIn(fake.directOf(fake.alice.id).id)[0]?.rendered).toBe('to you');
    await Promise.all([live.end('replaced'), direct.end('replaced')]);
  });

  it('continues after a crash, even if its id was not recorded', async () => {
    const { fake, clock, open, posted, options, shown } = await setUp();
    const crashed = open();
    crashed.showText('half of');
    await fake.until(() => posted.length === 1);
    const again = open({ inDoubtSince: clock.now() });
    expect(await again.end('replaced')).toBe(posted[0]);
    const known = open({ messageId: posted[0] ?? asId<MessageId>('') });
    known.showText('half of it, and the rest');
    await fake.until(() => shown()[0] === 'half of it, and the rest');
    expect(await known.end('dropped')).toBeUndefined();
    expect(shown()).toEqual([]);
    expect(options.deliveryId).toBeDefined();
    await crashed.end('dropped');
  });

  it('does not take the bot’s own message that the thread stands under for what a crash left', async () => {
    const { fake, channel, open } = await setUp();
    // A public answer to a command does not say what it answers; somebody writes below it.
    const called = fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
    await called.settled;
    const interaction = { token: called.responseUrl, isPrivate: false };
    const where = targetIn(fake.general.id, fake.alice.id, { interaction });
    await channel.send(outbound(where, 'AAPL: 259.58'), NEVER);
    const root = fake.botMessagesIn(fake.general.id).at(0);
    if (!root) throw new Error('no answer to the command');
    fake.say(fake.general.id, fake.alice.id, 'and why?', { threadTs: root.ts });
    // However long ago that was: the first message of a thread comes with every page of it.
    const inDoubtSince = Temporal.Instant.fromEpochMilliseconds(Number(root.ts) * 1_000).add({ minutes: 5 });
    const live = open({ inDoubtSince }, threadTarget(fake.general.id, fake.alice.id, root.ts));
    live.showText('Because of');
    await live.end('dropped');
    expect(fake.messageAt(root)?.rendered).toContain('259.58');
  });

  it('never fails the answer: Slack may refuse everything', async () => {
    const { fake, open } = await setUp();
    fake.breakToken('token_revoked');
    const live = open();
    live.showStatus('Thinking…');
    live.showText('words');
    await fake.until(() =>
      entriesOf(fake.history, 'response').some(({ error }) => error === 'token_revoked'),
    );
    expect(await live.end('replaced')).toBeUndefined();
  });
});
