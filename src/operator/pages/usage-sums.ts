import { Decimal } from '#src/kernel/money.ts';
import type { DailyUsage, UsageReport } from '#src/kernel/operations/operator.ts';

export const PERIODS = [1, 7, 30, 90] as const;
type Period = (typeof PERIODS)[number];
const DEFAULT_PERIOD: Period = 7;

/** The number of days in the address. */
export const periodIn = (query: URLSearchParams): Period =>
  PERIODS.find((days) => String(days) === query.get('days')) ?? DEFAULT_PERIOD;

/** How the bars of the chart are divided. */
export const DIVISIONS = ['all', 'model', 'channel', 'person'] as const;
export type Division = (typeof DIVISIONS)[number];

export const divisionIn = (query: URLSearchParams): Division =>
  DIVISIONS.find((division) => division === query.get('by')) ?? 'all';

/** On a phone, the wide chart would be shrunk until nobody could read its labels. */
export const CHART_SIZES = {
  wide: { width: 720, height: 240 },
  narrow: { width: 280, height: 200 },
} as const;

type Sums = Pick<
  DailyUsage,
  'requestCount' | 'failedCount' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'unpricedCount'
>;

const NOTHING: Sums = {
  requestCount: 0,
  failedCount: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: new Decimal(0),
  unpricedCount: 0,
};

const sum = (all: readonly Sums[]): Sums => {
  let [requestCount, failedCount, inputTokens, outputTokens, unpricedCount] = [0, 0, 0, 0, 0];
  for (const one of all) {
    requestCount += one.requestCount;
    failedCount += one.failedCount;
    inputTokens += one.inputTokens;
    outputTokens += one.outputTokens;
    unpricedCount += one.unpricedCount;
  }
  const costUsd = all.length === 0 ? NOTHING.costUsd : Decimal.sum(...all.map((one) => one.costUsd));
  return { requestCount, failedCount, inputTokens, outputTokens, costUsd, unpricedCount };
};

export interface NamedSums extends Sums {
  readonly name: string;
}

export type User = Pick<DailyUsage, 'model' | 'channelId' | 'person'>;

/** A quarter has thousands of rows, which each table of the page would add up again. */
interface Condensed {
  /** By the number of the day. */
  readonly ofDay: ReadonlyMap<number, Sums>;
  /** Over all days. */
  readonly ofUser: readonly (User & Sums)[];
}
const condensed = new WeakMap<readonly DailyUsage[], Condensed>();

/** 20261113. The text of a day would take most of the time. */
const numberOf = ({ year, month, day }: Temporal.PlainDate): number => year * 10_000 + month * 100 + day;

const condense = (days: readonly DailyUsage[]): Condensed => {
  const known = condensed.get(days);
  if (known) return known;
  const byDay = Map.groupBy(days, ({ day }) => numberOf(day));
  const byUser = Map.groupBy(days, ({ model, channelId, person }) => `${model}\0${channelId}\0${person}`);
  const made = {
    ofDay: new Map(byDay.entries().map(([day, group]) => [day, sum(group)] as const)),
    ofUser: byUser
      .values()
      .flatMap((group) => group.slice(0, 1).map((first) => ({ ...first, ...sum(group) })))
      .toArray(),
  };
  condensed.set(days, made);
  return made;
};

/** Adds up by a name; the most expensive comes first. */
export const sumsBy = (days: readonly DailyUsage[], nameOf: (user: User) => string): readonly NamedSums[] =>
  [...Map.groupBy(condense(days).ofUser, nameOf)]
    .map(([name, group]) => ({ name, ...sum(group) }))
    .toSorted((a, b) => b.costUsd.comparedTo(a.costUsd) || b.requestCount - a.requestCount);

export const totalOf = (days: readonly DailyUsage[]): Sums => sum(condense(days).ofUser);

/** Every day of the period, the oldest first, those without use included. */
export const daysIn = (
  { days }: Pick<UsageReport, 'days'>,
  period: number,
  today: Temporal.PlainDate,
): readonly NamedSums[] => {
  const { ofDay } = condense(days);
  return Array.from({ length: period }, (_, index) => {
    const day = today.subtract({ days: period - 1 - index });
    return { name: day.toString(), ...(ofDay.get(numberOf(day)) ?? NOTHING) };
  });
};

export interface CostLine {
  /** Undefined: all the others. */
  readonly name: string | undefined;
  readonly costs: readonly Decimal[];
}

/** The cost of each day by a name: the most expensive ones, the highest first, and the rest as one. */
export const costLines = (
  report: Pick<UsageReport, 'days'>,
  period: number,
  today: Temporal.PlainDate,
  nameOf: (user: User) => string,
  most: number,
): readonly CostLine[] => {
  const named = sumsBy(report.days, nameOf)
    .slice(0, most)
    .map(({ name }) => name);
  const kept = new Set(named);
  const costs = new Map<string | undefined, Map<number, Decimal>>();
  for (const usage of report.days) {
    const name = nameOf(usage);
    const line = kept.has(name) ? name : undefined;
    const ofDay = costs.get(line) ?? new Map<number, Decimal>();
    costs.set(line, ofDay);
    const day = numberOf(usage.day);
    ofDay.set(day, usage.costUsd.plus(ofDay.get(day) ?? 0));
  }
  const days = daysIn(report, period, today).map(({ name }) => numberOf(Temporal.PlainDate.from(name)));
  const lines = costs.has(undefined) ? [...named, undefined] : named;
  return lines.map((name) => ({
    name,
    costs: days.map((day) => costs.get(name)?.get(day) ?? NOTHING.costUsd),
  }));
};
