import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveOptions } from '#src/kernel/chat/live-answer.ts';
import type { DeliveryId, MessageId } from '#src/kernel/ids.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { losableWork } from '#test/support/lost-work.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type Bot, NEVER, only, openBot, outbound } from '../fixture.ts';

const POSTS = { method: 'POST', route: '/channels/:channel/messages' };

describe('an answer that is shown while it is made, on Discord', () => {
  const clock = new ManualClock();
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  let asked: MsgContext;
  let posted: MessageId[];
  beforeAll(async () => {
    bot = await openBot({}, { clock });
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim' });
    await bot.fake.until(() => bot.fake.commands().length > 0, { what: 'commands' });
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  beforeEach(async () => {
    posted = [];
    bot.host.received.length = 0;
    bot.fake.say(person, room, `${bot.fake.mention()} hello`);
    asked = only(await bot.received(1));
  });

  const options = (more: Partial<LiveOptions> = {}): LiveOptions => ({
    mode: 'stream',
    locale: 'en',
    deliveryId: newId<DeliveryId>(),
    onPosted: async (id) => void posted.push(id),
    ...more,
  });
  const open = (more?: Partial<LiveOptions>, message = asked) => {
    const live = bot.channel.openLive?.(replyTargetOf(message), options(more));
    if (!live) throw new Error('there is none');
    return live;
  };
  const answers = (): readonly SeenMessage[] =>
    bot.fake.messagesIn(room.id).filter(({ replyTo }) => replyTo === asked.messageId);
  const shows = (text: string): Promise<SeenMessage> =>
    bot.fake.until(() => answers().find(({ content }) => content === text), { what: text });

  it('is not edited any more once another process has the conversation', async () => {
    const work = losableWork();
    const live = open();
    work.run(() => live.showText('a'));
    await shows('a');
    await bot.fake.until(() => clock.pendingTimers > 0, { what: 'the pause after it' });
    const edits = entriesOf(bot.fake.history, 'edited').length;
    const second = open();
    work.run(() => live.showText('b'));
    work.lose();
    await clock.advance(60_000);
    second.showText('of the other process');
    await shows('of the other process');
    expect(entriesOf(bot.fake.history, 'edited').length).toBe(edits);
    await second.end('dropped');
  });

  it('is removed although Discord does not answer at first, also if it is not known whether it was posted', async () => {
    const known = open();
    known.showText('a');
    await shows('a');
    await bot.fake.until(() => posted.length === 1, { what: 'it is recorded' });
    const ending = known.end('dropped');
    bot.fake.faults.loseResponses(1, POSTS);
    const unknown = open({ inDoubtSince: clock.now() }).end('dropped');
    await bot.fake.until(() => clock.pendingTimers > 0, { what: 'the pause before another attempt' });
    await clock.advance(2_000);
    await Promise.all([ending, unknown]);
    expect(answers()).toEqual([]);
  });

  it('is one message, edited at most once a second with the newest text, and replaced in the end', async () => {
    const live = open();
    const edits = () => entriesOf(bot.fake.history, 'edited').length;
    const before = edits();
    live.showStatus('Looking up 005930…');
    await shows('-# Looking up 005930…');
    await bot.fake.until(() => posted.length === 1, { what: 'it is recorded' });
    // The first text does not wait for the second that the status began.
    live.showText('a');
    await shows('a');
    await bot.fake.until(() => clock.pendingTimers > 0, { what: 'the pause after it' });
    live.showText('a @everyone');
    live.showText('a @everyone b');
    await clock.advance(999);
    expect(edits()).toBe(before + 1);
    await clock.advance(1);
    const shown = await shows('a @everyone b');
    expect(shown.pinged.everyone).toBe(false);
    live.showText('never shown');
    const left = await live.end('replaced');
    await clock.advance(5_000);
    expect(edits()).toBe(before + 2);
    expect(posted).toEqual([left]);
    if (left) await bot.channel.send(outbound(asked, 'the answer', { replaces: left }), NEVER);
    expect(only(answers())).toMatchObject({ id: left, content: 'the answer' });
  });

  it('leaves the requests of a busy second to first signs and first words', async () => {
    const target = replyTargetOf(asked);
    const signs = (kind: 'typed' | 'edited' | 'reacted') => entriesOf(bot.fake.history, kind).length;
    await clock.advance(1_000);
    const live = open();
    live.showStatus('Looking up 005930…');
    await shows('-# Looking up 005930…');
    const [typed, reacted] = [signs('typed'), signs('reacted')];
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`);
    await Promise.all(others.map((text) => bot.channel.send(outbound(asked, text), NEVER)));
    await bot.channel.sendTyping?.(target);
    await bot.channel.addReaction?.(target, '👀');
    expect([signs('typed'), signs('reacted')]).toEqual([typed, reacted + 1]);
    live.showText('first words');
    await shows('first words');
    await bot.fake.until(() => clock.pendingTimers > 0, { what: 'the pause after it' });
    await clock.advance(990);
    await Promise.all(others.map((text) => bot.channel.send(outbound(asked, text), NEVER)));
    const edited = signs('edited');
    live.showText('first words and more');
    await clock.advance(500);
    expect(signs('edited')).toBe(edited);
    await clock.advance(1_000);
    await shows('first words and more');
    await bot.channel.sendTyping?.(target);
    expect(signs('typed')).toBe(typed + 1);
    await live.end('dropped');
  });

  it('shows its first words at once after a status that waited for a busy second', async () => {
    const live = open();
    await clock.advance(1_000);
    live.showStatus('first…');
    await shows('-# first…');
    await bot.fake.until(() => clock.pendingTimers > 0, { what: 'the pause after it' });
    await clock.advance(500);
    const others = Array.from({ length: 20 }, (_, index) => `beside ${index}`);
    await Promise.all(others.map((text) => bot.channel.send(outbound(asked, text), NEVER)));
    await clock.advance(800);
    live.showStatus('second…');
    await clock.advance(201);
    // The busy second is over before the status is tried again.
    live.showStatus('third…');
    await shows('-# third…');
    await clock.advance(100);
    live.showText('first words');
    await shows('first words');
    await live.end('dropped');
  });

  it('shows the addresses of links, without previews', async () => {
    const live = open();
    live.showText('See [Your bank](https://evil.example/x?d=1) and [the');
    const shown = await shows('See Your bank (<https://evil.example/x?d=1>) and ');
    expect(shown.flags).toBe(4);
    await live.end('dropped');
  });

  it('is removed if no answer follows', async () => {
    const live = open();
    live.showText('half an');
    await shows('half an');
    expect(await live.end('dropped')).toBeUndefined();
    expect(answers()).toEqual([]);
  });

  it('is the same message after a restart, whether it was recorded or not', async () => {
    const deliveryId = newId<DeliveryId>();
    const first = open({ deliveryId });
    first.showText('before the crash');
    const { id } = await shows('before the crash');
    await first.end('replaced');
    const second = open({ deliveryId, inDoubtSince: clock.now() });
    second.showText('after it');
    expect((await shows('after it')).id).toBe(id);
    await second.end('replaced');
    const third = open({ deliveryId, messageId: id as MessageId });
    third.showText('and again');
    await shows('and again');
    await third.end('replaced');
    expect(answers()).toHaveLength(1);
  });

  it('is removed even if an earlier process did not record its id and nothing is shown again', async () => {
    const deliveryId = newId<DeliveryId>();
    const first = open({ deliveryId });
    first.showText('before the crash');
    await shows('before the crash');
    await first.end('replaced');
    await open({ deliveryId, inDoubtSince: clock.now() }).end('dropped');
    expect(answers()).toEqual([]);
  });

  it('is removed even if the response to its post was lost', async () => {
    bot.fake.faults.loseResponses(1, { method: 'POST', channelId: room.id });
    const live = open();
    live.showText('half an');
    await shows('half an');
    expect(await live.end('dropped')).toBeUndefined();
    expect(answers()).toEqual([]);
  });

  it('replaces "thinking" of a command, and the answer replaces it', async () => {
    bot.host.received.length = 0;
    const command = bot.fake.command(person, room, 'price', { symbol: 'x' });
    const called = only(await bot.received(1));
    const live = open({}, called);
    live.showText('so far');
    await bot.fake.until(() => command.answers[0]?.content === 'so far', { what: 'the live text' });
    const replaces = await live.end('replaced');
    if (!replaces) throw new Error('nothing was left');
    await bot.channel.send(outbound(called, 'all', { replaces }), NEVER);
    expect(only(command.answers).content).toBe('all');
  });

  it('never fails, is cut to the limit of Discord, and shows no status line', async () => {
    const status = open({ mode: 'status' });
    status.showStatus('thinking');
    await status.end('replaced');
    expect(answers()).toEqual([]);
    const long = open();
    long.showText(`\`\`\`\n${'x'.repeat(3_000)}`);
    const shown = await bot.fake.until(() => answers()[0], { what: 'a long one' });
    expect(shown.content.length).toBeLessThanOrEqual(2_000);
    expect(shown.content.endsWith('…\n```')).toBe(true);
    await long.end('dropped');
    bot.fake.permit(room, { canSend: false });
    const refused = open();
    refused.showText('x');
    expect(await refused.end('replaced')).toBeUndefined();
    bot.fake.permit(room, { canSend: true });
  });
});
