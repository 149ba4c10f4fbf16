import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withEnough } from '#src/markets/performance/figure.ts';
import {
  alignReturns,
  beta,
  concentrationOf,
  correlation,
  historicalVar,
  maxDrawdown,
  sharpe,
  sortino,
  volatility,
} from '#src/markets/performance/risk.ts';
import {
  dailyReturns,
  type FlowPoint,
  timeWeightedReturn,
} from '#src/markets/performance/time-weighted-return.ts';
import { xirr } from '#src/markets/performance/xirr.ts';

const move = fc.double({ min: -0.2, max: 0.2, noNaN: true });
const money = fc.integer({ min: 1, max: 1_000_000 });
const OPTIONS = { periodsPerYear: 252, riskFreeRate: 0 };

const yearly = (...amounts: readonly number[]) =>
  amounts.map((amount, year) => ({ day: year * 365, amount }));

const day = (value: number, inflow = 0, outflow = 0): FlowPoint => ({ day: 0, value, inflow, outflow });

const returnsOf = (...points: readonly FlowPoint[]) => {
  const found = dailyReturns(points);
  return found.status === 'ok' ? found.value.map(({ value }) => value) : found;
};

describe('figures of performance', () => {
  it('TWR is independent of deposits at the previous value and withdrawals at the value of the day', () => {
    const days = fc.array(
      fc.record({
        move,
        paysIn: money,
        takes: fc.double({ min: 0, max: 0.9, noNaN: true }),
        kind: fc.nat(2),
      }),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(money, days, (start, steps) => {
        const [plain, moved]: [FlowPoint[], FlowPoint[]] = [[], []];
        plain.push({ day: 0, value: start, inflow: 0, outflow: 0 });
        moved.push({ day: 0, value: start, inflow: 0, outflow: 0 });
        for (const [index, { move: change, paysIn, takes, kind }] of steps.entries()) {
          const [before, movedBefore] = [plain.at(-1)?.value ?? 0, moved.at(-1)?.value ?? 0];
          plain.push({ day: index + 1, value: before * (1 + change), inflow: 0, outflow: 0 });
          const inflow = kind === 1 ? paysIn : 0;
          const end = (movedBefore + inflow) * (1 + change);
          const outflow = kind === 2 ? end * takes : 0;
          moved.push({ day: index + 1, value: end - outflow, inflow, outflow });
        }
        const [one, other] = [timeWeightedReturn(plain), timeWeightedReturn(moved)];
        if (one.status !== 'ok' || other.status !== 'ok') throw new Error('no return');
        expect(other.value.total).toBeCloseTo(one.value.total, 6);
      }),
      { numRuns: 60 },
    );
  });

  it('XIRR makes the net present value zero, and always terminates', () => {
    const flows = fc.array(
      fc.record({ day: fc.nat(1_500), amount: fc.integer({ min: -10_000, max: 10_000 }) }),
      {
        maxLength: 12,
      },
    );
    let solved = 0;
    fc.assert(
      fc.property(flows, (given) => {
        const found = xirr(given);
        if (found.status !== 'ok') return;
        solved += 1;
        expect(found.value).toBeGreaterThan(-1);
        const first = Math.min(...given.map(({ day }) => day));
        const parts = given.map(({ day, amount }) => amount / (1 + found.value) ** ((day - first) / 365));
        const worth = parts.reduce((sum, part) => sum + part, 0);
        const size = parts.reduce((sum, part) => sum + Math.abs(part), 0);
        expect(Math.abs(worth) / size).toBeLessThan(1e-9);
      }),
      { numRuns: 150 },
    );
    expect(solved).toBeGreaterThan(20);
  });

  it('XIRR has no result for one flow, for flows of one direction, and if several rates fit', () => {
    expect(xirr(yearly(-100))).toEqual({ status: 'too-few', needs: 2, has: 1 });
    expect(xirr(yearly(-100, -50))).toEqual({ status: 'undefined', reason: 'no-rate' });
    // 10 % and 20 % both fit.
    expect(xirr(yearly(-100, 230, -132))).toEqual({ status: 'undefined', reason: 'several-rates' });
    expect(xirr(yearly(100, -230, 140))).toEqual({ status: 'undefined', reason: 'no-rate' });
    // A loss of half within days annualizes to almost everything.
    const days = [
      { day: 0, amount: -2 },
      { day: 6, amount: 1 },
    ];
    expect(xirr(days)).toEqual({ status: 'undefined', reason: 'no-rate' });
    // Paid in, taken out and paid in again, with one rate that fits.
    expect(xirr(yearly(-100, 60, -50, 120))).toMatchObject({ status: 'ok' });
  });

  it('a drawdown is between zero and one, with its low after its high and the recovery after that', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 60 }),
        (all) => {
          const found = maxDrawdown(all.map((value, day) => ({ day, value })));
          if (found.status !== 'ok') throw new Error('no drawdown');
          const { depth, peakDay, troughDay, recoveryDay = Infinity } = found.value;
          expect(depth).toBeGreaterThanOrEqual(0);
          expect(depth).toBeLessThanOrEqual(1);
          expect(peakDay).toBeLessThanOrEqual(troughDay);
          expect(recoveryDay).toBeGreaterThan(troughDay);
          if (depth > 0) expect(1 - (all[troughDay] ?? 0) / (all[peakDay] ?? 0)).toBeCloseTo(depth, 12);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a series has a beta of 1 to itself and of 0.5 to twice itself, and a correlation of 1 to both', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 20, maxLength: 60 }), (returns) => {
        fc.pre(Math.max(...returns) - Math.min(...returns) > 1e-6);
        const twice = returns.map((value) => value * 2);
        expect(beta({ one: returns, other: returns })).toMatchObject({
          status: 'ok',
          value: expect.closeTo(1, 9),
        });
        expect(beta({ one: returns, other: twice })).toMatchObject({ value: expect.closeTo(0.5, 9) });
        expect(correlation({ one: returns, other: twice })).toMatchObject({
          value: expect.closeTo(1, 9),
        });
      }),
      { numRuns: 40 },
    );
  });

  it('are never NaN or infinite, whatever the returns are', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 10, noNaN: true }), { maxLength: 130 }), (returns) => {
        const figures = [
          volatility(returns, 252),
          sharpe(returns, OPTIONS),
          sortino(returns, OPTIONS),
          historicalVar(returns, 0.95),
          beta({ one: returns, other: returns.toReversed() }),
        ];
        for (const figure of figures)
          if (figure.status === 'ok') expect(figure.value).toSatisfy(Number.isFinite);
      }),
      { numRuns: 60 },
    );
    const flat = Array<number>(50).fill(0.01);
    expect(sharpe(flat, OPTIONS)).toEqual({ status: 'undefined', reason: 'no-movement' });
    expect(sortino(flat, OPTIONS)).toEqual({ status: 'undefined', reason: 'no-downside' });
    const stillMarket = { one: flat, other: flat.map(() => 0.5) };
    expect(beta(stillMarket)).toEqual({ status: 'undefined', reason: 'no-movement' });
    expect(correlation(stillMarket)).toEqual({ status: 'undefined', reason: 'no-movement' });
    expect(historicalVar(flat, 0.95)).toEqual({ status: 'ok', value: 0 });
    const figure = () => volatility(flat, 252);
    expect(withEnough(flat, 51, figure)).toEqual({ status: 'too-few', needs: 51, has: 50 });
    expect(withEnough(flat, 50, figure)).toEqual(figure());
  });

  it('returns are aligned on the days that both series have', () => {
    const one = { days: [1, 2, 3, 6, 7], values: [100, 110, 121, 242, 242] };
    const other = { days: [0, 1, 3, 4, 6], values: [9, 10, 20, 5, 30] };
    const { one: own, other: others } = alignReturns(one, other);
    expect(own).toEqual([expect.closeTo(0.21, 12), 1]);
    expect(others).toEqual([1, 0.5]);
  });

  it('reinvested proceeds are no flow, and a day trade has its own return', () => {
    expect(returnsOf(day(1_000), day(1_100, 1_100, 1_100))).toEqual([expect.closeTo(0.1, 12)]);
    expect(returnsOf(day(0), day(0, 1_000, 1_100))).toEqual([expect.closeTo(0.1, 12)]);
    // A dividend after the last sale, and a fee of an empty account.
    expect(returnsOf(day(0), day(0, 0, 50), day(0, 10, 0), day(100, 100, 0))).toEqual([0]);
    expect(returnsOf(day(100), day(-20), day(5))).toEqual({ status: 'undefined', reason: 'negative-value' });
  });

  it('concentration covers one position, four equal ones, and a short position by its size', () => {
    expect(concentrationOf([500])).toMatchObject({
      largest: 1,
      topFive: 1,
      herfindahl: 1,
      effectiveNumber: 1,
    });
    expect(concentrationOf([1, 1, 1, 1])).toMatchObject({
      largest: 0.25,
      herfindahl: 0.25,
      effectiveNumber: 4,
    });
    expect(concentrationOf([3, -1])).toMatchObject({ largest: 0.75, count: 2 });
    expect(concentrationOf([0])).toBeUndefined();
  });
});
