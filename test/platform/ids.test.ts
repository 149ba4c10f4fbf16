import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { InboxId } from '#src/kernel/ids.ts';
import { newErrorId, newId } from '#src/platform/ids.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const make = (count: number): readonly string[] => Array.from({ length: count }, () => newId<InboxId>());
const isStrictlyIncreasing = (ids: readonly string[]): boolean =>
  ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id);
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('newId', () => {
  it('carries the time of its making', () => {
    const before = Date.now();
    const time = timeOf(newId<InboxId>());
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('is a valid UUIDv7, and text order is the order of making, however many are made at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6_000 }), (count) => {
        const ids = make(count);
        expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
        expect(isStrictlyIncreasing(ids)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the order when a single millisecond needs more ids than its counter holds', () => {
    const frozen = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(frozen);
    const ids = make(3 * 4_096 + 1);
    expect(isStrictlyIncreasing(ids)).toBe(true);
    expect(new Set(ids.map(timeOf))).toEqual(new Set([frozen, frozen + 1, frozen + 2, frozen + 3]));
  });

  it('keeps the order when the clock of the machine is set back', () => {
    const start = Date.now() + 120_000;
    const now = vi.spyOn(Date, 'now').mockReturnValue(start);
    const before = make(3);
    now.mockReturnValue(start - 3_600_000);
    expect(isStrictlyIncreasing([...before, ...make(3)])).toBe(true);
  });

  it('cannot be guessed from its neighbour: the tail is random', () => {
    const tails = make(500).map((id) => id.slice(19));
    expect(new Set(tails).size).toBe(500);
  });

  it('stays whole, unique and in order over many portions of chance, and no tail comes twice', () => {
    const ids = make(30_000);
    expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
    expect(isStrictlyIncreasing(ids)).toBe(true);
    expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
  });

  it('shares no part of its chance with its neighbour', () => {
    const tails = make(2_000).map((id) => id.slice(19).replace('-', ''));
    const shared = tails.filter((tail, index) => tails[index - 1]?.slice(9) === tail.slice(1, 8));
    // Two of 28 bits may be the same by chance once in a hundred thousand runs.
    expect(shared.length).toBeLessThan(2);
  });

  it('has no digit of its tail that chance leaves alone', () => {
    const tails = make(2_000).map((id) => id.slice(19).replace('-', ''));
    const seen = Array.from({ length: 16 }, (_, place) => new Set(tails.map((tail) => tail[place])).size);
    // The first digit also carries the variant, which leaves it four values.
    expect(seen).toEqual([4, ...Array.from({ length: 15 }, () => 16)]);
  });
});

describe('newErrorId', () => {
  it('is eight hex digits and a new one each time', () => {
    const ids = Array.from({ length: 100 }, newErrorId);
    expect(ids.filter((id) => !/^[0-9a-f]{8}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBeGreaterThan(95);
  });
});
