import { analysisControls } from '#src/markets/answers/controls.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
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
import { analysisOf, exposureOf, originOf } from './figures.ts';
import { performanceTexts } from '../texts/performance.ts';
import { type CountDeps, countLedger } from '../summary/counted-ledger.ts';
import { splitFacts, splitNotes } from '../corporate-actions/offers.ts';
import { analysisText, drawAnalysis, namesOf, type PictureDeps } from './analysis-text.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
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
    const { asOf, source, isSample } = origin;
    const told = portfolioTold({ portfolio, now: asOf, isSample }, locale).about({ source });
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
      content: analysisText(analysis, origin, { above: notes.lines, below }, told, requester),
      facts: [...told.facts(), ...splitFacts(found)],
      found: 1,
      ...(choices.length > 0 && { choices }),
      ...(notes.typed !== undefined && { typed: notes.typed }),
      ...(picture !== undefined && picture !== 'failed' && { media: [picture] }),
    };
  };
};
