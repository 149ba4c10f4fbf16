import type { Instrument, SourceQuote } from '#src/kernel/market/finance.ts';
import { IncompleteError, isMarketError } from '../errors.ts';
import type { MarketSource } from '../source.ts';
import { createChartReader } from './chart-reader.ts';
import { mapQuote } from './quotes.ts';
import type { ChartWire } from './wire.ts';
import { createYahooClient, type YahooClientDeps } from './client.ts';

const NAME = 'Yahoo Finance chart';
/** The main source uses the same endpoint, so both share rate limits. */
export const CHART_FAMILY = 'Yahoo Finance charts';
const AT_ONCE = 4;
/** Short, because the caller has already waited for the main source. */
const TIMEOUT_MS = 4_000;
/** Known delays by exchange, because chart responses do not contain them. Other exchanges get no delay. */
const DELAY_MINUTES: Readonly<Record<string, number>> = { KSC: 20, KOE: 20, JPX: 20, HKG: 15, LSE: 20 };

const OUT = ['MARKET_UNREACHABLE', 'MARKET_REFUSED'] as const;

/** The close of the day before the last trade. The previous close in the chart metadata is older. */
const previousCloseOf = ({ meta, timestamp = [], indicators }: ChartWire): number | undefined => {
  const traded = meta.regularMarketTime;
  const today = traded?.toZonedDateTimeISO(meta.exchangeTimezoneName).startOfDay().toInstant();
  if (!today) return undefined;
  const closes = indicators.quote[0]?.close ?? [];
  const todaySeconds = today.epochMilliseconds / 1000;
  let before: { readonly at: number; readonly close: number } | undefined;
  for (const [index, at] of timestamp.entries()) {
    const close = closes[index] ?? undefined;
    if (close === undefined || at >= todaySeconds) continue;
    if (!before || at >= before.at) before = { at, close };
  }
  return before?.close;
};

/** A string names the problem. Undefined: there is no price. */
const quoteOf = (instrument: Instrument, chart: ChartWire): SourceQuote | string | undefined => {
  const { meta } = chart;
  if (meta.regularMarketPrice === undefined) return undefined;
  if (!meta.regularMarketTime) return 'no time';
  const wire = {
    ...meta,
    regularMarketTime: meta.regularMarketTime,
    regularMarketPreviousClose: previousCloseOf(chart),
    // Chart responses have no extended-hours prices.
    preMarketPrice: undefined,
    preMarketTime: undefined,
    postMarketPrice: undefined,
    postMarketTime: undefined,
    exchangeDataDelayedBy: DELAY_MINUTES[meta.exchangeName ?? ''],
  };
  return mapQuote(instrument, wire, NAME);
};

/**
 * Quotes from chart metadata, which need no session: one request per symbol, regular hours only. Throws market
 * errors and the signal's reason.
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
    logger.warn('Yahoo Finance sent an invalid chart; its quote is skipped', {
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
      // The first request goes alone, so that an outage costs one request.
      for (let end = 1, group = instruments.slice(0, 1); group.length > 0; end += AT_ONCE) {
        const outcomes = await Promise.allSettled(group.map((each) => readOne(each, signal)));
        signal.throwIfAborted();
        for (const [index, outcome] of outcomes.entries())
          if (outcome.status === 'fulfilled') found.push(...outcome.value);
          else failures.push({ symbol: group[index]?.symbol ?? '', reason: outcome.reason });
        // After a 429 or a group of failures, further requests would fail too.
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
