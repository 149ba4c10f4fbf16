import { type PerformanceFigure, noFigure, tooFew } from './figure.ts';
import type { DayValue } from './risk.ts';

/** A portfolio's value at the end of a day, and the day's inflow and outflow, both non-negative. */
export interface FlowPoint extends DayValue {
  readonly inflow: number;
  readonly outflow: number;
}

interface TimeWeightedReturn {
  /** The return over the whole period. */
  readonly total: number;
  /** Undefined for less than a year, which cannot be annualized meaningfully. */
  readonly annual: number | undefined;
  readonly days: number;
}

const DAYS_OF_YEAR = 365;
const MIN_POINTS = 2;

/** Undefined if there was no capital, and null if it was negative. */
const returnOf = (before: number, { value, inflow, outflow }: FlowPoint): number | null | undefined => {
  // A late dividend or a fee of an empty account is not a return on capital.
  if (before === 0 && value === 0 && (inflow === 0 || outflow === 0)) return undefined;
  // Only the net flow of the day counts, because proceeds may be reinvested the same day.
  const net = inflow - outflow;
  const isNet = before + Math.max(net, 0) > 0 && !(before === 0 && value === 0);
  const [comesIn, goesOut] = isNet ? [Math.max(net, 0), Math.max(-net, 0)] : [inflow, outflow];
  const [capital, end] = [before + comesIn, value + goesOut];
  return capital > 0 && end >= 0 ? end / capital - 1 : null;
};

/**
 * One return per day as a fraction: (value + outflow) / (previous value + inflow) - 1. Inflows count from the start of
 * their day, outflows until its end. Days without holdings have no return.
 */
export const dailyReturns = (points: readonly FlowPoint[]): PerformanceFigure<readonly DayValue[]> => {
  const returns: DayValue[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (!before) continue;
    const value = returnOf(before.value, point);
    if (value === null || (value !== undefined && !Number.isFinite(value))) return noFigure('negative-value');
    if (value !== undefined) returns.push({ day: point.day, value });
  }
  return { status: 'ok', value: returns };
};

/** The growth of one unit, day by day, beginning with the start day. */
export const growthOf = (start: number, returns: readonly DayValue[]): readonly DayValue[] => {
  let growth = 1;
  return [
    { day: start, value: growth },
    ...returns.map(({ day, value }) => {
      growth *= 1 + value;
      return { day, value: growth };
    }),
  ];
};

/** Linked daily returns, independent of deposits and withdrawals. */
export const timeWeightedReturn = (points: readonly FlowPoint[]): PerformanceFigure<TimeWeightedReturn> => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < MIN_POINTS) return tooFew(MIN_POINTS, points.length);
  const returns = dailyReturns(points);
  if (returns.status !== 'ok') return returns;
  if (returns.value.length === 0) return tooFew(1, 0);
  const growth = growthOf(first.day, returns.value).at(-1)?.value ?? 1;
  const days = last.day - first.day;
  return {
    status: 'ok',
    value: {
      total: growth - 1,
      annual: days >= DAYS_OF_YEAR ? growth ** (DAYS_OF_YEAR / days) - 1 : undefined,
      days,
    },
  };
};
