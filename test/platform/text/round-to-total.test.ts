import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { shownPairs, shownParts } from '#src/platform/text/round-to-total.ts';

const anyAmount = fc.integer({ min: -1e9, max: 1e9 }).map((whole) => new Decimal(whole).div(10_000));
const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), new Decimal(0));

describe('parts that are shown with their total', () => {
  it('add up to it, are off by less than a unit, and stay as they are where nothing is to be rounded', () => {
    fc.assert(
      fc.property(
        fc.array(anyAmount, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(0, 2),
        (parts, digits) => {
          const total = sum(parts);
          const shown = shownParts(parts, total, digits);
          expect(sum(shown).toFixed()).toBe(total.toDecimalPlaces(digits, Decimal.ROUND_HALF_CEIL).toFixed());
          for (const [index, part] of parts.entries()) {
            const off = part
              .minus(shown[index] ?? 0)
              .abs()
              .times(10 ** digits);
            expect(off.lessThan(1)).toBe(true);
            if (part.decimalPlaces() <= digits) expect(off.isZero()).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(anyAmount, anyAmount), { minLength: 1, maxLength: 12 }), (pairs) => {
        const totals = pairs.map(([a, b]) => a.plus(b));
        const all = sum(totals);
        const [firsts = all] = shownParts([sum(pairs.map(([a]) => a)), sum(pairs.map(([, b]) => b))], all, 2);
        const rows = shownParts(totals, all, 2).map((shown, index) => ({
          shown,
          parts: pairs[index] ?? ([all, all] as const),
        }));
        const shown = shownPairs(rows, firsts, 2);
        for (const [index, [a, b]] of shown.entries())
          expect(a.plus(b).toFixed()).toBe(rows[index]?.shown.toFixed());
        expect(sum(shown.map(([a]) => a)).toFixed()).toBe(firsts.toFixed());
      }),
      { numRuns: 100 },
    );
    const [price, rate] = shownParts(
      [new Decimal('-234.994'), new Decimal('-39.814')],
      new Decimal('-274.808'),
      2,
    );
    expect([price?.toFixed(), rate?.toFixed()]).toEqual(['-234.99', '-39.82']);
    expect(shownParts([new Decimal('1.5')], new Decimal(9), 0)[0]?.toFixed()).toBe('2');
  });
});
