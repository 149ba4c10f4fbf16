import { describe, expect, it } from 'vitest';
import {
  CircuitBreaker,
  type CircuitBreakerOptions,
  troubledBreakers,
} from '#src/platform/concurrency/circuit-breaker.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const OPEN_ERROR = { code: 'CIRCUIT_OPEN', statusCode: 503, isOperational: true };

const setUp = (options: Partial<CircuitBreakerOptions> = {}) => {
  const clock = new ManualClock();
  const changes: string[] = [];
  const breaker = new CircuitBreaker({
    name: 'quotes',
    clock,
    onChange: (from, to) => changes.push(`${from} > ${to}`),
    ...options,
  });
  const succeed = (): Promise<string> => breaker.run(async () => 'fine');
  const fail = async (times = 1): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      const failing = breaker.run(async () => {
        throw new Error('their fault');
      });
      await expect(failing).rejects.toThrow('their fault');
    }
  };
  return { clock, breaker, changes, succeed, fail };
};

describe('CircuitBreaker', () => {
  it('passes results and errors through while closed', async () => {
    const { breaker, succeed, fail } = setUp();
    await expect(succeed()).resolves.toBe('fine');
    await fail();
    expect(breaker.state).toBe('closed');
  });

  it('opens at the fifth failure in a row and not before', async () => {
    const { breaker, changes, fail } = setUp();
    await fail(4);
    expect(breaker.state).toBe('closed');
    await fail();
    expect(breaker.state).toBe('open');
    expect(changes).toEqual(['closed > open']);
  });

  it('opens at the threshold it was given', async () => {
    const { breaker, fail } = setUp({ failureThreshold: 2 });
    await fail(2);
    expect(breaker.state).toBe('open');
  });

  it('counts from zero again after a success', async () => {
    const { breaker, succeed, fail } = setUp();
    await fail(4);
    await succeed();
    await fail(4);
    expect(breaker.state).toBe('closed');
  });

  it('refuses without calling the task while open, and names what is failing', async () => {
    const { breaker, fail } = setUp();
    await fail(5);
    let calls = 0;
    const refused = breaker.run(async () => (calls += 1));
    await expect(refused).rejects.toMatchObject({
      ...OPEN_ERROR,
      message: expect.stringContaining('quotes'),
    });
    expect(calls).toBe(0);
  });

  it('stays open for 30 seconds and lets a probe through after that', async () => {
    const { clock, breaker, succeed, fail } = setUp();
    await fail(5);
    await clock.advance(29_999);
    expect(breaker.state).toBe('open');
    await expect(succeed()).rejects.toMatchObject(OPEN_ERROR);
    await clock.advance(1);
    expect(breaker.state).toBe('half-open');
    await expect(succeed()).resolves.toBe('fine');
  });

  it('lets exactly one probe through at a time', async () => {
    const { clock, breaker, succeed, fail } = setUp();
    await fail(5);
    await clock.advance(30_000);
    const gate = Promise.withResolvers<string>();
    const probe = breaker.run(() => gate.promise);
    await expect(succeed()).rejects.toMatchObject(OPEN_ERROR);
    await clock.advance(60_000);
    await expect(succeed()).rejects.toMatchObject(OPEN_ERROR);
    gate.resolve('alive');
    await expect(probe).resolves.toBe('alive');
    await expect(succeed()).resolves.toBe('fine');
  });

  it('lets calls that can wait go on after the probe, or fail with it; an abort ends the waiting', async () => {
    const { clock, breaker, changes, fail } = setUp();
    const stopped = new AbortController();
    const waiting = () => breaker.run(async () => 'fine', new AbortController().signal);
    await fail(5);
    await clock.advance(30_000);
    const failed = Promise.withResolvers<string>();
    const all = [breaker.run(() => failed.promise), waiting(), waiting()];
    const given = breaker.run(async () => 'never', stopped.signal);
    stopped.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    failed.reject(new Error('their fault'));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await expect(all[1]).rejects.toMatchObject(OPEN_ERROR);
    await clock.advance(30_000);
    expect(await Promise.all([waiting(), waiting(), waiting()])).toEqual(['fine', 'fine', 'fine']);
    expect(changes.slice(3)).toEqual(['open > half-open', 'half-open > closed']);
  });

  it('closes when the probe succeeds, with a clean count', async () => {
    const { clock, breaker, changes, succeed, fail } = setUp();
    await fail(5);
    await clock.advance(30_000);
    await succeed();
    expect(changes).toEqual(['closed > open', 'open > half-open', 'half-open > closed']);
    await fail(4);
    expect(breaker.state).toBe('closed');
  });

  it('opens for another full 30 seconds when the probe fails, and may then probe again', async () => {
    const { clock, breaker, changes, succeed, fail } = setUp();
    await fail(5);
    await clock.advance(30_000);
    await fail();
    expect(breaker.state).toBe('open');
    expect(changes).toEqual(['closed > open', 'open > half-open', 'half-open > open']);
    await clock.advance(29_999);
    await expect(succeed()).rejects.toMatchObject(OPEN_ERROR);
    await clock.advance(1);
    await expect(succeed()).resolves.toBe('fine');
    expect(breaker.state).toBe('closed');
  });

  it('does not count errors that are not the fault of the other side, but still throws them', async () => {
    const { breaker, changes, fail } = setUp({ isFailure: () => false });
    await fail(20);
    expect(breaker.state).toBe('closed');
    expect(changes).toEqual([]);
  });

  it('neither counts nor forgives by an error of our own among theirs', async () => {
    const { breaker, fail } = setUp({ isFailure: (error) => !(error instanceof TypeError) });
    const ourBug = (): Promise<never> =>
      breaker.run(async () => {
        throw new TypeError('our fault');
      });
    await fail(4);
    await expect(ourBug()).rejects.toThrow('our fault');
    expect(breaker.state).toBe('closed');
    await fail();
    expect(breaker.state).toBe('open');
  });

  it('does not stay stuck in probing after a probe that ended in an error of our own', async () => {
    const { clock, breaker, succeed, fail } = setUp({ isFailure: (error) => !(error instanceof TypeError) });
    await fail(5);
    await clock.advance(30_000);
    const probe = breaker.run(async () => {
      throw new TypeError('our fault');
    });
    await expect(probe).rejects.toThrow('our fault');
    await expect(succeed()).resolves.toBe('fine');
    expect(breaker.state).toBe('closed');
  });

  it('learns nothing from a probe that ended in an error of our own: the next call probes', async () => {
    const { clock, breaker, changes, fail } = setUp({ isFailure: (error) => !(error instanceof TypeError) });
    await fail(5);
    await clock.advance(30_000);
    const probe = breaker.run(async () => {
      throw new TypeError('our fault');
    });
    await expect(probe).rejects.toThrow('our fault');
    expect(breaker.state).toBe('half-open');
    await fail();
    expect(breaker.state).toBe('open');
    expect(changes).toEqual(['closed > open', 'open > half-open', 'half-open > open']);
  });

  it('is not closed by a slow call that began before it opened', async () => {
    const { breaker, fail } = setUp();
    const slow = Promise.withResolvers<string>();
    const early = breaker.run(() => slow.promise);
    await fail(5);
    slow.resolve('late');
    await expect(early).resolves.toBe('late');
    expect(breaker.state).toBe('open');
  });

  it('does not stay open longer because a call from before fails late', async () => {
    const { clock, breaker, fail } = setUp();
    const slow = Promise.withResolvers<string>();
    const early = expect(breaker.run(() => slow.promise)).rejects.toThrow('late');
    await fail(5);
    await clock.advance(29_000);
    slow.reject(new Error('late'));
    await early;
    await clock.advance(1_000);
    expect(breaker.state).toBe('half-open');
  });

  it('waits the reset time it was given', async () => {
    const { clock, breaker, fail } = setUp({ resetTimeoutMs: 100 });
    await fail(5);
    await clock.advance(99);
    expect(breaker.state).toBe('open');
    await clock.advance(1);
    expect(breaker.state).toBe('half-open');
  });
});

describe('troubledBreakers', () => {
  it('tells of those that fail, and of nothing else', async () => {
    const { breaker, clock, fail, succeed } = setUp();
    const told = () => troubledBreakers([breaker, setUp().breaker]);
    expect(told()).toEqual([]);
    await fail();
    expect(told()).toEqual([{ name: 'quotes', state: 'closed' }]);
    await fail(4);
    expect(told()).toEqual([{ name: 'quotes', state: 'open' }]);
    await clock.advance(30_000);
    expect(told()).toEqual([{ name: 'quotes', state: 'half-open' }]);
    await succeed();
    expect(told()).toEqual([]);
  });
});
