import { describe, expect, it } from 'vitest';
import { QUEUE_MODES, type QueueMode } from '#src/kernel/chat/queue.ts';
import { calls, startBroker } from '#test/support/broker.ts';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';
import {
  answersIn,
  conversationIn,
  endsIn,
  held,
  IN_GROUP,
  inMode,
  lastTurns,
  problemsOf,
  say,
  startBusy,
} from './gateway-support.ts';

const LOOKS = calls({ name: 'slow_look', input: {} });

const busy = (mode: QueueMode, first = answer('first'), more = {}) =>
  startBusy({ env: inMode(mode) }, { first, more });

describe('a restart in the middle of a turn', () => {
  it('goes on with the words that were taken into it, and answers once', async () => {
    const first = await startBroker({ env: inMode('steer') });
    const { claude } = first.app;
    claude.reply(LOOKS, { kind: 'stall' });
    await say(first.app, 'How is Apple?');
    await until(() => first.journal().length === 1);
    await say(first.app, 'No, Tesla!');
    first.open();
    await until(() => claude.history.length === 2);
    await say(first.app, 'In won.');
    const second = await first.restart();
    await second.app.channel.waitForSent(1);
    await second.app.stop();
    expect(first.app.channel.texts).toEqual([]);
    expect(answersIn(second.app)).toEqual([['m-No, Tesla!', 'ok']]);
    expect(second.journal()).toHaveLength(1);
    expect(problemsOf(claude)).toEqual([]);
    expect(conversationIn(claude.history[2]?.body)).toEqual([
      'How is Apple?',
      'call slow_look',
      'result looked',
      'No, Tesla!',
      'In won.',
    ]);
    expect(endsIn(second.app.dataDir)).toEqual({
      'How is Apple?': 'done',
      'No, Tesla!': 'merged: How is Apple?',
      'In won.': 'merged: How is Apple?',
    });
  });

  it('goes on with it as it was, and answers what waited behind it by itself', async () => {
    const { app: first } = await busy('collect', answer('never'), IN_GROUP);
    for (const [words, user] of [
      ['two', 'ann'],
      ['three', 'ann'],
      ['of bob', 'bob'],
    ] as const)
      await say(first, words, user, IN_GROUP);
    await first.stop();
    const next = await startEngineApp({ env: inMode('collect'), servers: first, dataDir: first.dataDir });
    await next.channel.waitForSent(3);
    await next.stop();
    expect(lastTurns(first.claude).slice(1)).toEqual([['one'], ['two\n\nthree'], ['of bob']]);
    expect(answersIn(next).map(([to]) => to)).toEqual(['m-one', 'm-three', 'm-of bob']);
    expect(problemsOf(first.claude)).toEqual([]);
  });

  it.each(QUEUE_MODES)('in mode %s loses nothing that waited while an answer was sent', async (mode) => {
    const first = await startEngineApp({ env: inMode(mode) });
    first.claude.reply(answer('first'));
    first.channel.hangSends();
    await say(first, 'one');
    await until(() => first.channel.attempts.length === 1);
    await say(first, 'two');
    await first.stop();
    const next = await startEngineApp({ env: inMode(mode), servers: first, dataDir: first.dataDir });
    await next.channel.waitForSent(2);
    await next.stop();
    expect(answersIn(next)).toEqual([
      ['m-one', 'first'],
      ['m-two', 'ok'],
    ]);
    expect(endsIn(first.dataDir)).toEqual({ one: 'done', two: 'done' });
    expect(first.claude.history).toHaveLength(2);
  });

  it('in mode interrupt answers the newest of each person alone', async () => {
    const { app: first } = await busy('queue');
    await say(first, 'two');
    // Bob's chat is his own: held back as well, he is not answered before the end.
    first.claude.reply(held().reply);
    await say(first, 'of bob', 'bob');
    await until(() => first.claude.history.length === 2);
    await first.stop();
    const next = await startEngineApp({ env: inMode('interrupt'), servers: first, dataDir: first.dataDir });
    await next.channel.waitForSent(2);
    await next.stop();
    expect(
      answersIn(next)
        .map(([to]) => to)
        .toSorted(),
    ).toEqual(['m-of bob', 'm-two']);
    expect(endsIn(first.dataDir)).toEqual({ one: 'superseded: two', two: 'done', 'of bob': 'done' });
    expect(problemsOf(first.claude)).toEqual([]);
  });
});
