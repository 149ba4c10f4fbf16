import { describe, expect, it } from 'vitest';
import { queueTexts, stopTexts } from '#commands/chat/texts.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { operationsTexts } from '#commands/admin/texts.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { startTestApp } from '#test/support/app.ts';
import { answer, CLAUDE_KEYS, startEngineApp, startServers, until } from '#test/support/engine-app.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import {
  answersIn,
  endsIn,
  held,
  IN_GROUP,
  lastTurns,
  problemsOf,
  say,
  settled,
  startBusy,
} from './gateway-support.ts';

const busy = (mode?: QueueMode, more = {}, config = {}) =>
  startBusy({ env: mode ? { FINCLAW_QUEUE_MODE: mode } : {}, config }, { more });

describe('mode collect, the default', () => {
  it('answers all that waits in one request, to the newest message', async () => {
    const { app, letGo, receipt } = await busy();
    const later = [await say(app, 'two'), await say(app, 'three'), await say(app, 'four')];
    letGo();
    await settled(receipt, ...later);
    expect(lastTurns(app.claude)).toEqual([['one'], ['two\n\nthree\n\nfour']]);
    expect(answersIn(app)).toEqual([
      ['m-one', 'first'],
      ['m-four', 'to: two\n\nthree\n\nfour'],
    ]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({
      one: 'done',
      two: 'done',
      three: 'merged: two',
      four: 'merged: two',
    });
  });

  it('never puts two people of a group into one turn', async () => {
    const { app, letGo, receipt } = await busy(undefined, IN_GROUP);
    const later = [
      await say(app, 'b1', 'bob', IN_GROUP),
      await say(app, 'b2', 'bob', IN_GROUP),
      await say(app, 'a2', 'ann', IN_GROUP),
      await say(app, 'b3', 'bob', IN_GROUP),
    ];
    letGo();
    await settled(receipt, ...later);
    expect(lastTurns(app.claude)).toEqual([['one'], ['b1\n\nb2'], ['a2'], ['b3']]);
    expect(answersIn(app).map(([to]) => to)).toEqual(['m-one', 'm-b2', 'm-a2', 'm-b3']);
    expect(app.channel.sent.map(({ target }) => target.recipientId)).toEqual(['ann', 'bob', 'ann', 'bob']);
  });
});

describe('mode queue', () => {
  it('answers each by itself, in order', async () => {
    const { app, letGo, receipt } = await busy('queue');
    const later = [await say(app, 'two'), await say(app, 'three')];
    letGo();
    await settled(receipt, ...later);
    expect(answersIn(app)).toEqual([
      ['m-one', 'first'],
      ['m-two', 'to: two'],
      ['m-three', 'to: three'],
    ]);
  });
});

describe('a bot among people', () => {
  it('is answered after them, however long it has waited', async () => {
    const app = await startEngineApp({
      env: { FINCLAW_QUEUE_MODE: 'queue' },
      config: { gates: { allowBots: ['robo'] } },
    });
    const { reply, letGo } = held();
    app.claude.reply(reply);
    const receipts = [await say(app, 'one', 'ann', IN_GROUP)];
    await until(() => app.claude.history.length === 1);
    receipts.push(await say(app, 'beep', 'robo', { ...IN_GROUP, isFromBot: true }));
    receipts.push(await say(app, 'two', 'bob', IN_GROUP));
    letGo();
    await settled(...receipts);
    expect(lastTurns(app.claude)).toEqual([['one'], ['two'], ['beep']]);
  });
});

describe('mode followup', () => {
  it('answers each by itself, once nothing has been written for half a second', async () => {
    const time = new ManualClock();
    const waits: number[] = [];
    const clock: Clock = {
      now: time.now,
      monotonicMs: time.monotonicMs,
      after: (delayMs, callback) => {
        waits.push(delayMs);
        return time.after(delayMs, callback);
      },
    };
    const { claude } = await startServers();
    const { channel } = await startTestApp({
      clock,
      env: {
        ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
        ANTHROPIC_BASE_URL: claude.url,
        FINCLAW_QUEUE_MODE: 'followup',
      },
    });
    const first = held(answer('first'));
    claude.reply(first.reply);
    const write = (body: string) => channel.receive(inboundMessage({ channelId: channel.id, body }));
    await write('one');
    await until(() => claude.history.length === 1);
    await write('two');
    first.letGo();
    await until(() => waits.includes(500));
    await time.advance(300);
    await write('three');
    await time.advance(200);
    // Half a second after the second message, but not after the third.
    await until(() => waits.includes(300));
    expect(claude.history).toHaveLength(1);
    await time.advance(300);
    await channel.waitForSent(3);
    expect(lastTurns(claude)).toEqual([['one'], ['two'], ['three']]);
  });
});

describe('a command while an answer is under way', () => {
  it('is answered at once: /queue tells what waits, /status that it runs, /stop ends it', async () => {
    const app = await startEngineApp();
    app.claude.reply({ kind: 'stall', answer: { text: 'Apple' } });
    const first = await app.send('boss', 'How is Apple?', { messageId: asId<MessageId>('m-first') });
    await until(() => app.claude.history.length === 1);
    const second = await app.send('boss', 'And Tesla?');
    expect(await app.ask('boss', '/queue')).toEqual([
      expect.stringContaining(queueTexts('en').status({ running: 1, waiting: 1 })),
    ]);
    const [status] = await app.ask('boss', '/status');
    expect(status).toContain(operationsTexts('en').status.running());
    expect(status).toContain(operationsTexts('en').status.inbox({ pending: 3, suspended: 0 }));
    expect(app.channel.sent).toHaveLength(2);
    expect(await app.ask('boss', '/stop')).toEqual([stopTexts('en').done()]);
    await settled(first, second);
    await until(() => app.claude.history[0]?.wasAborted() === true);
    expect(answersIn(app).filter(([to]) => to === 'm-first')).toEqual([
      ['m-first', failureTexts('en').stopped()],
    ]);
    expect(app.channel.texts.at(-1)).toBe('ok');
    expect(problemsOf(app.claude)).toEqual([]);
  });

  it('by somebody else in the group stops nothing', async () => {
    const { app, letGo, receipt } = await busy('collect', IN_GROUP);
    expect(await app.ask('bob', '/stop', IN_GROUP)).toEqual([stopTexts('en').notYours()]);
    letGo();
    await settled(receipt);
    expect(app.channel.texts.at(-1)).toBe('first');
  });
});

describe('/queue', () => {
  it('changes the mode of this conversation alone, at once and beyond a restart', async () => {
    const { app, letGo, receipt } = await busy('collect');
    const t = queueTexts('ko');
    expect(await app.ask('ann', '/대기열 queue')).toEqual([
      t.set({ mode: 'queue', meaning: t.meanings.queue, scope: t.scopes.session }),
    ]);
    const later = [await say(app, 'two'), await say(app, 'three')];
    letGo();
    await settled(receipt, ...later);
    expect(lastTurns(app.claude)).toEqual([['one'], ['two'], ['three']]);
    await app.stop();

    const next = await startEngineApp({
      servers: app,
      dataDir: app.dataDir,
      env: { FINCLAW_QUEUE_MODE: 'collect' },
    });
    const asked = async (user: string) => (await next.ask(user, '/queue'))[0];
    expect(await asked('ann')).toContain('**queue**');
    expect(await asked('bob')).toContain('**collect**');
    expect(await next.ask('ann', '/queue default')).toEqual([expect.stringContaining('**collect**')]);
    expect(await asked('ann')).toContain('**collect**');
  });

  it('in a group is for administrators, and says so', async () => {
    const app = await startEngineApp();
    expect(await app.ask('ann', '/queue steer', IN_GROUP)).toEqual([queueTexts('en').notAllowed()]);
    expect(await app.ask('boss', '/queue steer', IN_GROUP)).toEqual([expect.stringContaining('**steer**')]);
  });
});

describe('80 messages at once', () => {
  const burst = Array.from({ length: 80 }, (_, index) => `n${index}`);

  it.each([
    { mode: 'collect', limit: 50, requests: 2 },
    { mode: 'queue', limit: 10, requests: 10 },
  ] as const)('in mode $mode are all answered, merged or refused', async ({ mode, limit, requests }) => {
    const { app, letGo, receipt } = await busy(mode, {}, { queue: { maxPerSession: limit } });
    const receipts = await Promise.all(burst.map((words) => say(app, words)));
    letGo();
    await settled(receipt, ...receipts);
    const refused = receipts.filter(({ outcome }) => outcome === 'dropped');
    // The one that is being answered counts too.
    expect(refused).toHaveLength(81 - limit);
    for (const each of refused)
      expect(each).toEqual({ outcome: 'dropped', reason: 'queue-full', isTold: true });
    const told = app.channel.texts.filter((text) => text === intakeTexts('en').queueFull({ limit }));
    expect(told).toHaveLength(refused.length);
    const taken = lastTurns(app.claude).flatMap(([words = '']) => words.split('\n\n'));
    expect(taken).toEqual(['one', ...burst.slice(0, limit - 1)]);
    expect(app.claude.history).toHaveLength(requests);
    await app.stop();
    const ends = Object.values(endsIn(app.dataDir));
    expect(ends).toHaveLength(limit);
    expect(ends.filter((end) => end === 'done')).toHaveLength(requests);
    expect(ends.filter((end) => end === 'merged: n0')).toHaveLength(limit - requests);
  });

  it('under the default limit are twenty taken, one polite reply, and silence', async () => {
    const app = await startEngineApp({ env: { FINCLAW_RATE_LIMIT: '' } });
    const { reply, letGo } = held();
    app.claude.reply(reply);
    const receipts = await Promise.all(burst.map((words) => say(app, words)));
    letGo();
    await settled(...receipts);
    expect(receipts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(20);
    const polite = gateTexts('en').rateLimited({ seconds: 60 });
    expect(app.channel.texts.toSorted()).toEqual([polite, 'ok', 'ok'].toSorted());
    await app.clock.advance(60_000);
    expect(await app.ask('ann', 'And now?')).toEqual(['ok']);
  });
});
