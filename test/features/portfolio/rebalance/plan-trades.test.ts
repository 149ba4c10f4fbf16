import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { type PlanItem, planTrades, type PlanTerms } from '#src/features/portfolio/rebalance/plan-trades.ts';
import { percentShares } from '#src/features/portfolio/rebalance/rebalance-text.ts';

const item = (price: string, held: string, target: string, more: Partial<PlanItem> = {}): PlanItem => ({
  price: new Decimal(price),
  held: new Decimal(held),
  target: new Decimal(target),
  step: new Decimal(1),
  sellTax: () => new Decimal(0),
  ...more,
});

const terms = (given: Partial<Record<keyof PlanTerms, string>> = {}, canSell = true): PlanTerms => ({
  cash: new Decimal(given.cash ?? 0),
  cashTarget: new Decimal(given.cashTarget ?? 0),
  newMoney: new Decimal(given.newMoney ?? 0),
  canSell,
  band: new Decimal(given.band ?? 0),
  feePercent: new Decimal(given.feePercent ?? 0),
  decimals: 0,
});

const quantities = (items: readonly PlanItem[], given: PlanTerms): readonly string[] =>
  planTrades(items, given).trades.map(({ quantity }) => quantity.toFixed());

describe('trades towards target weights', () => {
  it.each([
    // 10 × 10,000 + 0 × 5,000 = 100,000; half of it is 5 and 10 pieces.
    [
      'from one share into two',
      [item('10000', '10', '50'), item('5000', '0', '50')],
      terms(),
      ['-5', '10'],
      '0',
    ],
    // 100,000 + 900,000: 40 % is 400,000 = 40 pieces, 30 % is 300,000 = 60 pieces, 30 % stays.
    [
      'out of cash, which keeps its share',
      [item('10000', '10', '40'), item('5000', '0', '30')],
      terms({ cash: '900000', cashTarget: '30' }),
      ['30', '60'],
      '300000',
    ],
    // 400,000 at 2,800 is 143 shares: one lot of 100, as a second would cost too much.
    [
      'in whole lots',
      [item('2800', '0', '40', { step: new Decimal(100) }), item('1000', '0', '40')],
      terms({ cash: '1000000', cashTarget: '20' }),
      ['100', '400'],
      '320000',
    ],
    // Of 180 shares only a lot can be sold.
    [
      'of no more than the whole lots that are held',
      [item('1000', '180', '10', { step: new Decimal(100) })],
      terms({ cashTarget: '90' }),
      ['-100'],
      '100000',
    ],
    // A holding that is no target is sold with its fractions.
    [
      'out of what is no target',
      [item('100', '2.5', '0'), item('10', '0', '100')],
      terms(),
      ['-2.5', '25'],
      '0',
    ],
    // 55 % and 45 %: both within five points of 50.
    [
      'of nothing within the band',
      [item('1', '55', '50'), item('1', '45', '50')],
      terms({ band: '5' }),
      ['0', '0'],
      '0',
    ],
    // 1,000 with 10 in fees for each 1,000 traded: nine pieces of 100 cost 909.
    [
      'with fees, which must be paid, too',
      [item('100', '0', '100')],
      terms({ cash: '1000', feePercent: '1' }),
      ['9'],
      '91',
    ],
    // Owed money is paid back first: 1,000 − 200 = 800 of value, two pieces of 100 go.
    ['until nothing is owed', [item('100', '10', '100')], terms({ cash: '-200' }), ['-2'], '0'],
    // 9 × 445 + 59 × 102 = 10,023 is too much: the piece that was rounded up most is left out, not the dearer one.
    [
      'by leaving out the cheapest rounding',
      [item('445', '0', '40'), item('102', '0', '60')],
      terms({ cash: '10000' }),
      ['9', '58'],
      '79',
    ],
  ])('are made %s', (_case, items, given, expected, left) => {
    expect(quantities(items, given)).toEqual(expected);
    expect(planTrades(items, given).cashAfter.toFixed()).toBe(left);
  });

  it('spends new money on the largest gaps, and sells nothing', () => {
    // 600 + 200 + 400 = 1,200; half each is 600: nothing for the first, 400 for the second.
    const items = [item('100', '6', '50'), item('50', '4', '50')];
    expect(quantities(items, terms({ newMoney: '400' }, false))).toEqual(['0', '8']);
    // The first is above its target, and still nothing is sold.
    expect(quantities(items, terms({ newMoney: '100' }, false))).toEqual(['0', '2']);
    // Coins are divided.
    const coin = item('100000', '0', '100', { step: new Decimal('0.00000001') });
    expect(quantities([coin], terms({ newMoney: '12345' }, false))).toEqual(['0.12345']);
  });

  const anyItems = fc
    .array(
      fc.record({
        price: fc.integer({ min: 1, max: 500_000 }),
        held: fc.integer({ min: 0, max: 200 }),
        weight: fc.integer({ min: 0, max: 20 }),
        isTaxed: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .chain((some) =>
      fc.tuple(fc.constant(some), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5_000_000 })),
    )
    .filter(([some, cashWeight]) => some.some(({ weight }) => weight > 0) || cashWeight > 0)
    .map(([some, cashWeight, cash]) => {
      const all = some.reduce((sum, { weight }) => sum + weight, cashWeight);
      const percent = (weight: number): Decimal => new Decimal(weight).times(100).dividedBy(all);
      return {
        items: some.map(({ price, held, weight, isTaxed }): PlanItem => ({
          ...item(String(price), String(held), '0'),
          target: percent(weight),
          sellTax: (quantity) => new Decimal(isTaxed ? price : 0).times(quantity).times('0.002').floor(),
        })),
        cash: String(cash),
        cashTarget: percent(cashWeight).toFixed(),
      };
    });

  it('leaves every holding within one share and the charges of its target, and never owes money', () => {
    fc.assert(
      fc.property(anyItems, fc.constantFrom('0', '0.25'), ({ items, ...given }, feePercent) => {
        const { total, trades, cashAfter } = planTrades(items, terms({ ...given, feePercent }));
        expect(cashAfter.isNegative()).toBe(false);
        const charges = trades.reduce((sum, { fee, tax }) => sum.plus(fee).plus(tax), new Decimal(0));
        let after = new Decimal(cashAfter);
        for (const [index, { price, held, target }] of items.entries()) {
          const pieces = held.plus(trades[index]?.quantity ?? 0);
          expect(pieces.isNegative()).toBe(false);
          const worth = price.times(pieces);
          after = after.plus(worth);
          const off = worth.minus(total.times(target).dividedBy(100)).abs();
          // Two shares if fees cost as much as one.
          const allowed = price.times(charges.isZero() ? 1 : 2).plus(charges);
          expect(off.lessThanOrEqualTo(allowed.plus('0.0001'))).toBe(true);
        }
        // Nothing is lost but the charges.
        expect(after.plus(charges).toFixed()).toBe(total.toFixed());
      }),
      { numRuns: 60 },
    );
  });

  it('never spends more than the new money, and buys only holdings below their target', () => {
    fc.assert(
      fc.property(anyItems, fc.integer({ min: 1, max: 3_000_000 }), ({ items, ...given }, newMoney) => {
        const plan = planTrades(
          items,
          terms({ ...given, newMoney: String(newMoney), feePercent: '0.1' }, false),
        );
        const spent = plan.trades.reduce(
          (sum, { amount, fee, tax }) => sum.plus(amount).plus(fee).plus(tax),
          new Decimal(0),
        );
        expect(spent.lessThanOrEqualTo(newMoney)).toBe(true);
        expect(plan.cashAfter.toFixed()).toBe(new Decimal(given.cash).plus(newMoney).minus(spent).toFixed());
        for (const [index, { quantity }] of plan.trades.entries()) {
          const { price, held, target } = items[index] ?? item('1', '0', '0');
          expect(quantity.isNegative()).toBe(false);
          const isAbove = price.times(held).greaterThanOrEqualTo(plan.total.times(target).dividedBy(100));
          if (isAbove) expect(quantity.isZero()).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

it('shows shares that add up to 100.0', () => {
  const shares = percentShares(['1', '1', '1'].map((part) => new Decimal(part)));
  expect(shares.map(String)).toEqual(['33.4', '33.3', '33.3']);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 }),
      (parts) => {
        const sum = percentShares(parts.map((part) => new Decimal(part))).reduce(
          (a, b) => a.plus(b),
          new Decimal(0),
        );
        expect(sum.toFixed()).toBe(parts.some((part) => part > 0) ? '100' : '0');
      },
    ),
    { numRuns: 50 },
  );
});
