import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { asId, type ChannelId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { rateLimit, SenderWindows } from '#src/chat/gates/rate-limit.ts';
import { createConversationTraces } from '#src/chat/store/conversation-traces.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { accepted, directMessage, DISCORD, gatesDeps, groupMessage, senderNamed } from './support.ts';

type RateLimitDeps = Parameters<typeof rateLimit>[0];

const setUp = async (
  overrides: Partial<Pick<RateLimitDeps, 'rateLimitPerMinute' | 'admins' | 'isReceivedElsewhere'>> = {},
) => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const deps = gatesDeps(storage, { clock, rateLimitPerMinute: 3, ...overrides });
  const gate = rateLimit(deps);
  const check = (message: MsgContext = directMessage()) => gate.check(message);
  /** One letter each: passed, dropped with a reply, silently dropped. */
  const send = async (times: number, message: () => MsgContext = directMessage): Promise<string> => {
    const seen: string[] = [];
    for (let sent = 0; sent < times; sent += 1) {
      const verdict = await check(message());
      seen.push(verdict.verdict === 'pass' ? 'p' : verdict.reply === undefined ? 's' : 'r');
    }
    return seen.join('');
  };
  return { storage, clock, deps, check, send };
};

const onDiscord = (id: ChannelId): boolean => id === DISCORD;

const limited = (seconds: number, locale: 'en' | 'ko' = 'en') => ({
  verdict: 'drop',
  reason: 'rate-limited',
  reply: gateTexts(locale).rateLimited({ seconds }),
});

describe('rate-limit', () => {
  it('passes so many messages a minute, says once how long to wait, and then nothing', async () => {
    const { clock, check, send } = await setUp();
    expect(await send(1)).toBe('p');
    await clock.advance(10_500);
    expect(await send(2)).toBe('pp');
    await clock.advance(9_000);
    expect(await check()).toEqual(limited(41));
    expect(await check()).toEqual({ verdict: 'drop', reason: 'rate-limited' });
  });

  it('slides: each message makes room when it is a minute old', async () => {
    const { clock, send } = await setUp();
    await send(1);
    await clock.advance(30_000);
    expect(await send(3)).toBe('ppr');
    await clock.advance(29_999);
    expect(await send(1)).toBe('s');
    await clock.advance(1);
    expect(await send(2)).toBe('ps');
    await clock.advance(30_000);
    expect(await send(3)).toBe('ppr');
  });

  it('does not count what it drops, so that whoever waits as told is heard', async () => {
    const { clock, send } = await setUp();
    expect(await send(50)).toBe(`pppr${'s'.repeat(46)}`);
    await clock.advance(60_000);
    expect(await send(4)).toBe('pppr');
  });

  it('says it in the language of the message', async () => {
    const { check, send } = await setUp();
    await send(3);
    expect(await check(directMessage({ body: '애플 주가 알려줘' }))).toEqual(limited(60, 'ko'));
  });

  it('counts a person in all chats together, and every person by themselves', async () => {
    const { check, send } = await setUp();
    expect(await send(2)).toBe('pp');
    expect(await check(groupMessage())).toEqual(PASS);
    expect(await check(groupMessage({ chatId: asId<ChatId>('chat-2') }))).toMatchObject({ verdict: 'drop' });
    expect(await check(directMessage(senderNamed('jun')))).toEqual(PASS);
    expect(await check(directMessage({ channelId: asId<ChannelId>('slack') }))).toEqual(PASS);
  });

  it('counts messages that arrive at the same moment in several chats', async () => {
    const { check } = await setUp();
    const verdicts = await Promise.all(
      [1, 2, 3, 4, 5].map(async (chat) => check(groupMessage({ chatId: asId<ChatId>(`chat-${chat}`) }))),
    );
    expect(verdicts.filter(({ verdict }) => verdict === 'pass')).toHaveLength(3);
  });

  it('does not hold for administrators and the terminal, nor where it is off', async () => {
    const { send } = await setUp({ admins: { users: ['discord:boss'], roles: ['ops'] } });
    expect(await send(10, () => directMessage(senderNamed('boss')))).toBe('p'.repeat(10));
    expect(await send(10, () => directMessage({ senderRoles: ['ops'] }))).toBe('p'.repeat(10));
    expect(await send(10, inboundMessage)).toBe('p'.repeat(10));
    const off = await setUp({ rateLimitPerMinute: 0 });
    expect(await off.send(100)).toBe('p'.repeat(100));
  });

  it('is not forgotten by a restart', async () => {
    const { storage, clock, check, send } = await setUp();
    const before = (milliseconds: number, message = directMessage()) =>
      accepted(storage, message, clock.now().subtract({ milliseconds }));
    await before(60_000);
    await before(59_250);
    await before(20_000, groupMessage());
    await before(10_000, directMessage(senderNamed('jun')));
    await before(10_000, directMessage({ channelId: asId<ChannelId>('slack') }));
    expect(await check()).toEqual(PASS);
    expect(await check()).toEqual(limited(1));
    await clock.advance(750);
    expect(await send(2)).toBe('ps');
  });

  it('counts what other processes accepted, if they receive messages of the platform too', async () => {
    const shared = await setUp({ isReceivedElsewhere: onDiscord });
    for (const { storage, clock, send } of [shared, await setUp()]) {
      const isShared = storage === shared.storage;
      expect(await send(1)).toBe('p');
      await clock.advance(1_000);
      for (let sent = 0; sent < 2; sent += 1) await accepted(storage, directMessage(), clock.now());
      await accepted(storage, directMessage(), clock.now().subtract({ seconds: 1 }));
      expect(await send(2)).toBe(isShared ? 'rs' : 'pp');
      await clock.advance(59_000);
      expect(await send(1)).toBe('p');
    }
  });

  it('holds at once where more was accepted than is allowed now', async () => {
    const { storage, clock, check } = await setUp();
    for (const seconds of [50, 40, 30, 20, 10])
      await accepted(storage, directMessage(), clock.now().subtract({ seconds }));
    // Only when the third last is a minute old are there fewer than three.
    expect(await check()).toEqual(limited(30));
  });

  it('does not hold for what a clock that was set back has put into the future', async () => {
    const { storage, clock, send } = await setUp();
    for (let sent = 0; sent < 3; sent += 1)
      await accepted(storage, directMessage(), clock.now().add({ minutes: 5 }));
    await accepted(storage, directMessage(), clock.now());
    expect(await send(4)).toBe('pprs');
  });
});

const windowsOver = async (wrap: (calls: number) => void = () => undefined) => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const traces = createConversationTraces(storage.db);
  let calls = 0;
  const windows = new SenderWindows({
    clock,
    windowMs: 60_000,
    limit: 3,
    traces: {
      acceptedTimes: async (...asked) => {
        calls += 1;
        wrap(calls);
        return traces.acceptedTimes(...asked);
      },
    },
  });
  return { clock, windows, calls: () => calls };
};

describe('the memory of senders', () => {
  it('keeps only those who wrote within the last minute', async () => {
    const { clock, windows } = await windowsOver();
    for (let written = 0; written < 100; written += 1) {
      await windows.of(directMessage(senderNamed(`sender-${written}`)));
      await clock.advance(1_000);
    }
    await windows.of(directMessage(senderNamed('sender-41')));
    expect(windows.size).toBe(59);
    await clock.advance(59_999);
    await windows.of(directMessage(senderNamed('new')));
    expect(windows.size).toBe(2);
  });

  it('reads the inbox once for a sender who goes on writing', async () => {
    const { clock, windows, calls } = await windowsOver();
    await Promise.all([windows.of(directMessage()), windows.of(directMessage())]);
    await clock.advance(30_000);
    await windows.of(directMessage());
    await clock.advance(59_999);
    await windows.of(directMessage());
    expect(calls()).toBe(1);
    await clock.advance(60_000);
    await windows.of(directMessage());
    expect(calls()).toBe(2);
  });

  it('asks again where the inbox could not be read', async () => {
    const { windows, calls } = await windowsOver((call) => {
      if (call === 1) throw new Error('database is locked');
    });
    await expect(windows.of(directMessage())).rejects.toThrow('database is locked');
    expect(await windows.of(directMessage())).toMatchObject({ acceptedAtMs: [] });
    expect(calls()).toBe(2);
  });
});
