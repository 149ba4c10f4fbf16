import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import { type AccountId, asId, type ChannelId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { botLoop } from '#src/chat/gates/bot-loop.ts';
import { bots } from '#src/chat/gates/bots.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { groupMessage, senderNamed } from './support.ts';

const botMessage = (overrides: Partial<MsgContext> = {}): MsgContext =>
  groupMessage({ isFromBot: true, ...senderNamed('bot-9'), ...overrides });

const check = (allowBots: readonly string[], message: MsgContext) => bots({ allowBots }).check(message);

describe('bots', () => {
  it('passes people, listed or not', () => {
    expect(check([], groupMessage())).toEqual(PASS);
    expect(check(['mina'], groupMessage({ isFromBot: false }))).toEqual(PASS);
  });

  it.each([[[]], [['bot-8']], [['slack:bot-9']], [['discord']], [['bot-9 ']]])(
    'drops a bot without a word where the list is %j',
    (list) => {
      expect(check(list, botMessage())).toEqual({ verdict: 'drop', reason: 'bot-not-allowed' });
    },
  );

  it.each([[['bot-9']], [['discord:bot-9']], [['x', 'discord:bot-9']]])(
    'passes a bot that the list names: %j',
    (list) => {
      expect(check(list, botMessage())).toEqual(PASS);
    },
  );
});

const setUp = (limits = { maxMessages: 20, windowSeconds: 60, silenceSeconds: 60 }) => {
  const clock = new ManualClock();
  const gate = botLoop({ botLoop: limits, clock });
  const hear = (overrides: Partial<MsgContext> = {}) => gate.check(botMessage(overrides));
  const hearTimes = async (times: number, everyMs: number) => {
    const verdicts: string[] = [];
    for (let heard = 0; heard < times; heard += 1) {
      const verdict = await hear();
      verdicts.push(verdict.verdict === 'drop' ? verdict.reason : 'pass');
      await clock.advance(everyMs);
    }
    return verdicts;
  };
  return { clock, gate, hear, hearTimes };
};

const LOOP = { verdict: 'drop', reason: 'bot-loop' };
const passes = (count: number) => Array.from({ length: count }, () => 'pass');

describe('bot-loop', () => {
  it('hears 20 messages of a bot within a minute, and then says nothing to it for a minute', async () => {
    const { clock, hear, hearTimes } = setUp();
    expect(await hearTimes(20, 100)).toEqual(passes(20));
    expect(hear()).toEqual(LOOP);
    await clock.advance(59_999);
    expect(hear()).toEqual(LOOP);
    await clock.advance(1);
    expect(hear()).toEqual(PASS);
  });

  it('counts anew after the silence, in which nothing counted', async () => {
    const { clock, hear, hearTimes } = setUp();
    await hearTimes(20, 0);
    expect(await hearTimes(30, 2_000)).not.toContain('pass');
    expect(await hearTimes(20, 0)).toEqual(passes(20));
    expect(hear()).toEqual(LOOP);
    await clock.advance(60_000);
    expect(hear()).toEqual(PASS);
  });

  it('never stops a bot that is slower than that', async () => {
    const { hearTimes } = setUp();
    // The twenty-first falls exactly a window behind the first.
    expect(await hearTimes(100, 3_000)).toEqual(passes(100));
  });

  it('stops a bot that is a little faster', async () => {
    const { hearTimes } = setUp();
    const verdicts = await hearTimes(21, 2_999);
    expect(verdicts).toEqual([...passes(20), 'bot-loop']);
  });

  it('counts one bot in all chats of one account, and every other pair by itself', async () => {
    const { hear, hearTimes } = setUp();
    await hearTimes(19, 0);
    expect(hear({ chatId: asId<ChatId>('chat-2') })).toEqual(PASS);
    expect(hear()).toEqual(LOOP);
    expect(hear({ chatId: asId<ChatId>('chat-3') })).toEqual(LOOP);
    expect(hear(senderNamed('bot-8'))).toEqual(PASS);
    expect(hear({ accountId: asId<AccountId>('bot-2') })).toEqual(PASS);
    expect(hear({ channelId: asId<ChannelId>('slack') })).toEqual(PASS);
  });

  it('goes by the configured numbers', async () => {
    const { clock, hear, hearTimes } = setUp({ maxMessages: 2, windowSeconds: 10, silenceSeconds: 5 });
    expect(await hearTimes(4, 10_000)).toEqual(passes(4));
    expect(await hearTimes(3, 0)).toEqual(['pass', 'pass', 'bot-loop']);
    await clock.advance(5_000);
    expect(hear()).toEqual(PASS);
  });

  it('lets people write as much as they like', async () => {
    const { gate, hearTimes } = setUp();
    for (let written = 0; written < 50; written += 1) expect(gate.check(groupMessage())).toEqual(PASS);
    await hearTimes(21, 0);
    expect(gate.check(groupMessage(senderNamed('bot-9')))).toEqual(PASS);
  });
});
