import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import { DEFAULT_FALLBACK_ON, FALLBACK_STEPS } from '#src/agent/models/fallback.ts';
import { failed, GPT, HAIKU, OPUS, setUp } from './fallback-support.ts';

const times = (count: number, error: Error): readonly Error[] => Array.from({ length: count }, () => error);
const REASONS = Object.keys(FALLBACK_STEPS) as readonly FallbackReason[];

describe('the wait before the same key is tried again', () => {
  it('is what the provider asked for, up to twenty seconds', async () => {
    const { run, order, waits } = setUp({ maxRetriesPerKey: 1 });
    await run(failed('rate-limit', 20_000));
    expect(order()).toEqual(['opus/a1', 'opus/a1']);
    expect(waits()).toEqual([20_000]);
  });

  it('is not worth it above twenty seconds: the next key is asked at once', async () => {
    const { run, order, waits, reports } = setUp();
    await run(failed('rate-limit', 20_001));
    expect(order()).toEqual(['opus/a1', 'opus/a2']);
    expect(waits()).toEqual([0]);
    expect(reports).toEqual(['a1 rate-limit 20001', 'a2 ok']);
  });

  it('doubles where nothing was asked for', async () => {
    const { run, waits } = setUp({ maxRetriesPerKey: 3, random: () => 1 });
    await run(...times(3, failed('rate-limit')));
    expect(waits()).toEqual([1_000, 2_000, 4_000]);
  });

  it('is jittered, so that many callers spread out', async () => {
    const draws = [0.25, 0.75];
    const { run, waits } = setUp({ maxRetriesPerKey: 2, random: () => draws.shift() ?? 0 });
    await run(...times(2, failed('rate-limit')));
    expect(waits()).toEqual([250, 1_500]);
  });

  it('begins anew with the next key', async () => {
    const { run, waits } = setUp({ maxRetriesPerKey: 1, random: () => 1 });
    await run(...times(3, failed('rate-limit')));
    expect(waits()).toEqual([1_000, 0, 1_000]);
  });
});

describe('the number of requests', () => {
  it('is at most that of the settings for one call', async () => {
    const { run, asked } = setUp({ models: [OPUS, HAIKU, GPT], failures: { left: 100 } });
    const { error } = await run(...times(20, failed('rate-limit')));
    expect(asked).toHaveLength(6);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toHaveLength(6);
  });

  it('is limited by what may still fail for the message, over all its calls', async () => {
    const failures = { left: 6 };
    const first = setUp({ failures, models: [OPUS, GPT] });
    await first.run(...times(4, failed('rate-limit')));
    expect(failures.left).toBe(2);
    const second = setUp({ failures, models: [OPUS, GPT] });
    await second.run(...times(20, failed('rate-limit')));
    expect(second.asked).toHaveLength(2);
    expect(failures.left).toBe(0);
    const third = setUp({ failures });
    expect((await third.run()).error).toBeInstanceOf(AggregateError);
    expect(third.asked).toEqual([]);
  });

  it('is not used up by answers', async () => {
    const failures = { left: 1 };
    for (let call = 0; call < 5; call += 1)
      expect((await setUp({ failures }).run('ok')).error).toBeUndefined();
    expect(failures.left).toBe(1);
  });

  it('is used up also by failures that no other try can mend', async () => {
    const failures = { left: 6 };
    await setUp({ failures }).run(new TypeError('a bug'));
    expect(failures.left).toBe(5);
  });

  it('is never more than six, whatever goes wrong in whatever order', async () => {
    const failure = fc
      .tuple(
        fc.constantFrom(...REASONS),
        fc.option(fc.constantFrom(0, 500, 19_000, 60_000), { nil: undefined }),
      )
      .map(([reason, retryAfterMs]) => failed(reason, retryAfterMs));
    const keys = fc.subarray(['k1', 'k2', 'k3', 'k4']);
    await fc.assert(
      fc.asyncProperty(
        fc.array(failure, { minLength: 12, maxLength: 12 }),
        keys,
        keys,
        fc.nat({ max: 8 }),
        fc.nat({ max: 8 }),
        async (script, anthropic, openai, maxRetriesPerKey, left) => {
          const failures = { left };
          const { run, asked, clock } = setUp({
            models: [OPUS, HAIKU, GPT],
            fallbackOn: [...DEFAULT_FALLBACK_ON, 'context-overflow'],
            keys: { anthropic, openai },
            maxRetriesPerKey,
            failures,
          });
          const { result, error } = await run(...script);
          expect(asked.length).toBeLessThanOrEqual(Math.min(6, left));
          expect(result).toBeUndefined();
          expect(error instanceof AggregateError || error instanceof FailoverError).toBe(true);
          expect(failures.left).toBe(left - asked.length);
          expect(clock.pendingTimers).toBe(0);
          // An hour has passed: no wait was longer than what is worth it.
          for (const [index, { atMs }] of asked.entries())
            expect(atMs - (asked[index - 1]?.atMs ?? 0)).toBeLessThanOrEqual(20_000);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Five faults open it. */
const openBreaker = async ({ breakerOf }: Pick<ReturnType<typeof setUp>, 'breakerOf'>): Promise<void> => {
  for (let count = 0; count < 5; count += 1) {
    await breakerOf('anthropic')
      .run(() => Promise.reject(failed('server-error')))
      .catch(() => undefined);
  }
};

describe('a provider whose breaker is open', () => {
  it('is not asked, and costs no try', async () => {
    const fixture = setUp({ models: [OPUS, HAIKU, GPT] });
    await openBreaker(fixture);
    const { result } = await fixture.run();
    expect(fixture.order()).toEqual(['gpt/o1']);
    expect(fixture.failures.left).toBe(6);
    expect(result?.attempts).toMatchObject([
      { modelId: 'opus', success: false, reason: 'skipped' },
      { modelId: 'haiku', success: false, reason: 'skipped' },
      { modelId: 'gpt', success: true },
    ]);
  });

  it('has its keys left in peace', async () => {
    const fixture = setUp({ models: [OPUS] });
    await openBreaker(fixture);
    const { error } = await fixture.run();
    expect(error).toMatchObject({ errors: [{ code: 'CIRCUIT_OPEN' }] });
    expect(fixture.reports).toEqual([]);
  });

  it('opens after five faults in the middle of a call', async () => {
    const { run, order } = setUp({ models: [OPUS, HAIKU, GPT], maxRetriesPerKey: 10 });
    await run(...times(5, failed('server-error')));
    expect(order()).toEqual([...Array.from({ length: 5 }, () => 'opus/a1'), 'gpt/o1']);
  });
});

describe('keys', () => {
  it.each(['rate-limit', 'auth', 'billing'] satisfies readonly FallbackReason[])(
    'rest after %s, and the one that answered is told so',
    async (reason) => {
      const { run, reports } = setUp({ maxRetriesPerKey: 0 });
      await run(failed(reason, reason === 'rate-limit' ? 3_000 : undefined));
      expect(reports).toEqual([`a1 ${reason}${reason === 'rate-limit' ? ' 3000' : ''}`, 'a2 ok']);
    },
  );

  it.each([
    'server-error',
    'timeout',
    'model-unavailable',
    'refusal',
    'empty-answer',
  ] satisfies readonly FallbackReason[])('are not to blame for %s', async (reason) => {
    const { run, reports } = setUp({ maxRetriesPerKey: 0 });
    await run(failed(reason));
    expect(reports.filter((report) => !report.endsWith('ok'))).toEqual([]);
  });

  it('are reported once, however often they were tried', async () => {
    const { run, reports } = setUp({ maxRetriesPerKey: 2 });
    await run(...times(3, failed('rate-limit')));
    expect(reports).toEqual(['a1 rate-limit', 'a2 ok']);
  });

  it('are reported also when no try is left', async () => {
    const { run, reports } = setUp({ failures: { left: 1 } });
    await run(failed('rate-limit', 1_000));
    expect(reports).toEqual(['a1 rate-limit 1000']);
  });

  it('that all rest for a short time are waited for, once', async () => {
    const { run, asked } = setUp({ restsUntilMs: 12_000 });
    const { result } = await run('after a rest');
    expect(result?.result).toBe('after a rest');
    expect(asked).toEqual([{ model: 'opus', key: 'a1', atMs: 12_000 }]);
  });

  it('that rest for longer than is worth it are not waited for', async () => {
    const { run, asked, recorded } = setUp({ restsUntilMs: 20_001 });
    const { error } = await run();
    expect(asked).toEqual([]);
    expect(error).toMatchObject({ errors: [{ code: 'KEYS_COOLING' }, { code: 'KEYS_COOLING' }] });
    expect(recorded.payloads('model:exhausted')).toHaveLength(1);
  });

  it('that rest again after the wait are not waited for a second time', async () => {
    const { start, asked, clock } = setUp({ restsUntilMs: 12_000, keys: { anthropic: [] } });
    const outcome = start().catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await outcome).toBeInstanceOf(AggregateError);
    expect(asked).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('that do not exist are not waited for', async () => {
    const { run, clock } = setUp({ keys: {} });
    const { error } = await run();
    expect(error).toMatchObject({ errors: [{ code: 'NO_API_KEY' }, { code: 'NO_API_KEY' }] });
    expect(clock.pendingTimers).toBe(0);
  });
});
