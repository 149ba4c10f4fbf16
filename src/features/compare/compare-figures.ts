import type { Instrument } from '#src/kernel/finance.ts';
import type { HistoryRange } from '#src/kernel/market-queries.ts';
import { toNumberBars, yearRange } from '#src/markets/indicators/indicators.ts';
import { correlation, maxDrawdown, returnsOf } from '#src/markets/indicators/statistics.ts';
import type { History } from '#src/markets/sources/source.ts';
import { MIN_RETURNS_FOR_RISK, volatility } from '#src/markets/performance/risk.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { type HistorySummary, summariseHistory } from '#src/markets/series/history-summary.ts';

/** One of those that are compared: over the range asked for, and over a year of days where that could be had. */
export interface Compared {
  readonly history: History;
  readonly year: History | undefined;
}

export interface ComparedFigures extends Compared {
  readonly instrument: Instrument;
  readonly summary: HistorySummary;
  /** What volatility and correlation are taken from; undefined where there is too little of it. */
  readonly days: History | undefined;
  /** Fractions; null where there is not enough data, and of rates. */
  readonly volatility: number | null;
  readonly drawdown: number | null;
  /** 0 at the low of 52 weeks, 1 at the high. */
  readonly yearPosition: number | null;
}

const closesOf = ({ bars }: History): readonly number[] => bars.map(({ close }) => close.toNumber());

/** Coins are traded every day of the year. */
const tradingDays = ({ assetClass }: Instrument): number => (assetClass === 'crypto' ? 365 : 252);

const isEnough = ({ interval, bars }: History): boolean =>
  interval === '1d' && bars.length > MIN_RETURNS_FOR_RISK;

const daysOf = ({ history, year }: Compared, basis: HistoryRange): History | undefined => {
  const days = history.range === basis ? history : year;
  return days && isEnough(days) ? days : undefined;
};

/** By the same definition as of a portfolio. */
const volatilityOf = (days: History): number | null => {
  const periodsPerYear = tradingDays(days.instrument);
  const figure = volatility(returnsOf(closesOf(days)), { periodsPerYear, minReturns: MIN_RETURNS_FOR_RISK });
  return figure.status === 'ok' ? figure.value : null;
};

const finite = (value: number | null): number | null => (Number.isFinite(value) ? value : null);

const figuresOf = (compared: Compared, basis: HistoryRange): ComparedFigures => {
  const { history, year } = compared;
  const { instrument } = history;
  const days = daysOf(compared, basis);
  // A part of a yield says nothing: it may well be zero, or less.
  const isRate = instrument.assetClass === 'rate';
  return {
    ...compared,
    instrument,
    summary: summariseHistory(history),
    days,
    volatility: days && !isRate ? volatilityOf(days) : null,
    drawdown: history.bars.length > 1 && !isRate ? finite(maxDrawdown(closesOf(history))) : null,
    yearPosition: (year && yearRange(toNumberBars(year.bars))?.position) ?? null,
  };
};

export interface Correlation {
  /** Null where they have too few days in common, or one does not move. */
  readonly value: number | null;
  readonly commonDays: number;
}

type ClosesByDay = ReadonlyMap<string, number>;

/** By its own exchange's calendar, oldest first; empty where there are too few. */
const closesByDay = (days: History | undefined): ClosesByDay =>
  new Map(days?.bars.map(({ at, close }) => [dayOf(at, days.timeZone), close.toNumber()]));

/** Of the daily returns between days that both were traded on. */
const correlationOf = (one: ClosesByDay, other: ClosesByDay): Correlation => {
  const common = [...one.keys()].filter((day) => other.has(day));
  if (common.length <= MIN_RETURNS_FOR_RISK) return { value: null, commonDays: common.length };
  const [returns, otherReturns] = [one, other].map((closes) =>
    returnsOf(common.map((day) => closes.get(day) ?? Number.NaN)),
  );
  return { value: finite(correlation(returns ?? [], otherReturns ?? [])), commonDays: common.length };
};

/** Several side by side, in numbers. */
export interface Comparison {
  /** What volatility and correlation are taken from: the range asked for, or a year where that has too few days. */
  readonly basis: HistoryRange;
  readonly all: readonly ComparedFigures[];
  /** `[0][2]`: of the first and the third. */
  readonly correlations: readonly (readonly Correlation[])[];
}

export const compareFigures = (compared: readonly Compared[], range: HistoryRange): Comparison => {
  const basis = compared.every(({ history }) => isEnough(history)) ? range : '1y';
  const days = compared.map((one) => closesByDay(daysOf(one, basis)));
  return {
    basis,
    all: compared.map((one) => figuresOf(one, basis)),
    correlations: days.map((one) => days.map((other) => correlationOf(one, other))),
  };
};
