import { describe, expect, it } from 'vitest';
import { createRecentMessages } from '#channels/slack/receive/recent-messages.ts';
import { bodyOf } from '#channels/slack/receive/message-words.ts';
import { readMessageFields, tsOf } from '#channels/slack/wire.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/chat/message.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { holdNext, NEVER, outbound, type SetUpOptions, setUpChannel, threadTarget } from '../fixture.ts';

const READING = new Set(['conversations.history', 'conversations.replies']);

const setUp = async (options: SetUpOptions = {}) => {
  const bot = await setUpChannel(options);
  const { fake, channel, host } = bot;
  const { id: room } = fake.general;
  const bob = fake.addUser({ name: 'bob' });

  const heard = (): Promise<void> => fake.until(() => fake.pending.length === 0, { what: 'all is heard' });
  /** How often Slack was asked for messages. */
  const reads = (): number =>
    entriesOf(fake.history, 'request').filter(({ method }) => READING.has(method)).length;
  const mention = async (text: string, threadTs?: string): Promise<string> => {
    const { ts } = fake.say(room, fake.alice.id, text, {
      mention: true,
      ...(threadTs === undefined ? {} : { threadTs }),
    });
    await heard();
    return ts;
  };
  const read = async (before: string, threadTs = before): Promise<readonly EarlierMessage[]> => {
    const target = threadTarget(room, fake.alice.id, threadTs);
    const replyToMessageId = asId<MessageId>(threadTs);
    const query = { target, before: asId<MessageId>(before), limit: 20, replyToMessageId };
    return (await channel.readHistory?.(query, NEVER)) ?? [];
  };
  const answer = async (threadTs: string, text: string): Promise<string> => {
    const sent = await channel.send(outbound(threadTarget(room, fake.alice.id, threadTs), text), NEVER);
    await heard();
    return sent.messageId;
  };
  /** The socket dies and a new one is opened. */
  const gap = async (): Promise<void> => {
    const opened = (): number => entriesOf(fake.history, 'connected').length;
    const before = opened();
    fake.sockets.cut();
    await fake.until(() => opened() > before && channel.isConnected(), { what: 'the new connection' });
    await heard();
  };
  return { ...bot, room, bob, host, heard, reads, mention, read, answer, gap };
};

const texts = (messages: readonly EarlierMessage[]): readonly string[] =>
  messages.map(({ authorName, text, isOurs }) => `${isOurs ? 'we' : authorName}: ${text}`);

describe('what the bot has heard on Slack', () => {
  it('is not read again in a thread that it heard from the beginning, and is the same as if it were', async () => {
    const { fake, room, bob, heard, reads, mention, read, answer, gap } = await setUp();
    const root = await mention('what about Apple?');
    await read(root);
    await answer(root, 'It rose.');
    fake.say(room, bob.id, `really, <@${fake.alice.id}> &amp; co?`, { threadTs: root });
    const edited = fake.say(room, bob.id, 'I doub it', { threadTs: root });
    fake.edit(edited, 'I doubt it');
    const gone = fake.say(room, bob.id, 'a secret', { threadTs: root });
    fake.remove(gone);
    fake.say(room, bob.id, 'see', {
      threadTs: root,
      files: [{ name: 'a.png', mimetype: 'image/png', content: new Uint8Array(3) }],
    });
    const shared = fake.say(room, bob.id, 'https://example.slack.com/p1', { threadTs: root });
    fake.unfurl(shared, [{ is_msg_unfurl: true, author_id: bob.id, author_name: 'bob', text: 'words' }]);
    fake.say(room, bob.id, 'for all', { threadTs: root, subtype: 'thread_broadcast' });
    fake.say(room, bob.id, 'beside the thread');
    await heard();
    const before = reads();
    const asked = await mention('and now?', root);
    const fromMemory = await read(asked, root);
    expect(reads()).toBe(before);
    expect(texts(fromMemory).slice(0, 4)).toEqual([
      'alice: @finclaw what about Apple?',
      'we: It rose.',
      'bob: really, @alice & co?',
      'bob: I doubt it',
    ]);
    expect(JSON.stringify(fromMemory)).not.toContain('secret');
    await gap();
    const fromSlack = await read(asked, root);
    expect(reads()).toBeGreaterThan(before);
    expect(fromMemory).toEqual(fromSlack);
  });

  it('is not read again in a channel that was read once, system messages and threads counted alike', async () => {
    const { fake, room, bob, heard, reads, mention, read, answer, gap } = await setUp();
    for (let n = 0; n < 25; n += 1) fake.say(room, bob.id, `early ${n}`, { events: 'none' });
    const first = await mention('one');
    expect(await read(first)).toHaveLength(20);
    await answer(first, 'an answer');
    expect(reads()).toBe(1);
    for (let n = 0; n < 7; n += 1) fake.say(room, bob.id, `later ${n}`);
    fake.say(room, bob.id, 'joined', { subtype: 'channel_join' });
    fake.say(room, bob.id, 'in a thread', { threadTs: first });
    await heard();
    const second = await mention('two');
    const fromMemory = await read(second);
    expect(reads()).toBe(1);
    await gap();
    expect(fromMemory).toEqual(await read(second));
    expect(reads()).toBe(2);
    expect(texts(fromMemory).at(-1)).toBe('bob: later 6');
  });

  it('is read once in a thread that began before, and not again after that', async () => {
    const { fake, room, bob, reads, mention, read } = await setUp();
    const { ts: root } = fake.say(room, bob.id, 'an old thread', { events: 'none' });
    fake.say(room, bob.id, 'unheard', { threadTs: root, events: 'none' });
    const first = await mention('one', root);
    expect(texts(await read(first, root))).toEqual(['bob: an old thread', 'bob: unheard']);
    const second = await mention('two', root);
    expect(texts(await read(second, root))).toEqual([
      'bob: an old thread',
      'bob: unheard',
      'alice: @finclaw one',
    ]);
    expect(reads()).toBe(1);
  });

  it('is read again after a gap, with what was said, edited and removed in it', async () => {
    const { fake, room, bob, heard, reads, mention, read, gap } = await setUp({
      fake: { whileDisconnected: 'lose' },
    });
    const root = await mention('one');
    await read(root);
    const edited = fake.say(room, bob.id, 'wrong', { threadTs: root });
    const removed = fake.say(room, bob.id, 'gone', { threadTs: root });
    await heard();
    fake.sockets.refuse('internal_error');
    fake.sockets.cut();
    fake.edit(edited, 'right');
    fake.remove(removed);
    fake.say(room, bob.id, 'missed', { threadTs: root });
    fake.sockets.refuse(undefined);
    await gap();
    const asked = await mention('two', root);
    const before = reads();
    expect(texts(await read(asked, root))).toEqual(['alice: @finclaw one', 'bob: right', 'bob: missed']);
    await read(asked, root);
    expect(reads() - before).toBeLessThanOrEqual(1);
  });

  it('is nothing while the connection is lost', async () => {
    const { fake, reads, mention, read, answer } = await setUp();
    const root = await mention('one');
    await read(root);
    await answer(root, 'an answer');
    const asked = await mention('two', root);
    fake.sockets.refuse('internal_error');
    fake.sockets.cut();
    await fake.until(() => entriesOf(fake.history, 'connection-refused').length > 0);
    const before = reads();
    expect(texts(await read(asked, root))).toEqual(['alice: @finclaw one', 'we: an answer']);
    expect(reads()).toBe(before + 1);
  });

  it('is nothing for an app that is told of its mentions only', async () => {
    const { fake, room, bob, reads, mention, read, answer } = await setUp({
      fake: { events: ['app_mention'] },
    });
    const root = await mention('one');
    await read(root);
    await answer(root, 'an answer');
    for (const n of [1, 2]) {
      fake.say(room, bob.id, `unheard ${n}`, { threadTs: root });
      const asked = await mention('and?', root);
      expect(texts(await read(asked, root))).toContain(`bob: unheard ${n}`);
    }
    expect(reads()).toBe(3);
  });

  it('is nothing while another connection of the app gets a part of the events', async () => {
    const first = await setUp();
    const second = await setUp({ on: first.fake });
    const root = await second.mention('one');
    await second.read(root);
    for (const text of ['two', 'three', 'four']) {
      const before = second.reads();
      await second.read(await second.mention(text, root), root);
      expect(second.reads()).toBeGreaterThan(before);
    }
  });

  it('is read again after the bot was away from the channel', async () => {
    const { fake, room, bob, heard, mention, read } = await setUp();
    const root = await mention('one');
    await read(root);
    await read(await mention('two', root), root);
    fake.say(room, bob.id, 'without the bot', { threadTs: root, events: 'none' });
    fake.say(room, fake.bot.userId, 'joined', { subtype: 'channel_join', events: 'message' });
    await heard();
    const asked = await mention('three', root);
    expect(texts(await read(asked, root))).toContain('bob: without the bot');
  });

  it('leaves out what is removed while Slack is asked, and what is delivered again after it was', async () => {
    const { fake, room, bob, heard, mention, read } = await setUp();
    const removed = fake.say(room, bob.id, 'a secret');
    const edited = fake.say(room, bob.id, 'old words');
    await heard();
    const slow = holdNext(fake, 'conversations.history');
    const asked = fake.say(room, fake.alice.id, 'one', { mention: true }).ts;
    await slow.reached();
    fake.edit(edited, 'new words');
    fake.remove(removed);
    await heard();
    fake.repeat(removed.eventIds[0] ?? '');
    slow.release();
    await heard();
    expect(texts(await read(asked))).toEqual(['bob: new words']);
    expect(texts(await read(await mention('two')))).toEqual(['bob: new words', 'alice: @finclaw one']);
  });
});

describe('a message that the bot keeps', () => {
  it('holds the words of its blocks, and those of what it shares, once', async () => {
    const clock = new ManualClock();
    const { messages, hear } = createRecentMessages(clock);
    const self = { teamId: 'T1', teamName: 'a', name: 'finclaw', userId: 'U1', botId: 'B1', scopes: [] };
    messages.listen();
    const tsAfter = (ms: number): string => tsOf(clock.now().add({ milliseconds: ms }));
    const element = { type: 'text', text: 'hello' };
    const written = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [element] }],
    };
    const row = { type: 'table', rows: [[{ type: 'raw_text', text: 'AAPL' }]] };
    const said = (ms: number) => ({
      type: 'message',
      user: 'U2',
      text: 'hello',
      ts: tsAfter(ms),
      blocks: [written],
      attachments: [{ fallback: '[no preview available]', blocks: [row] }],
    });
    hear(readMessageFields({ ...said(2), channel: 'C1' }), self);
    hear(readMessageFields({ ...said(3), channel: 'C1' }), self);
    const edit = { type: 'message', subtype: 'message_changed', channel: 'C1', message: said(3) };
    hear(readMessageFields(edit), self);
    const list = async () => ({
      messages: [{ id: tsAfter(1), message: readMessageFields(said(1)) }],
      isWhole: true,
    });
    await messages.before('C1', tsAfter(3), 20, list);
    const kept = await messages.before('C1', tsAfter(4), 20, list);
    expect(kept.map(({ ts }) => ts)).toEqual([1, 2, 3].map(tsAfter));
    expect(JSON.stringify(kept)).not.toContain('elements');
    for (const message of kept) expect(message).not.toHaveProperty('blocks');
    expect(kept.map((message) => bodyOf(message))).toEqual(Array(3).fill('hello\nAAPL'));
  });
});

describe('the first message to the bot', () => {
  it('is looked up beside its sender and its channel, not after them', async () => {
    const { fake, room, reads, host } = await setUp();
    const slow = [holdNext(fake, 'users.info'), holdNext(fake, 'conversations.info')];
    fake.say(room, fake.alice.id, 'one', { mention: true });
    await Promise.all(slow.map(({ reached }) => reached()));
    await fake.until(() => reads() === 1, { what: 'the history is asked for' });
    expect(host.received).toEqual([]);
    for (const { release } of slow) release();
    await fake.until(() => host.received.length > 0);
    expect(reads()).toBe(1);
  });

  it('is the only one that Slack is asked about before the bot decides whether to answer', async () => {
    const { fake, reads, host } = await setUp();
    for (const text of ['one', 'two', 'three']) {
      const { id: room } = fake.addChannel({ name: text, members: [fake.alice.id, fake.bot.userId] });
      const { ts } = fake.say(room, fake.alice.id, text, { mention: true });
      await fake.until(() => host.received.some(({ messageId }) => messageId === ts), { what: text });
    }
    expect(reads()).toBe(1);
  });
});
