import { describe, expect, it } from 'vitest';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import { asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { buys, codeIn, startBroker } from '#test/support/broker.ts';
import { answer, holds, startEngineApp, until, untilRead, withoutErrorId } from '#test/support/engine-app.ts';
import { lastTurnOf, lastTurns, settled } from './gateway-support.ts';

/** A thread of a channel, where the bot is called by its name: a conversation of its own. */
const inThread = (thread: string): Partial<MsgContext> => ({
  chatType: 'channel',
  chatId: asId<ChatId>('desk'),
  threadId: asId<ThreadId>(thread),
  mentionsBot: true,
});

const env = { FINCLAW_FALLBACKS: 'none' };

/** A model that answers nothing which begins with "slow" until it is let go. */
const slowModel = () => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const script = (body: Parameters<typeof lastTurnOf>[0]) =>
    lastTurnOf(body).some((words) => words.startsWith('slow'))
      ? holds(promise, answer('slowly'))
      : answer('at once');
  return { script, letGo };
};

describe('the caps that an operator set', () => {
  it('hold for the lane and for one agent, whoever asks, and /status shows them', async () => {
    const config = {
      lanes: { main: { maxConcurrency: 3, maxQueueSize: 2 }, cron: { maxConcurrency: 1 } },
      agents: { desk: { maxConcurrentTurns: 1 } },
      bindings: [{ agent: 'desk', channels: ['test:desk'] }],
    };
    const app = await startEngineApp({ env, config });
    const { script, letGo } = slowModel();
    app.claude.otherwise(script);
    const receipts = [];
    for (const user of ['ann', 'bob'])
      receipts.push(await app.send(user, `slow ${user} at the desk`, inThread(user)));
    for (const user of ['cem', 'dee', 'eve']) receipts.push(await app.send(user, `slow ${user}`));
    await until(() => app.claude.history.length >= 3);
    await untilRead();
    expect(lastTurns(app.claude).flat().toSorted()).toEqual(['slow ann at the desk', 'slow cem', 'slow dee']);
    const [refused = ''] = await app.ask('fay', 'slow fay');
    expect(withoutErrorId(refused)).toBe(failureTexts('en').laneTimeout({ errorId: '…' }));
    expect((await app.ask('boss', '/status')).join()).toContain(
      '`main` 3/3 (2 waiting) · `main:desk` 1/1 (1 waiting) · `cron` 0/1',
    );
    letGo();
    await settled(...receipts);
    expect(app.channel.texts.filter((text) => text === 'slowly')).toHaveLength(5);
  });
});

describe('a person who asks much', () => {
  it('does not keep others waiting: 4 people ask 20 slow questions each, and a fifth is answered meanwhile', async () => {
    const app = await startEngineApp({ env });
    const { script, letGo } = slowModel();
    app.claude.otherwise(script);
    const receipts = [];
    for (let question = 1; question <= 20; question += 1)
      for (const user of ['ann', 'bob', 'cem', 'dee'])
        receipts.push(await app.send(user, `slow ${user} ${question}`, inThread(`${user}-${question}`)));
    await until(() => app.claude.history.length >= 16);
    await untilRead();
    // Four of each are under way; what the others wait for is their own doing.
    expect(lastTurns(app.claude).flat().toSorted()).toEqual(
      ['ann', 'bob', 'cem', 'dee'].flatMap((user) => [1, 2, 3, 4].map((n) => `slow ${user} ${n}`)),
    );
    expect(await app.ask('eve', 'short', inThread('eve'))).toEqual(['at once']);
    expect(app.channel.texts).toEqual(['at once']);
    letGo();
    await settled(...receipts);
    expect(app.channel.texts.filter((text) => text === 'slowly')).toHaveLength(80);
  });

  it('does not keep others of the same conversation waiting: who asks next has a turn after four of theirs', async () => {
    const app = await startEngineApp({ env });
    const { script, letGo } = slowModel();
    app.claude.otherwise(script);
    const room = inThread('room');
    const receipts = [];
    // Too long for two of them to be one turn.
    const filler = 'x'.repeat(18_000);
    for (let index = 1; index <= 12; index += 1)
      receipts.push(await app.send('eve', `slow ${index} ${filler}`, room));
    // Short messages are one turn, however many they are.
    for (const words of ['bob one', 'bob two', 'bob three', 'bob four', 'bob five'])
      receipts.push(await app.send('bob', words, room));
    receipts.push(await app.send('cem', 'cem', room));
    letGo();
    await settled(...receipts);
    const asked = lastTurns(app.claude).map((turn) =>
      turn.map((words) => words.slice(0, 7).trim()).join('+'),
    );
    expect(asked).toEqual([
      'slow 1',
      'slow 2',
      'slow 3',
      'slow 4',
      expect.stringMatching(/^bob one/),
      'cem',
      ...Array.from({ length: 8 }, (_, index) => `slow ${index + 5}`),
    ]);
  });

  it('is told why a question had no turn in time', async () => {
    const config = {
      lanes: { main: { timeoutSeconds: 60 } },
      providers: { anthropic: { idleTimeoutSeconds: 600 } },
    };
    const app = await startEngineApp({ env, config });
    const { script, letGo } = slowModel();
    app.claude.otherwise(script);
    const receipts = [];
    for (const thread of ['1', '2', '3', '4']) receipts.push(await app.send('ann', 'slow', inThread(thread)));
    await until(() => app.claude.history.length === 4);
    const fifth = await app.send('ann', 'slow fifth', inThread('5'));
    await untilRead();
    await app.clock.advance(60_000);
    await settled(fifth);
    const errorId = '…';
    expect(app.channel.texts.map(withoutErrorId)).toEqual([failureTexts('en').laneShareTimeout({ errorId })]);
    letGo();
    await settled(...receipts);
    expect(app.claude.history).toHaveLength(4);
  });

  it('has what they allowed done at once, although as many answers as they may have are under way', async () => {
    const { app, journal } = await startBroker({ env });
    const { script, letGo } = slowModel();
    app.claude.reply(buys('AAPL'));
    const [question] = await app.ask('ann', 'Buy Apple', inThread('buy'));
    app.claude.otherwise(script);
    const receipts = [];
    for (const thread of ['1', '2', '3', '4']) receipts.push(await app.send('ann', 'slow', inThread(thread)));
    await until(() => app.claude.history.length === 5);
    await app.ask('ann', `/approve ${codeIn(question)}`, inThread('buy'));
    await until(() => app.channel.texts.includes('at once'));
    expect(journal()).toEqual(['AAPL']);
    letGo();
    await settled(...receipts);
  });

  it('is refused in words when too many of their messages wait, and can still use commands', async () => {
    const config = { queue: { maxPerPerson: 3, maxRunningPerPerson: 1 } };
    const app = await startEngineApp({ env, config });
    const { script, letGo } = slowModel();
    app.claude.otherwise(script);
    const receipts = [];
    for (const thread of ['1', '2', '3']) receipts.push(await app.send('ann', 'slow', inThread(thread)));
    await until(() => app.claude.history.length === 1);
    expect(await app.send('ann', '느린 질문', inThread('4'))).toMatchObject({ reason: 'person-queue-full' });
    expect(app.channel.texts).toEqual([intakeTexts('ko').personQueueFull({ limit: 3 })]);
    expect((await app.ask('ann', '/help', inThread('4'))).length).toBeGreaterThan(0);
    expect(await app.ask('bob', 'short', inThread('4'))).toEqual(['at once']);
    letGo();
    await settled(...receipts);
  });
});
