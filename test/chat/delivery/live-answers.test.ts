import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ChatPlace } from '#src/kernel/chat/message.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { asId, type ChannelId, type ChatId, type DeliveryId, type MessageId } from '#src/kernel/ids.ts';
import { checkRequest } from '#src/platform/net/http-transport.ts';
import { TestChannel } from '#test/support/channel.ts';
import { losableWork } from '#test/support/lost-work.ts';
import { asks, calls, ends, liveSetUp, reset, says } from './live-support.ts';
import { FIRST_TEXT_MS, liveModeOf, SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';

const setUpLive = liveSetUp();
const { thinking, writing } = liveTexts('en');
const down = () => Promise.reject(new Error('the database is down'));
const D1 = asId<DeliveryId>('d1');
const M1 = asId<MessageId>('m1');

describe('an answer that is shown while it is made', () => {
  it('is one message with status and text, recorded, and left for the answer to replace', async () => {
    const { channel, store, ctx, clock, begin, settle } = await setUpLive();
    const view = begin();
    view.onEvent(asks);
    await settle();
    for (const event of [calls('c', 'lookup'), ends('c'), says('It'), says(' is')]) view.onEvent(event);
    await clock.advance(FIRST_TEXT_MS);
    for (const event of [says(' up'), reset, says('304')]) view.onEvent(event);
    await view.end('replaced');
    expect(channel.seen).toEqual([
      `status ${thinking()}`,
      'status at lookup',
      `status ${thinking()}`,
      `status ${writing()}`,
      'text It is',
      'text It is up',
      'text ',
      `status ${thinking()}`,
      `status ${writing()}`,
      'text 304',
      'replaced live-1',
    ]);
    expect(await store.messageOf(ctx.inboxId)).toBe('live-1');
    expect(clock.pendingTimers).toBe(0);
  });

  it('is neither opened nor continued once another process has the conversation', async () => {
    const { channel, clock, begin, abort } = await setUpLive();
    const { openLive } = channel;
    const checked: typeof openLive = (...args) => {
      checkRequest();
      const { showText, end, ...live } = openLive(...args);
      return {
        ...live,
        end: async (how) => {
          checkRequest();
          return end(how);
        },
        showText: (text) =>
          void Promise.try(checkRequest).then(
            () => showText(text),
            () => undefined,
          ),
      };
    };
    Object.assign(channel, { openLive: checked });
    const [early, later] = [losableWork(), losableWork()];
    early.run(() => begin().onEvent(asks));
    early.lose();
    await clock.advance(SHOW_AFTER_MS);
    expect(channel.opened).toEqual([]);
    const view = later.run(begin);
    later.run(() => view.onEvent(asks));
    await clock.advance(SHOW_AFTER_MS);
    later.run(() => view.onEvent(says('It is')));
    later.lose();
    await clock.advance(FIRST_TEXT_MS);
    abort.abort(new RunAbortedError('shutdown'));
    await clock.advance(60_000);
    expect(channel.opened).toHaveLength(1);
    expect(channel.seen.filter((what) => !what.startsWith('status'))).toEqual([]);
  });

  it('has its row before it is opened, under the id it is posted with', async () => {
    const { channel, store, ctx, begin, settle } = await setUpLive();
    channel.posting = new Promise(() => undefined);
    begin().onEvent(asks);
    expect(channel.opened).toEqual([]);
    await settle();
    const row = await store.find(ctx.inboxId);
    expect(row).toMatchObject({ messageId: undefined });
    expect(channel.opened).toMatchObject([{ mode: 'stream', locale: 'en', deliveryId: row?.deliveryId }]);
    expect(channel.opened[0]).not.toHaveProperty('inDoubtSince');
  });

  it('shows only the newest of what happened before it could be opened', async () => {
    const { channel, begin, settle } = await setUpLive();
    const view = begin();
    for (const event of [asks, says('It is'), says(' 304')]) view.onEvent(event);
    await settle();
    expect(channel.seen).toEqual([`status ${writing()}`, 'text It is 304']);
  });

  it('is looked up for the answer only where a run opened one, until the work on the message has ended', async () => {
    let lookUps = 0;
    const { ctx, live, begin, settle } = await setUpLive('stream', {
      messageOf: async () => {
        lookUps += 1;
        return M1;
      },
    });
    const first = { ...ctx, isFirstAttempt: true };
    expect([await live.messageOf(first), lookUps]).toEqual([undefined, 0]);
    const view = begin();
    view.onEvent(asks);
    await settle();
    await view.end('replaced');
    expect([await live.messageOf(first), lookUps]).toEqual([M1, 1]);
    live.forget(ctx.inboxId);
    expect([await live.messageOf(first), lookUps]).toEqual([undefined, 1]);
    expect(await live.messageOf({ ...ctx, isFirstAttempt: false })).toBe(M1);
  });

  it('is not opened for an answer that comes at once: neither a row nor a request is spent on it', async () => {
    const { channel, clock, begin } = await setUpLive('stream', {
      open: () => expect.unreachable(),
    });
    const view = begin();
    for (const event of [asks, says('It is 304')]) view.onEvent(event);
    await clock.advance(SHOW_AFTER_MS - 1);
    await view.end('replaced');
    await clock.advance(60_000);
    expect(channel.opened).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('shows its first words a moment after the first token', async () => {
    const { channel, clock, begin, settle } = await setUpLive();
    const view = begin();
    view.onEvent(asks);
    await settle();
    view.onEvent(says('It'));
    await clock.advance(FIRST_TEXT_MS - 1);
    view.onEvent(says(' is'));
    expect(channel.seen).toEqual([`status ${thinking()}`, `status ${writing()}`]);
    await clock.advance(1);
    expect(channel.seen.at(-1)).toBe('text It is');
    view.onEvent(says(' 304'));
    expect(channel.seen.at(-1)).toBe('text It is 304');
    await view.end('replaced');
  });

  it('goes away with its row where nothing follows', async () => {
    const { channel, store, ctx, begin, settle } = await setUpLive();
    const view = begin();
    view.onEvent(says('Hm.'));
    await settle();
    expect(await store.messageOf(ctx.inboxId)).toBe('live-1');
    await view.end('dropped');
    expect(channel.seen.at(-1)).toBe('dropped live-1');
    expect(await store.find(ctx.inboxId)).toBeUndefined();
  });

  it('is not begun any more by an answer that was quicker, and shows nothing after its end', async () => {
    const { channel, store, ctx, begin, settle } = await setUpLive();
    const view = begin();
    view.onEvent(asks);
    await view.end('replaced');
    view.onEvent(says('late'));
    await settle();
    expect(channel.seen).toEqual([]);
    expect(await store.find(ctx.inboxId)).toBeUndefined();
  });

  it('is a status alone, without a row, in that mode', async () => {
    const { channel, store, ctx, begin, settle } = await setUpLive('status');
    const view = begin();
    view.onEvent(asks);
    await settle();
    view.onEvent(says('304'));
    expect(await store.find(ctx.inboxId)).toBeUndefined();
    await view.end('replaced');
    expect(channel.opened).toMatchObject([{ mode: 'status' }]);
    expect(channel.seen).toEqual([`status ${thinking()}`, `status ${writing()}`, 'replaced']);
  });

  it('is nothing at all where it is off, or the channel cannot', async () => {
    const { channel, begin, settle } = await setUpLive('off');
    const view = begin();
    view.onEvent(says('304'));
    await settle();
    await view.end('replaced');
    expect(channel.opened).toEqual([]);

    const other = await setUpLive('stream', { find: () => expect.unreachable() });
    const plain = other.live.begin(other.ctx, new TestChannel(), other.abort.signal);
    plain.onEvent(says('304'));
    await other.settle();
    await plain.end('dropped');
    expect(await other.store.find(other.ctx.inboxId)).toBeUndefined();
    expect(other.records()).toEqual([]);
  });
});

describe('an answer that was shown before a crash', () => {
  it('is gone on with in its message', async () => {
    const { channel, store, ctx, clock, begin } = await setUpLive();
    await store.open(ctx.inboxId, D1, clock.now());
    await store.record(ctx.inboxId, D1, M1, clock.now());
    const view = begin();
    view.onEvent(says('304'));
    await clock.advance(FIRST_TEXT_MS);
    await view.end('replaced');
    expect(channel.opened).toMatchObject([{ deliveryId: D1, messageId: M1 }]);
    expect(channel.seen).toEqual([`status ${writing()}`, 'text 304', 'replaced m1']);
  });

  it('is looked for where it may have been posted', async () => {
    const { channel, store, ctx, clock, begin } = await setUpLive();
    const since = clock.now();
    await store.open(ctx.inboxId, D1, since);
    await clock.advance(60_000);
    const view = begin();
    view.onEvent(asks);
    await clock.advance(SHOW_AFTER_MS);
    expect(channel.opened).toMatchObject([{ deliveryId: D1, inDoubtSince: since }]);
    expect(channel.opened[0]).not.toHaveProperty('messageId');
  });

  it('is looked for also by an answer that only has to be delivered', async () => {
    const { channel, store, ctx, clock, begin } = await setUpLive();
    const since = clock.now();
    await store.open(ctx.inboxId, D1, since);
    await begin().end('replaced');
    expect(channel.opened).toMatchObject([{ deliveryId: D1, inDoubtSince: since }]);
    expect(channel.seen).toEqual(['replaced']);
    expect(await store.find(ctx.inboxId)).toBeUndefined();
  });

  it('stays in doubt for the next process when this one goes down', async () => {
    const { channel, store, ctx, clock, abort, begin } = await setUpLive();
    channel.isMute = true;
    begin().onEvent(asks);
    await clock.advance(SHOW_AFTER_MS);
    abort.abort(new RunAbortedError('shutdown'));
    await clock.advance(0);
    expect(channel.seen.at(-1)).toBe('kept');
    expect(await store.find(ctx.inboxId)).toMatchObject({ messageId: undefined });
  });

  it.each(['off', 'status'] as const)('goes away also where the mode is %s by now', async (mode) => {
    const { channel, store, ctx, clock, begin } = await setUpLive(mode);
    await store.record(ctx.inboxId, D1, M1, clock.now());
    const view = begin();
    view.onEvent(asks);
    await clock.advance(SHOW_AFTER_MS);
    await view.end('dropped');
    expect(channel.seen.at(-1)).toBe('dropped m1');
    expect(await store.find(ctx.inboxId)).toBeUndefined();
  });

  it('is left as it is for an answer that only has to be delivered, and withdrawn where none comes', async () => {
    const { channel, store, ctx, clock, live, begin } = await setUpLive();
    await store.record(ctx.inboxId, D1, M1, clock.now());
    await begin().end('replaced');
    expect(channel.opened).toEqual([]);
    expect(await store.messageOf(ctx.inboxId)).toBe(M1);
    // The answer may stand in it: only what was never recorded goes then.
    await live.withdraw(ctx, channel, 'unrecorded');
    expect(channel.seen).toEqual([]);
    await live.withdraw(ctx, channel);
    expect(channel.seen).toEqual(['dropped m1']);
    expect(await store.find(ctx.inboxId)).toBeUndefined();
  });
});

describe('showing an answer never holds it up', () => {
  it('waits a moment for the end, and takes away what is posted after that', async () => {
    const { channel, store, ctx, clock, begin } = await setUpLive();
    const platform = Promise.withResolvers<void>();
    channel.posting = platform.promise;
    const view = begin();
    view.onEvent(says('It is'));
    await clock.advance(SHOW_AFTER_MS);
    let isEnded = false;
    void view.end('replaced').then(() => {
      isEnded = true;
    });
    await clock.advance(1_499);
    expect(isEnded).toBe(false);
    await clock.advance(1);
    expect(isEnded).toBe(true);
    platform.resolve();
    await clock.advance(0);
    // The answer is a message of its own by now.
    expect(await store.messageOf(ctx.inboxId)).toBeUndefined();
    expect(channel.seen.slice(-2)).toEqual(['replaced live-1', 'dropped live-1']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('never takes away what the answer has taken the place of, however late the end comes', async () => {
    const { channel, store, ctx, clock, begin } = await setUpLive();
    const platform = Promise.withResolvers<void>();
    channel.ending = platform.promise;
    const view = begin();
    view.onEvent(says('It is'));
    await clock.advance(SHOW_AFTER_MS);
    const ended = view.end('replaced');
    await clock.advance(1_500);
    await ended;
    expect(await store.messageOf(ctx.inboxId)).toBe('live-1');
    platform.resolve();
    await clock.advance(0);
    expect(channel.seen.at(-1)).toBe('replaced live-1');
    expect(await store.messageOf(ctx.inboxId)).toBe('live-1');
  });

  it.each([
    { kind: 'superseded', seen: 'dropped live-1', left: undefined },
    { kind: 'stopped', seen: 'replaced live-1', left: 'live-1' },
    { kind: 'shutdown', seen: 'kept live-1', left: 'live-1' },
  ] as const)('ends by itself when the run is ended ($kind)', async ({ kind, seen, left }) => {
    const { channel, store, ctx, abort, clock, begin } = await setUpLive();
    const view = begin();
    view.onEvent(says('It is'));
    await clock.advance(SHOW_AFTER_MS);
    abort.abort(new RunAbortedError(kind));
    view.onEvent(says(' late'));
    await clock.advance(SHOW_AFTER_MS);
    expect(channel.seen.at(-1)).toBe(seen);
    expect(await store.messageOf(ctx.inboxId)).toBe(left);
  });

  it('records also late where the next process goes on with it', async () => {
    const { channel, store, ctx, abort, clock, begin } = await setUpLive();
    const platform = Promise.withResolvers<void>();
    channel.posting = platform.promise;
    begin().onEvent(says('It is'));
    await clock.advance(SHOW_AFTER_MS);
    abort.abort(new RunAbortedError('shutdown'));
    await clock.advance(1_500);
    platform.resolve();
    await clock.advance(0);
    expect(await store.messageOf(ctx.inboxId)).toBe('live-1');
    expect(channel.seen.at(-1)).toBe('kept live-1');
  });

  it('is only logged when it fails: the database', async () => {
    const { channel, records, begin, settle } = await setUpLive('stream', { open: down, find: down });
    const view = begin();
    view.onEvent(says('304'));
    await settle();
    await view.end('replaced');
    expect(channel.seen).toEqual([]);
    expect(records()).toMatchObject([{ level: 'warn', error: { message: 'the database is down' } }, {}]);
  });

  it('is only logged when it fails: the channel', async () => {
    const { ctx, live, abort, records, settle } = await setUpLive('status');
    const broken = Object.assign(new TestChannel(), {
      openLive: () => {
        throw new Error('no such chat');
      },
    });
    const view = live.begin(ctx, broken, abort.signal);
    view.onEvent(says('304'));
    await settle();
    await view.end('replaced');
    expect(records()).toMatchObject([{ level: 'warn', error: { message: 'no such chat' } }]);
  });
});

const place = (channelId: string, chatId: string): ChatPlace => ({
  channelId: asId<ChannelId>(channelId),
  chatId: asId<ChatId>(chatId),
  chatType: 'channel',
});

it('shows answers as the server chose, else as configured for the chat, the platform, or at all', () => {
  const settings = { mode: 'status', channels: { discord: 'stream', 'discord:1': 'off' } } as const;
  expect(liveModeOf(settings, { live: 'status' }, place('discord', '1'))).toBe('status');
  expect(liveModeOf(settings, {}, place('discord', '1'))).toBe('off');
  expect(liveModeOf(settings, {}, place('discord', '2'))).toBe('stream');
  expect(liveModeOf(settings, {}, place('slack', '1'))).toBe('status');
});

it('streams answers in direct chats and where the channel prefers it, unless configured otherwise', () => {
  expect(liveModeOf({ channels: {} }, {}, place('slack', '1'), 'stream')).toBe('stream');
  expect(liveModeOf({ mode: 'off', channels: {} }, {}, place('slack', '1'), 'stream')).toBe('off');
  expect(liveModeOf({ channels: {} }, {}, place('discord', '1'))).toBe('status');
  expect(liveModeOf({ channels: {} }, {}, { ...place('discord', '1'), chatType: 'direct' })).toBe('stream');
  expect(
    liveModeOf({ channels: { discord: 'off' } }, {}, { ...place('discord', '1'), chatType: 'direct' }),
  ).toBe('off');
});
