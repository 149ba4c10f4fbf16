import { type Figure, noFigure, tooFew } from './figure.ts';

/** What a portfolio was worth at the end of a day, and what came from outside and left on it, both above zero. */
export interface FlowPoint {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly value: number;
  readonly inflow: number;
  readonly outflow: number;
}

/** A fraction: 0.01 is 1 %. */
export interface DayReturn {
  readonly day: number;
  readonly value: number;
}

export interface TimeWeightedReturn {
  /** Over the whole time. */
  readonly total: number;
  /** Only for a year or more: less says nothing about one. */
  readonly annual: number | undefined;
  readonly days: number;
}

const DAYS_OF_YEAR = 365;
const MIN_POINTS = 2;

/** Undefined where there was nothing on which anything could be earned; null where it was less than nothing. */
const returnOf = (before: number, { value, inflow, outflow }: FlowPoint): number | null | undefined => {
  // A dividend that comes late, or a fee of an empty account, is no return on anything.
  if (before === 0 && value === 0 && (inflow === 0 || outflow === 0)) return undefined;
  // What is sold to buy something else did not leave: only what is left of the day's flows counts.
  const net = inflow - outflow;
  const isNet = before + Math.max(net, 0) > 0 && !(before === 0 && value === 0);
  const [comesIn, goesOut] = isNet ? [Math.max(net, 0), Math.max(-net, 0)] : [inflow, outflow];
  const [capital, end] = [before + comesIn, value + goesOut];
  return capital > 0 && end >= 0 ? end / capital - 1 : null;
};

/**
 * One return a day: (value + what left) / (value of the day before + what came) - 1. What comes counts from the
 * beginning of its day, what leaves until the end. Days on which nothing was held have none.
 */
export const dailyReturns = (points: readonly FlowPoint[]): Figure<readonly DayReturn[]> => {
  const returns: DayReturn[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (!before) continue;
    const value = returnOf(before.value, point);
    if (value === null || (value !== undefined && !Number.isFinite(value))) return noFigure('negative-value');
    if (value !== undefined) returns.push({ day: point.day, value });
  }
  return { status: 'ok', value: returns };
};

/** What one unit at the start became, day by day; the first is the start itself. */
export const growthOf = (start: number, returns: readonly DayReturn[]): readonly DayReturn[] => {
  let growth = 1;
  return [
    { day: start, value: growth },
    ...returns.map(({ day, value }) => {
      growth *= 1 + value;
      return { day, value: growth };
    }),
  ];
};

/** The return of what was held, whatever was paid in or taken out in between: daily returns linked. */
export const timeWeightedReturn = (points: readonly FlowPoint[]): Figure<TimeWeightedReturn> => {
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
