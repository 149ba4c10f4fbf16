import type { Fact } from '#src/kernel/tool.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import { epochDay, isoDateOf } from '#src/markets/performance/epoch-day.ts';
import type { Figure } from '#src/markets/performance/figure.ts';
import { rangeLabel } from '#src/language/history-range.ts';
import type { NewTransaction } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { AnalyseRequest, PortfolioService } from '#src/kernel/account-services.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import { type AnalyseDataDeps, BENCHMARKS, readAnalysisPrices, readSectors } from './market-data.ts';
import {
  analysisOf,
  exposureOf,
  type Origin,
  originOf,
  type Part,
  type PortfolioAnalysis,
} from './figures.ts';
import { performanceMessages } from '../messages/performance.ts';
import { type CountDeps, countLedger } from '../corporate-actions/counted-ledger.ts';
import { splitFacts, splitNotes } from '../corporate-actions/offers.ts';
import { analysisText, drawAnalysis, namesOf, type PictureDeps } from './analysis-text.ts';
import type { FilledRates } from '../rates/rated-portfolios.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { currenciesOf, heldSince } from './ledger-moves.ts';
import { valueSeries } from './value-series.ts';

type Metric = readonly [metric: string, value: string, unit: string];

const PERCENT_DIGITS = 2;
const RATIO_DIGITS = 2;

const percent = (metric: string, fraction: number): Metric => [
  metric,
  fixed(fraction * 100, PERCENT_DIGITS),
  '%',
];
const ratio = (metric: string, value: number): Metric => [metric, fixed(value, RATIO_DIGITS), 'ratio'];
const date = (metric: string, day: number): Metric => [metric, isoDateOf(day), 'date'];

const when = <T>(figure: Figure<T>, metrics: (value: T) => readonly Metric[]): readonly Metric[] =>
  figure.status === 'ok' ? metrics(figure.value) : [];

/** Names metrics such as `sectorSharePercent:Technology`. */
const shares = (metric: string, parts: readonly Part[]): readonly Metric[] =>
  parts.map(({ key, share }): Metric => [
    `${metric}:${key.replace('class:', '')}`,
    share.times(100).toFixed(PERCENT_DIGITS),
    '%',
  ]);

const benchmarkMetrics = ({ benchmark, range }: PortfolioAnalysis): readonly Metric[] => {
  if (!benchmark) return [];
  const name = benchmark.instrument.symbol === BENCHMARKS.kospi ? 'Kospi' : 'Sp500';
  return [
    ...when(benchmark.beta, (value) => [ratio(`beta${name}${range}`, value)]),
    ...when(benchmark.correlation, (value) => [ratio(`correlation${name}${range}`, value)]),
    ...when(benchmark.change, (value) => [percent(`change${name}${range}`, value)]),
  ];
};

const performanceMetrics = (analysis: PortfolioAnalysis): readonly Metric[] => {
  const { range, exposure, baseCurrency } = analysis;
  return [
    ...when(analysis.twr, ({ total, annual }) => [
      percent(`twr${range}`, total),
      ...(annual === undefined ? [] : [percent(`twrAnnual${range}`, annual)]),
    ]),
    ...when(analysis.xirr, (value) => [percent(`xirr${range}`, value)]),
    ...when(analysis.volatility, (value) => [percent(`volatility${range}`, value)]),
    ...when(analysis.sharpe, (value) => [ratio(`sharpe${range}`, value)]),
    ...when(analysis.sortino, (value) => [ratio(`sortino${range}`, value)]),
    ...when(analysis.drawdown, ({ depth, peakDay, troughDay, recoveryDay }) =>
      depth === 0
        ? [percent(`maxDrawdown${range}`, 0)]
        : [
            percent(`maxDrawdown${range}`, -depth),
            date(`maxDrawdownPeak${range}`, peakDay),
            date(`maxDrawdownTrough${range}`, troughDay),
            ...(recoveryDay === undefined ? [] : [date(`maxDrawdownRecovery${range}`, recoveryDay)]),
          ],
    ),
    ...when(analysis.valueAtRisk, (value) => [
      percent('valueAtRisk95', value),
      ['valueAtRisk95Amount', exposure.total.times(value).toFixed(PERCENT_DIGITS), baseCurrency],
    ]),
  ];
};

/** The analysis as typed facts about `portfolio:<name>`. */
const analysisFacts = (analysis: PortfolioAnalysis, { asOf, source, isSample }: Origin): readonly Fact[] => {
  const { name, baseCurrency, exposure, series, concentration, currencies, sectors, pairs } = analysis;
  const [first, last] = [series.points[0], series.points.at(-1)];
  const common = { asOf: asOf.toString(), source, isSample };
  const metrics: readonly Metric[] = [
    ['value', exposure.total.toFixed(), baseCurrency],
    ['contributed', series.contributed.toFixed(), baseCurrency],
    ...(first && last ? [date('analysedFrom', first.day), date('analysedTo', last.day)] : []),
    ['dailyReturns', String(analysis.returnCount), 'count'],
    ['riskFreePercent', String(analysis.riskFreePercent), '%'],
    ...performanceMetrics(analysis),
    ...benchmarkMetrics(analysis),
    ...(concentration
      ? [
          percent('largestShare', concentration.largest),
          percent('topFiveShare', concentration.topFive),
          ratio('herfindahl', concentration.herfindahl),
          ratio('effectiveHoldings', concentration.effectiveNumber),
          ['holdings', String(concentration.count), 'count'] satisfies Metric,
        ]
      : []),
    ...shares('currencyShare', currencies),
    ...shares('sectorShare', sectors),
  ];
  return [
    ...metrics.map(([metric, value, unit]) => ({
      entity: `portfolio:${name}`,
      metric,
      value,
      unit,
      ...common,
    })),
    ...pairs.map(({ one, other, value }) => ({
      entity: `${one.symbol}/${other.symbol}`,
      metric: `correlation${analysis.range}`,
      value: fixed(value, RATIO_DIGITS),
      unit: 'ratio',
      ...common,
    })),
  ];
};

export type AnalyseDeps = PickDeps &
  CountDeps &
  AnalyseDataDeps &
  PictureDeps & {
    readonly store: FilledRates;
    /** The risk-free rate a year; 0 if absent. */
    readonly riskFreePercent?: number;
  };

const SPANS = {
  '3mo': { months: 3 },
  '6mo': { months: 6 },
  '1y': { years: 1 },
  '2y': { years: 2 },
} as const;

/** The year is measured from the last day of the year before. */
const startOf = (range: AnalyseRequest['range'], today: Temporal.PlainDate): Temporal.PlainDate =>
  range === 'ytd' ? today.with({ month: 1, day: 1 }).subtract({ days: 1 }) : today.subtract(SPANS[range]);

const foreignCurrencies = (transactions: readonly NewTransaction[], base: Currency): readonly Currency[] => [
  ...new Set(transactions.flatMap(currenciesOf).filter((currency) => currency !== base)),
];

/** Analyses the return and risk of a portfolio over a range. Throws on abort alone. */
export const analyseAnswer = (deps: AnalyseDeps): PortfolioService['analyse'] => {
  const { store, symbols, clock, riskFreePercent = 0 } = deps;

  return async (request, requester, signal) => {
    const { range, benchmark: wantedBenchmark, isDrawn } = request;
    const { locale } = requester;
    const t = performanceMessages(locale);
    const picked = await pickPortfolio(deps, requester, request.portfolio);
    if (picked.status !== 'ok') return notPickedAnswer(picked, request.portfolio, locale);
    const { portfolio } = picked;
    const { name, baseCurrency } = portfolio;
    const counted = await countLedger(portfolio, deps, signal);
    const { derived, recorded, entries: transactions, unvalued, found } = counted;
    if (recorded.length === 0) return refusedAnswer(t.nothingRecorded({ name }));
    if (derived.status !== 'ok') return refusedAnswer(t.brokenLedger({ name }));
    const { state } = derived;

    const today = clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const [from, to] = [epochDay(startOf(range, today)), epochDay(today)];
    const held = (await byTime(heldSince(transactions, from, to), signal)).map(
      ({ instrument }) => instrument,
    );
    const cashSince = state.cashSince && epochDay(state.cashSince);
    if (held.length === 0 && cashSince === undefined)
      return refusedAnswer(t.nothingInRange({ name, range: rangeLabel(range, locale) }));
    const index = BENCHMARKS[wantedBenchmark ?? (baseCurrency === 'KRW' ? 'kospi' : 'sp500')];
    const match = symbols.resolve(index);
    const benchmark = match.status === 'found' ? match.instrument : undefined;
    const nowHeld = state.positions.filter(({ quantity }) => !quantity.isZero());
    const byCost = nowHeld.toSorted((a, b) =>
      (b.cost.base ?? b.cost.local).abs().comparedTo((a.cost.base ?? a.cost.local).abs()),
    );
    const [data, sectors] = await Promise.all([
      readAnalysisPrices(
        {
          instruments: held,
          currencies: foreignCurrencies(transactions, baseCurrency),
          baseCurrency,
          benchmark,
          range,
          since: from,
        },
        deps,
        signal,
      ),
      readSectors(
        byCost.map(({ instrument }) => instrument),
        deps,
        signal,
      ),
    ]);

    const walk = valueSeries({
      transactions,
      unvalued,
      baseCurrency,
      cashSince,
      from,
      // In time zones ahead of the requester it may already be a day later.
      to: Math.max(to, ...[...data.priced.values()].map(({ closes }) => closes.days.at(-1) ?? to)),
      closes: new Map([...data.priced].map(([symbol, { closes }]) => [symbol, closes])),
      rates: new Map([...data.rates].map(([currency, { closes }]) => [currency, closes])),
    });
    const series = await byTime(walk, signal);
    const exposure = exposureOf(
      state,
      (symbol) => (unvalued.has(symbol) ? undefined : data.priced.get(symbol)?.last),
      (currency) => (currency === baseCurrency ? new Decimal(1) : data.rates.get(currency)?.last),
    );
    const priced = originOf(exposure, data);
    const isAllLeftOut = held.length > 0 && series.leftOut.length === held.length && cashSince === undefined;
    const notes = splitNotes(counted, { portfolio, audience: requester, symbols });
    if (!priced || isAllLeftOut) {
      const isUnsure = held.length > 0 && held.every(({ symbol }) => unvalued.has(symbol));
      const names = namesOf(held, locale) || name;
      return refusedAnswer(isUnsure ? notes.lines.join('\n') : t.nothingPriced({ names }));
    }
    const origin = { ...priced, isSample: priced.isSample || hasSampleFigures(recorded) };
    const analysis = analysisOf({
      name,
      baseCurrency,
      range,
      riskFreePercent,
      series,
      exposure,
      sectors,
      benchmark: data.benchmark,
      priced: data.priced,
    });
    const picture = isDrawn ? await drawAnalysis(analysis, origin, deps, requester, signal) : undefined;
    const below = [
      ...(data.benchmark ? [] : [t.noBenchmark({ name: benchmark?.name[locale] ?? index })]),
      ...(picture === 'failed' ? [t.notDrawn] : []),
      ...rateNotes(recorded, store.takeFilled?.(portfolio.id), baseCurrency, locale),
    ];
    return {
      content: analysisText(analysis, origin, { above: notes.lines, below }, requester),
      facts: [...analysisFacts(analysis, origin), ...splitFacts(found)],
      found: 1,
      ...(notes.choices.length > 0 && { choices: notes.choices }),
      ...(notes.typed !== undefined && { typed: notes.typed }),
      ...(picture !== undefined && picture !== 'failed' && { media: [picture] }),
    };
  };
};
