import type { Instrument, SourceQuote } from '#src/core/finance.ts';
import { isMarketError } from '../errors.ts';
import { IncompleteError } from '../incomplete-error.ts';
import type { MarketSource } from '../source.ts';
import { createChartReader } from './chart-reader.ts';
import { mapQuote } from './map-quote.ts';
import type { ChartWire } from './wire.ts';
import { createYahooClient, type YahooClientDeps } from './yahoo-client.ts';

const NAME = 'Yahoo Finance chart';
/** Shared with the charts of the usual source: the endpoint is the same. */
export const CHART_FAMILY = 'Yahoo Finance charts';
const AT_ONCE = 4;
/** Whoever asks has waited for the usual source already. */
const TIMEOUT_MS = 4_000;
/** Yahoo does not say it beside a chart. Of exchanges that are not here nothing is said of the delay. */
const DELAY_MINUTES: Readonly<Record<string, number>> = { KSC: 20, KOE: 20, JPX: 20, HKG: 15, LSE: 20 };

const OUT = ['MARKET_UNREACHABLE', 'MARKET_REFUSED'] as const;

/** The close of the last day before the one of the last trade: what Yahoo names beside a chart is older. */
const previousCloseOf = ({ meta, timestamp = [], indicators }: ChartWire): number | undefined => {
  const traded = meta.regularMarketTime;
  const today = traded?.toZonedDateTimeISO(meta.exchangeTimezoneName).startOfDay().toInstant();
  if (!today) return undefined;
  const closes = indicators.quote[0]?.close ?? [];
  const before = timestamp
    .map((at, index) => ({ at, close: closes[index] ?? undefined }))
    .filter(({ at, close }) => close !== undefined && Temporal.Instant.compare(at, today) < 0)
    .toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));
  return before.at(-1)?.close;
};

/** The words say why it is of no use; undefined: there is no price. */
const quoteOf = (instrument: Instrument, chart: ChartWire): SourceQuote | string | undefined => {
  const { meta } = chart;
  if (meta.regularMarketPrice === undefined) return undefined;
  if (!meta.regularMarketTime) return 'no time';
  const wire = {
    ...meta,
    regularMarketTime: meta.regularMarketTime,
    regularMarketPreviousClose: previousCloseOf(chart),
    // Not beside a chart.
    preMarketPrice: undefined,
    preMarketTime: undefined,
    postMarketPrice: undefined,
    postMarketTime: undefined,
    exchangeDataDelayedBy: DELAY_MINUTES[meta.exchangeName ?? ''],
  };
  return mapQuote(instrument, wire, NAME);
};

/**
 * Quotes from what Yahoo says beside a chart, which needs no session: one request a symbol, and no prices outside the
 * regular hours. Throws market errors, and the signal's reason.
 */
export const createYahooChartQuotes = (deps: YahooClientDeps): MarketSource => {
  const { clock, logger } = deps;
  const { readRecent } = createChartReader({
    client: createYahooClient({ timeoutMs: TIMEOUT_MS, ...deps }),
    clock,
    logger,
    source: NAME,
  });

  const readOne = async (instrument: Instrument, signal: AbortSignal): Promise<readonly SourceQuote[]> => {
    const chart = await readRecent(instrument.symbol, signal);
    const quote = chart ? quoteOf(instrument, chart) : undefined;
    if (typeof quote !== 'string') return quote ? [quote] : [];
    logger.warn('Yahoo Finance sent an odd chart: its quote is left out', {
      symbol: instrument.symbol,
      problem: quote,
    });
    return [];
  };

  return {
    name: NAME,
    isSample: false,
    supports: ({ symbol }) => symbol !== '',
    familyOf: () => CHART_FAMILY,
    getQuotes: async (instruments, signal) => {
      const found: SourceQuote[] = [];
      const failures: { readonly symbol: string; readonly reason: unknown }[] = [];
      // One alone goes first: where nothing can be had, that is all that is asked.
      for (let end = 1, group = instruments.slice(0, 1); group.length > 0; end += AT_ONCE) {
        const outcomes = await Promise.allSettled(group.map((each) => readOne(each, signal)));
        signal.throwIfAborted();
        for (const [index, outcome] of outcomes.entries())
          if (outcome.status === 'fulfilled') found.push(...outcome.value);
          else failures.push({ symbol: group[index]?.symbol ?? '', reason: outcome.reason });
        // After a 429 or a whole group that failed the others would fare no better.
        const limited = failures.find(({ reason }) => isMarketError(reason, 'MARKET_RATE_LIMITED'));
        const isOut = outcomes.every(
          (outcome) => outcome.status === 'rejected' && isMarketError(outcome.reason, ...OUT),
        );
        if (limited || isOut) {
          const reason = limited?.reason ?? failures.at(-1)?.reason;
          for (const { symbol } of instruments.slice(end)) failures.push({ symbol, reason });
          break;
        }
        group = instruments.slice(end, end + AT_ONCE);
      }
      const first =
        failures.find(({ reason }) => isMarketError(reason, 'MARKET_RATE_LIMITED')) ?? failures[0];
      if (!first) return found;
      if (found.length === 0) throw first.reason;
      throw new IncompleteError(
        found,
        failures.map(({ symbol }) => symbol),
        first.reason,
      );
    },
  };
};
