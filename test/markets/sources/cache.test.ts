import { expect, it } from 'vitest';
import { Cache } from '#src/markets/sources/cache.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

it('a cache holds as much as it may weigh, and always the newest', () => {
  const cache = new Cache<string>({
    clock: new ManualClock(),
    maxEntries: 10,
    weigh: ({ length }) => length,
    maxWeight: 6,
  });
  cache.set('a', 'aaa', 1_000);
  cache.set('b', 'bbb', 1_000);
  // In the place of the old one, not beside it.
  cache.set('b', 'bbb', 1_000);
  expect([cache.get('a'), cache.get('b')]).toEqual(['aaa', 'bbb']);
  cache.set('c', 'c', 1_000);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 'bbb', 'c']);
  cache.set('d', 'far too much', 1_000);
  expect([cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([undefined, undefined, 'far too much']);
});

it('a cache does not keep what has expired while the machine slept', () => {
  let now = Temporal.Instant.from('2026-11-13T13:00:00Z');
  // The monotonic clock does not count sleep.
  const clock = { now: () => now, monotonicMs: () => 0, after: () => () => undefined };
  const cache = new Cache<string>({ clock, maxEntries: 10 });
  cache.set('a', 'a', 600_000);
  expect(cache.get('a')).toBe('a');
  now = now.add({ hours: 72 });
  expect(cache.get('a')).toBeUndefined();
});

it('a cache does not keep what has expired', async () => {
  const clock = new ManualClock();
  const cache = new Cache<string>({ clock, maxEntries: 10 });
  cache.set('a', 'a', 1_000);
  cache.set('b', 'b', 1_000);
  await clock.advance(1_000);
  expect(cache.get('a')).toBeUndefined();
  cache.set('c', 'c', 1_000);
  expect(cache.size).toBe(1);
});
