import type { Instrument } from '#src/kernel/market/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { History } from '#src/markets/sources/source.ts';
import { lastIndexUpTo } from '#src/markets/performance/epoch-day.ts';
import {
  type PerformanceFigure,
  figureOf,
  noFigure,
  tooFew,
  withEnough,
} from '#src/markets/performance/figure.ts';
import {
  alignReturns,
  beta,
  concentrationOf,
  correlation,
  type DailyValues,
  historicalVar,
  maxDrawdown,
  MIN_RETURNS_FOR_RATIOS,
  MIN_RETURNS_FOR_RISK,
  MIN_RETURNS_FOR_VAR,
  sharpe,
  sortino,
  volatility,
} from '#src/markets/performance/risk.ts';
import { dailyReturns, growthOf, timeWeightedReturn } from '#src/markets/performance/time-weighted-return.ts';
import { type DatedFlow, xirr } from '#src/markets/performance/xirr.ts';
import type { LedgerState } from '../ledger/ledger-state.ts';
import { type AnalysisPrices, closesOnOwnDays, type PricedInstrument } from './market-data.ts';
import type { ValuePoint, ValueSeries } from './value-series.ts';
import type { AnalyseRequest } from '../requests.ts';

/** Holdings and cash at the last prices, in the portfolio's currency. Holdings come largest first. */
type Exposure = ReturnType<typeof exposureOf>;

/** A part of a portfolio; `share` is a fraction of the sum of absolute values, negative for debts. */
export interface FigurePart {
  readonly key: string;
  readonly value: Decimal;
  readonly share: Decimal;
}

const ZERO = new Decimal(0);

const sum = (values: readonly Decimal[]): Decimal => values.reduce((total, value) => total.plus(value), ZERO);

/** Instruments without a price and currencies without a rate are left out. */
export const exposureOf = (
  { positions, cash }: LedgerState,
  priceOf: (symbol: string) => Decimal | undefined,
  rateOf: (currency: Currency) => Decimal | undefined,
) => {
  const holdings = positions
    .flatMap(({ instrument, quantity }) => {
      const [price, rate] = [priceOf(instrument.symbol), rateOf(instrument.currency)];
      if (quantity.isZero() || !price || !rate) return [];
      return [{ instrument, value: quantity.times(price).times(rate) }];
    })
    .toSorted((a, b) => b.value.abs().comparedTo(a.value.abs()));
  const money = cash.flatMap(({ currency, amount }) => {
    const rate = rateOf(currency);
    return amount.isZero() || !rate ? [] : [{ currency, value: amount.times(rate) }];
  });
  return { holdings, cash: money, total: sum([...holdings, ...money].map(({ value }) => value)) };
};

/**
 * Groups by key, largest first. Shares relate to the sum of absolute values, because relative to the net of longs and
 * shorts they would be hundreds of percent.
 */
const partsBy = (
  items: readonly { readonly key: string; readonly value: Decimal }[],
): readonly FigurePart[] => {
  const parts = [...Map.groupBy(items, ({ key }) => key)].map(([key, group]) => ({
    key,
    value: sum(group.map(({ value }) => value)),
  }));
  const size = sum(parts.map(({ value }) => value.abs()));
  if (size.isZero()) return [];
  return parts
    .map(({ key, value }) => ({ key, value, share: value.dividedBy(size) }))
    .toSorted((a, b) => b.value.abs().comparedTo(a.value.abs()));
};

/** By the currency of the price, cash included. */
const byCurrency = ({ holdings, cash }: Exposure): readonly FigurePart[] =>
  partsBy([
    ...holdings.map(({ instrument, value }) => ({ key: instrument.currency, value })),
    ...cash.map(({ currency, value }) => ({ key: currency, value })),
  ]);

/** Holdings by the source's sector name, or by `class:…` if it has none. */
const bySector = ({ holdings }: Exposure, sectors: ReadonlyMap<string, string>): readonly FigurePart[] =>
  partsBy(
    holdings.map(({ instrument, value }) => ({
      key:
        instrument.assetClass === 'equity'
          ? (sectors.get(instrument.symbol) ?? 'class:unknown')
          : `class:${instrument.assetClass}`,
      value,
    })),
  );

/** The sources of all data, and the time of the last prices. */
export interface Origin {
  readonly asOf: Temporal.Instant;
  readonly source: string;
  readonly isSample: boolean;
}

/** As old as the oldest price or rate of the current holdings; without holdings, as the newest of all. */
export const originOf = (
  { holdings, cash }: Exposure,
  { priced, rates, benchmark }: AnalysisPrices,
): Origin | undefined => {
  const all: readonly History[] = [
    ...[...priced.values()].map(({ history }) => history),
    ...[...rates.values()].flatMap(({ histories }) => histories),
    ...(benchmark ? [benchmark.history] : []),
  ];
  const currencies = new Set([
    ...holdings.map(({ instrument }) => instrument.currency),
    ...cash.map((each) => each.currency),
  ]);
  const current = [
    ...holdings.flatMap(({ instrument }) => priced.get(instrument.symbol)?.history ?? []),
    ...[...currencies].flatMap((currency) => rates.get(currency)?.histories ?? []),
  ];
  const moments = (current.length > 0 ? current : all)
    .map(({ asOf }) => asOf)
    .toSorted((a, b) => Temporal.Instant.compare(a, b));
  const asOf = current.length > 0 ? moments[0] : moments.at(-1);
  return (
    asOf && {
      asOf,
      source: [...new Set(all.map(({ source }) => source))].join(', '),
      isSample: all.some(({ isSample }) => isSample),
    }
  );
};

interface CorrelatedPair {
  readonly one: Instrument;
  readonly other: Instrument;
  readonly value: number;
}

const VAR_CONFIDENCE = 0.95;
/** An annual rate computed from a week or two is meaningless. */
const MIN_DAYS_FOR_XIRR = 30;
const MAX_CORRELATED = 8;
const SHOWN_PAIRS = 3;

/** From the investor's side: the initial value is paid in, the present value comes back. */
const flowsOf = (points: readonly ValuePoint[]): readonly DatedFlow[] => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  return [
    { day: first.day, amount: -first.value },
    ...points.slice(1).map(({ day, inflow, outflow }) => ({ day, amount: outflow - inflow })),
    { day: last.day, amount: last.value },
  ];
};

/**
 * The rate of a portfolio with a negative value is the cost of its debt: a losing short position would show a gain.
 * Such a portfolio gets no rate.
 */
const xirrOf = (points: readonly ValuePoint[]): PerformanceFigure => {
  const days = (points.at(-1)?.day ?? 0) - (points[0]?.day ?? 0);
  if (points.some(({ value }) => value < 0)) return noFigure('negative-value');
  return days < MIN_DAYS_FOR_XIRR ? tooFew(MIN_DAYS_FOR_XIRR, days) : xirr(flowsOf(points));
};

/** Over weekends and holidays the last close stands for the day. */
const MAX_CLOSE_AGE_DAYS = 10;
/** The first bar of a range may belong to its first trading day. */
const MAX_LATE_START_DAYS = 4;

/** From the close of the portfolio's first day, or the last before it, to that of its last day. */
const indexChange = (
  { days, values }: DailyValues,
  { points, startDay }: Pick<ValueSeries, 'points' | 'startDay'>,
): PerformanceFigure => {
  const lastDay = points.at(-1)?.day ?? startDay;
  const [start, to] = [lastIndexUpTo(days, startDay), lastIndexUpTo(days, lastDay)];
  const isLate = start === -1 && (days[0] ?? Number.POSITIVE_INFINITY) - startDay <= MAX_LATE_START_DAYS;
  const from = isLate ? 0 : start;
  const [base, end] = [values[from], values[to]];
  const isCovered = (at: number, day: number): boolean =>
    day - (days[at] ?? Number.NEGATIVE_INFINITY) <= MAX_CLOSE_AGE_DAYS;
  if (!base || !end || !isCovered(from, startDay) || !isCovered(to, lastDay))
    return noFigure('index-not-covered');
  return from === to ? tooFew(1, 0) : figureOf(end / base - 1);
};

/** The pairs of the largest holdings with the highest correlation. */
const pairsOf = (
  { holdings }: Exposure,
  priced: ReadonlyMap<string, PricedInstrument>,
): readonly CorrelatedPair[] => {
  const largest = holdings.slice(0, MAX_CORRELATED).flatMap(({ instrument }) => {
    const found = priced.get(instrument.symbol);
    return found ? [{ instrument, closes: closesOnOwnDays(found.history, found.closes) }] : [];
  });
  return largest
    .flatMap((one, row) =>
      largest.slice(row + 1).flatMap((other): readonly CorrelatedPair[] => {
        const returns = alignReturns(one.closes, other.closes);
        const found = withEnough(returns.one, MIN_RETURNS_FOR_RISK, () => correlation(returns));
        return found.status === 'ok'
          ? [{ one: one.instrument, other: other.instrument, value: found.value }]
          : [];
      }),
    )
    .toSorted((a, b) => b.value - a.value)
    .slice(0, SHOWN_PAIRS);
};

interface AnalysisData {
  readonly name: string;
  readonly baseCurrency: Currency;
  readonly range: AnalyseRequest['range'];
  readonly riskFreePercent: number;
  readonly series: ValueSeries;
  readonly exposure: Exposure;
  /** By symbol. */
  readonly sectors: ReadonlyMap<string, string>;
  readonly benchmark: PricedInstrument | undefined;
  readonly priced: ReadonlyMap<string, PricedInstrument>;
}

/** All figures of an analysis. */
export type PortfolioAnalysis = ReturnType<typeof analysisOf>;

/** Pure. Risk is that of the portfolio as it was each day, not of the current holdings. */
export const analysisOf = ({ benchmark, priced, sectors, ...given }: AnalysisData) => {
  const { exposure, series } = given;
  const { points, periodsPerYear } = series;
  const daily = dailyReturns(points);
  const returns = daily.status === 'ok' ? daily.value : [];
  const values: readonly number[] = returns.map(({ value }) => value);
  /** Without returns, no figure that depends on them exists. */
  const using = <T>(
    minReturns: number,
    figure: () => PerformanceFigure<T>,
    among = values,
  ): PerformanceFigure<T> => (daily.status === 'ok' ? withEnough(among, minReturns, figure) : daily);
  const growth = growthOf(points[0]?.day ?? 0, returns);
  const growthDays = { days: growth.map(({ day }) => day), values: growth.map(({ value }) => value) };
  const together =
    benchmark && alignReturns(growthDays, closesOnOwnDays(benchmark.history, benchmark.closes));
  const ratios = { periodsPerYear, riskFreeRate: given.riskFreePercent / 100 };
  return {
    ...given,
    returnCount: values.length,
    twr: using(MIN_RETURNS_FOR_RISK, () => timeWeightedReturn(points)),
    xirr: xirrOf(points),
    volatility: using(MIN_RETURNS_FOR_RISK, () => volatility(values, periodsPerYear)),
    sharpe: using(MIN_RETURNS_FOR_RATIOS, () => sharpe(values, ratios)),
    sortino: using(MIN_RETURNS_FOR_RATIOS, () => sortino(values, ratios)),
    drawdown: using(0, () => maxDrawdown(growth)),
    valueAtRisk: using(MIN_RETURNS_FOR_VAR, () => historicalVar(values, VAR_CONFIDENCE)),
    benchmark: benchmark &&
      together && {
        instrument: benchmark.history.instrument,
        beta: using(MIN_RETURNS_FOR_RISK, () => beta(together), together.one),
        correlation: using(MIN_RETURNS_FOR_RISK, () => correlation(together), together.one),
        change: indexChange(benchmark.closes, series),
      },
    concentration: concentrationOf(exposure.holdings.map(({ value }) => value.toNumber())),
    currencies: byCurrency(exposure),
    sectors: bySector(exposure, sectors),
    pairs: pairsOf(exposure, priced),
  };
};
