import { describe, expect, it } from 'vitest';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import type { PerformanceFigure } from '#src/markets/performance/figure.ts';
import {
  beta,
  correlation,
  maxDrawdown,
  percentile,
  sharpe,
  sortino,
  volatility,
} from '#src/markets/performance/risk.ts';
import {
  type FlowPoint,
  growthOf,
  timeWeightedReturn,
} from '#src/markets/performance/time-weighted-return.ts';
import { xirr } from '#src/markets/performance/xirr.ts';

const valueOf = <T>(figure: PerformanceFigure<T>): T => {
  if (figure.status !== 'ok') throw new Error(`no figure: ${JSON.stringify(figure)}`);
  return figure.value;
};

const dayOf = (date: string): number => epochDay(Temporal.PlainDate.from(date));

const returnsOf = (returns: readonly number[]) => returns.map((value, index) => ({ day: index + 1, value }));

const ONE_A_YEAR = { periodsPerYear: 1, riskFreeRate: 0 };
const DAILY = { periodsPerYear: 252, riskFreeRate: 0 };

/**
 * Carl Bacon, Practical Portfolio Performance Measurement and Attribution, 2nd edition (2008), pages 65 and 66: monthly
 * returns of a portfolio and its benchmark. Seen as copied into the data set `portfolio_bacon` of R's
 * PerformanceAnalytics, not in the book.
 */
const BACON = [
  0.003, 0.026, 0.011, -0.01, 0.015, 0.025, 0.016, 0.067, -0.014, 0.04, -0.005, 0.081, 0.04, -0.037, -0.061,
  0.017, -0.049, -0.022, 0.07, 0.058, -0.065, 0.024, -0.005, -0.009,
];
const BACON_BENCHMARK = [
  0.002, 0.025, 0.018, -0.011, 0.014, 0.018, 0.014, 0.065, -0.015, 0.042, -0.006, 0.083, 0.039, -0.038,
  -0.062, 0.015, -0.048, 0.021, 0.06, 0.056, -0.067, 0.019, -0.003, 0,
];
/** From the tests of quantopian/empyrical (`test_stats.py`), in percent per day. */
const EMPYRICAL_MIXED = [1, 10, -4, 2, 3, 2, 1, -10].map((percent) => percent / 100);
const EMPYRICAL_NEGATIVE = [-6, -7, -1, -9, -2, -6, -8, -5].map((percent) => percent / 100);

describe('published examples', () => {
  it("XIRR: the example of Excel's documentation comes to 37.3362535 %", () => {
    const flows = [
      { day: dayOf('2008-01-01'), amount: -10_000 },
      { day: dayOf('2008-03-01'), amount: 2_750 },
      { day: dayOf('2008-10-30'), amount: 4_250 },
      { day: dayOf('2009-02-15'), amount: 3_250 },
      { day: dayOf('2009-04-01'), amount: 2_750 },
    ];
    // Excel stops a little early, so its ninth digit differs.
    expect(valueOf(xirr(flows))).toBeCloseTo(0.373362535, 8);
    expect(valueOf(xirr(flows.toReversed()))).toBeCloseTo(0.373362535, 8);
  });

  // Investopedia, "Time-Weighted Rate of Return"; seen in copies (a document on Scribd, and a blog for the second half).
  it('TWR: two investors of one fund did the same 9.79 %, though one paid in and one took out', () => {
    const start = { day: dayOf('2025-12-31'), value: 1_000_000, inflow: 0, outflow: 0 };
    const [middle, end] = [dayOf('2026-08-15'), dayOf('2026-12-31')];
    const one: readonly FlowPoint[] = [
      start,
      { day: middle, value: 1_162_484, inflow: 0, outflow: 0 },
      { day: end, value: 1_192_328, inflow: 100_000, outflow: 0 },
    ];
    const other: readonly FlowPoint[] = [
      start,
      { day: middle, value: 1_062_484, inflow: 0, outflow: 100_000 },
      { day: end, value: 1_003_440, inflow: 0, outflow: 0 },
    ];
    for (const points of [one, other]) {
      const { total, annual } = valueOf(timeWeightedReturn(points));
      expect(total).toBeCloseTo(0.0979, 4);
      expect(annual).toBeCloseTo(total, 12);
      // A period of less than a year is not annualized.
      expect(valueOf(timeWeightedReturn(points.slice(0, 2))).annual).toBeUndefined();
    }
  });

  // mathcelebrity.com, "Time Weighted Rate of Interest".
  it('TWR: 100,000 grows to 112,000, gets 30,000, falls to 125,000, gives 42,000 and ends at 100,000: 18.78 %', () => {
    const points: readonly FlowPoint[] = [
      { day: 0, value: 100_000, inflow: 0, outflow: 0 },
      { day: 59, value: 112_000, inflow: 0, outflow: 0 },
      { day: 60, value: 142_000, inflow: 30_000, outflow: 0 },
      { day: 212, value: 83_000, inflow: 0, outflow: 42_000 },
      { day: 365, value: 100_000, inflow: 0, outflow: 0 },
    ];
    expect(valueOf(timeWeightedReturn(points)).total).toBeCloseTo(0.1878, 4);
  });

  it("Sharpe: Bacon's portfolio and benchmark, and the daily series of empyrical", () => {
    // As in the tests of a library named PortfolioAnalytics. With the deviation of a population it would be 0.2325.
    expect(valueOf(sharpe(BACON, ONE_A_YEAR))).toBeCloseTo(0.22756845566, 10);
    expect(valueOf(sharpe(BACON_BENCHMARK, ONE_A_YEAR))).toBeCloseTo(0.26162488956, 10);
    expect(valueOf(sharpe(EMPYRICAL_MIXED, DAILY))).toBeCloseTo(1.7238613961706866, 10);
  });

  it("Sortino: the example of Rollinger and Hoffman's “Sortino: A ‘Sharper’ Ratio” is 4.417", () => {
    const returns = [0.17, 0.15, 0.23, -0.05, 0.12, 0.09, 0.13, -0.04];
    // Seen in copies of the example. Over the two bad years alone it would be 2.21.
    expect(valueOf(sortino(returns, ONE_A_YEAR))).toBeCloseTo(4.417, 3);
    expect(valueOf(sortino(returns, { ...ONE_A_YEAR, riskFreeRate: 0.03 }))).toBeCloseTo(1.863, 3);
    expect(valueOf(sortino(EMPYRICAL_MIXED, DAILY))).toBeCloseTo(2.605531251673693, 10);
  });

  it('volatility and maximum drawdown: the series of empyrical', () => {
    expect(valueOf(volatility(EMPYRICAL_MIXED, 252))).toBeCloseTo(0.9136465399704637, 10);
    const depthOf = (returns: readonly number[]): number =>
      valueOf(maxDrawdown(growthOf(0, returnsOf(returns)))).depth;
    expect(depthOf(EMPYRICAL_MIXED)).toBeCloseTo(0.1, 10);
    expect(depthOf([0, ...EMPYRICAL_NEGATIVE])).toBeCloseTo(0.365907303498736, 10);
    expect(depthOf([0.1, -0.1, 0.1])).toBeCloseTo(0.1, 10);
  });

  // howigrowmywealth.com, "Drawdown": 1,000 in June, 800 in July, 1,100 in September, 700 in October.
  it('maximum drawdown: of two falls the deeper one, from its own high', () => {
    const values = [1_000, 800, 1_100, 700, 1_100].map((value, day) => ({ day, value }));
    const found = valueOf(maxDrawdown(values.slice(0, 4)));
    expect(found).toEqual({ depth: 400 / 1_100, peakDay: 2, troughDay: 3, recoveryDay: undefined });
    expect(valueOf(maxDrawdown(values)).recoveryDay).toBe(4);
  });

  it("beta and correlation: Bacon's portfolio to its benchmark, and the series of empyrical", () => {
    const bacon = { one: BACON, other: BACON_BENCHMARK };
    // In exact arithmetic, by the tests of another library's linear regression over these 24 months.
    expect(valueOf(beta(bacon))).toBeCloseTo(0.9988502086225746, 12);
    expect(valueOf(correlation(bacon))).toBeCloseTo(0.9693858148753051, 12);
    const mixed = { one: EMPYRICAL_MIXED, other: EMPYRICAL_NEGATIVE };
    expect(valueOf(beta(mixed))).toBeCloseTo(-0.7129629629629631, 12);
    // By hand: deviations (-1, 0, 1) and (-1, 1, 0): 1 / √(2 · 2).
    expect(valueOf(correlation({ one: [1, 2, 3], other: [1, 3, 2] }))).toBeCloseTo(0.5, 12);
    expect(valueOf(correlation({ one: [1, 2, 3], other: [-2, -4, -6] }))).toBeCloseTo(-1, 12);
  });

  it("value at risk: the quantile is that of Excel's PERCENTILE.INC", () => {
    // Microsoft's example: PERCENTILE.INC({1,2,3,4}, 0.3) = 1.9.
    expect(percentile([1, 3, 2, 4], 0.3)).toBeCloseTo(1.9, 12);
  });
});
