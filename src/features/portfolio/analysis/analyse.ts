import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf as namesOfInstrument, namesOfBoth, withNames } from '#src/markets/answers/fact-names.ts';
import { analysisControls } from '#src/markets/answers/controls.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import { epochDay, isoDateOf } from '#src/markets/performance/epoch-day.ts';
import type { PerformanceFigure } from '#src/markets/performance/figure.ts';
import { rangeLabel } from '#src/reading/history-range.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import {
  type AnalyseDataDeps,
  BENCHMARKS,
  rangeCheck,
  readAnalysisPrices,
  readSectors,
} from './market-data.ts';
import {
  analysisOf,
  exposureOf,
  type Origin,
  originOf,
  type FigurePart,
  type PortfolioAnalysis,
} from './figures.ts';
import { performanceTexts } from '../texts/performance.ts';
import { type CountDeps, countLedger } from '../summary/counted-ledger.ts';
import { splitFacts, splitNotes } from '../corporate-actions/offers.ts';
import { analysisText, drawAnalysis, namesOf, type PictureDeps, shownShares } from './analysis-text.ts';
import type { FilledRates } from '../rates/rated-portfolios.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  portfolioOption,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { currenciesOf, heldSince, splitFactors } from '../ledger/ledger-moves.ts';
import { valueSeries } from './value-series.ts';
import type { AnalyseRequest } from '../requests.ts';

/** A fact without its subject and source. */
type FigureFact = Pick<Fact, 'metric' | 'period' | 'parameter' | 'value' | 'unit'>;
type Which = Pick<Fact, 'period' | 'parameter'>;

const PERCENT_DIGITS = 2;
const RATIO_DIGITS = 2;

const percent = (metric: MetricId, fraction: number, which?: Which): FigureFact => ({
  metric,
  ...which,
  value: fixed(fraction * 100, PERCENT_DIGITS),
  unit: '%',
});
const ratio = (metric: MetricId, value: number, which?: Which): FigureFact => ({
  metric,
  ...which,
  value: fixed(value, RATIO_DIGITS),
  unit: 'ratio',
});
const date = (metric: MetricId, day: number, which?: Which): FigureFact => ({
  metric,
  ...which,
  value: isoDateOf(day),
  unit: 'date',
});

const when = <T>(
  figure: PerformanceFigure<T>,
  facts: (value: T) => readonly FigureFact[],
): readonly FigureFact[] => (figure.status === 'ok' ? facts(figure.value) : []);

/** The parameter of each fact is the currency or the sector. */
const shares = (metric: MetricId, parts: readonly FigurePart[]): readonly FigureFact[] =>
  shownShares(parts).map(({ key, share }) => ({
    metric,
    parameter: key.replace('class:', ''),
    value: share.times(100).toFixed(PERCENT_DIGITS),
    unit: '%',
  }));

const benchmarkFacts = ({ benchmark, range }: PortfolioAnalysis): readonly FigureFact[] => {
  if (!benchmark) return [];
  const parameter = benchmark.instrument.symbol === BENCHMARKS.kospi ? 'KOSPI' : 'S&P 500';
  const which = { period: range, parameter };
  return [
    ...when(benchmark.beta, (value) => [ratio('beta', value, which)]),
    ...when(benchmark.correlation, (value) => [ratio('correlation', value, which)]),
    ...when(benchmark.change, (value) => [percent('benchmarkChange', value, which)]),
  ];
};

const VALUE_AT_RISK = { parameter: '95' };

const performanceFacts = (analysis: PortfolioAnalysis): readonly FigureFact[] => {
  const { range, exposure, baseCurrency } = analysis;
  const which = { period: range };
  return [
    ...when(analysis.twr, ({ total, annual }) => [
      percent('timeWeightedReturn', total, which),
      ...(annual === undefined ? [] : [percent('timeWeightedReturnAnnual', annual, which)]),
    ]),
    ...when(analysis.xirr, (value) => [percent('moneyWeightedReturn', value, which)]),
    ...when(analysis.volatility, (value) => [percent('volatility', value, which)]),
    ...when(analysis.sharpe, (value) => [ratio('sharpe', value, which)]),
    ...when(analysis.sortino, (value) => [ratio('sortino', value, which)]),
    ...when(analysis.drawdown, ({ depth, peakDay, troughDay, recoveryDay }) =>
      depth === 0
        ? [percent('maxDrawdown', 0, which)]
        : [
            percent('maxDrawdown', -depth, which),
            date('drawdownPeakDay', peakDay, which),
            date('drawdownTroughDay', troughDay, which),
            ...(recoveryDay === undefined ? [] : [date('drawdownRecoveryDay', recoveryDay, which)]),
          ],
    ),
    ...when(analysis.valueAtRisk, (value) => [
      percent('valueAtRiskPercent', value, VALUE_AT_RISK),
      {
        metric: 'valueAtRiskAmount',
        ...VALUE_AT_RISK,
        value: exposure.total.times(value).toFixed(PERCENT_DIGITS),
        unit: baseCurrency,
      },
    ]),
  ];
};

/** The analysis as typed facts about `portfolio:<name>`. */
const analysisFacts = (analysis: PortfolioAnalysis, { asOf, source, isSample }: Origin): readonly Fact[] => {
  const { name, baseCurrency, exposure, series, concentration, currencies, sectors, pairs } = analysis;
  const [first, last] = [series.points[0], series.points.at(-1)];
  const common = { asOf: asOf.toString(), source, isSample };
  const { range } = analysis;
  const [largest] = exposure.holdings;
  const figures: readonly FigureFact[] = [
    { metric: 'totalValue', value: exposure.total.toFixed(), unit: baseCurrency },
    { metric: 'contributed', value: series.contributed.toFixed(), unit: baseCurrency },
    ...(first && last ? [date('analysedFrom', first.day), date('analysedTo', last.day)] : []),
    { metric: 'returnCount', period: range, value: String(analysis.returnCount), unit: 'count' },
    { metric: 'riskFreeRate', value: String(analysis.riskFreePercent), unit: '%' },
    ...performanceFacts(analysis),
    ...benchmarkFacts(analysis),
    ...(concentration
      ? [
          percent('largestShare', concentration.largest),
          percent('topFiveShare', concentration.topFive),
          ratio('herfindahl', concentration.herfindahl),
          ratio('effectiveHoldings', concentration.effectiveNumber),
          { metric: 'holdingCount' as const, value: String(concentration.count), unit: 'count' },
        ]
      : []),
    ...shares('currencyShare', currencies),
    ...shares('sectorShare', sectors),
  ];
  return [
    ...withNames(
      [name],
      figures.map((figure) => ({ entity: `portfolio:${name}`, ...figure, ...common })),
    ),
    ...(concentration && largest
      ? [
          {
            entity: largest.instrument.symbol,
            names: namesOfInstrument(largest.instrument),
            ...percent('weight', concentration.largest),
            ...common,
          },
        ]
      : []),
    ...pairs.map(({ one, other, value }) => ({
      entity: `${one.symbol}/${other.symbol}`,
      names: namesOfBoth(one, other),
      metric: 'correlation' as const,
      period: range,
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
export const analyseAnswer = (deps: AnalyseDeps): AccountQuery<AnalyseRequest> => {
  const { store, symbols, clock, riskFreePercent = 0 } = deps;

  return async (request, requester, signal) => {
    const { range, benchmark: wantedBenchmark, isDrawn, theme } = request;
    const { locale } = requester;
    const t = performanceTexts(locale);
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

    const factorOf = splitFactors(transactions);
    const isOutOfRange = new Map(
      [...data.priced].map(([symbol, { history }]) => [symbol, rangeCheck(history)]),
    );
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
      isOffMarket: (entry, day) =>
        entry.kind === 'buy' &&
        isOutOfRange.get(entry.instrument.symbol)?.(
          day,
          entry.price.dividedBy(factorOf(entry.instrument.symbol, day)),
        ) === true,
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
    const picture = isDrawn
      ? await drawAnalysis(analysis, origin, theme, deps, requester, signal)
      : undefined;
    const below = [
      ...(data.benchmark ? [] : [t.noBenchmark({ name: benchmark?.name[locale] ?? index })]),
      ...(picture === 'failed' ? [t.notDrawn] : []),
      ...rateNotes(recorded, store.takeFilled?.(portfolio.id), baseCurrency, locale),
    ];
    const option = portfolioOption(portfolio);
    const controls = isDrawn
      ? analysisControls({ range, benchmark: wantedBenchmark, theme: theme ?? 'light', option }, locale)
      : [];
    const choices = [...notes.choices, ...controls];
    return {
      content: analysisText(analysis, origin, { above: notes.lines, below }, requester),
      facts: [...analysisFacts(analysis, origin), ...splitFacts(found)],
      found: 1,
      ...(choices.length > 0 && { choices }),
      ...(notes.typed !== undefined && { typed: notes.typed }),
      ...(picture !== undefined && picture !== 'failed' && { media: [picture] }),
    };
  };
};
