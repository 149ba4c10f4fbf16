import { describe, expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { TokenCounter } from '#src/agent/execution/tokens.ts';
import { NO_USAGE, type StreamChunk } from '#src/core/model.ts';
import { done, modelOf, says, ScriptedProvider, used } from '#test/agent/support.ts';
import { runnerOn, user } from './runner-support.ts';

const isGone = async function* (): AsyncGenerator<StreamChunk> {
  yield* [];
  throw new FailoverError('it is gone', 'model-unavailable');
};
const inputOf = (inputTokens: number) => ({ ...NO_USAGE, inputTokens });

describe('TokenCounter, when another model answers', () => {
  it('measures by the window of the model that answered', () => {
    const fired: number[] = [];
    const counter = new TokenCounter(1_000, (_ratio, threshold) => fired.push(threshold));
    counter.add(inputOf(900), 9_000);
    expect([counter.usageRatio(), counter.remaining()]).toEqual([0.1, 8_100]);
    expect(fired).toEqual([]);
    counter.add(inputOf(900), 1_000);
    expect([counter.usageRatio(), counter.remaining()]).toEqual([0.9, 100]);
    expect(fired).toEqual([0.8]);
  });

  it('stays with that window where none is named', () => {
    const counter = new TokenCounter(1_000, () => undefined);
    counter.add(inputOf(100), 4_000);
    counter.add(inputOf(1_000));
    expect(counter.usageRatio()).toBe(0.25);
  });
});

describe('a run that another model answers than the first', () => {
  // Eleven thousand tokens in all: most of a small window, little of a large one.
  const answer: readonly StreamChunk[] = [...says('ok'), used(1_000, 0), done()];

  it.each([
    ['small', 12_000, 1_000_000, [0.8]],
    ['large', 1_000_000, 12_000, []],
  ])('warns of the %s window that it was answered in', async (_size, answering, first, expected) => {
    const models = [
      modelOf('first', { contextWindow: first }),
      modelOf('other', { contextWindow: answering }),
    ];
    const { run, payloads } = runnerOn({ provider: new ScriptedProvider(isGone, answer), models });
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'completed' });
    expect(payloads('execution:context_threshold').map(({ threshold }) => threshold)).toEqual(expected);
  });
});
