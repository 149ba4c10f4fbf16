import type { CircuitBreaker } from '#src/platform/concurrency/circuit-breaker.ts';
import type { Uses } from '#src/platform/services.ts';
import { createFailureLog } from './errors.ts';
import type { MarketSource, SessionCalendar, DailyHistory, History } from './source.ts';
import { guardCalls, type Pauses } from './guard-calls.ts';
import { withBudget, withFallback, withLastKnown } from './fallbacks.ts';
import { withCache } from './with-cache.ts';
import type { SourceQuote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';

interface ResilientDeps extends Uses<'clock' | 'logger'> {
  readonly calendar: SessionCalendar;
  /** Provides quotes that the source fails to give, at one request per symbol. */
  readonly fallback?: MarketSource;
}

interface ResilientSource {
  readonly source: MarketSource;
  /** One per kind of request, named after source and kind. */
  readonly breakers: readonly CircuitBreaker[];
}

/** Fallback quotes are kept for a minute, because fallback requests are few. */
const FALLBACK_QUOTE_MS = 60_000;

/**
 * Wraps a live source. From the outside in: last known prices, fallback, cache and batches, back-off, breaker, and the
 * check for future quotes.
 */
export const resilient = (
  source: MarketSource,
  { calendar, clock, logger, fallback }: ResilientDeps,
): ResilientSource => {
  const pauses: Pauses = new Map();
  const guard = (each: MarketSource): ResilientSource =>
    guardCalls(dropFutureQuotes(each, { clock, logger }), { clock, logger }, pauses);
  const first = guard(source);
  const cached = withCache(first.source, { calendar, clock });
  if (!fallback) return { source: withLastKnown(cached, clock), breakers: first.breakers };
  const second = guard(fallback);
  const standIn = withCache(withBudget(second.source, clock), {
    calendar,
    clock,
    minQuoteMs: FALLBACK_QUOTE_MS,
  });
  return {
    source: withLastKnown(withFallback(cached, standIn, createFailureLog(logger)), clock),
    breakers: [...first.breakers, ...second.breakers],
  };
};

/** Two clocks never agree exactly. */
const ALLOWED_MINUTES = 2;
/** Prices up to this far ahead are taken as current, because this machine's clock is probably slow. */
const SLOW_CLOCK_MINUTES = 15;
const TELL_AGAIN_MS = 60_000;

const isFuture = (at: Timestamp, now: Timestamp, allowedMinutes = ALLOWED_MINUTES): boolean =>
  Temporal.Instant.compare(at, now.add({ minutes: allowedMinutes })) > 0;

type DropFutureDeps = Uses<'clock' | 'logger'>;

/**
 * Drops prices from the future, whose real age nobody can tell. Prices only minutes ahead are taken as current, because
 * this machine's clock is probably slow. The log names both times, since either clock may be wrong.
 */
const dropFutureQuotes = (source: MarketSource, { clock, logger }: DropFutureDeps): MarketSource => {
  const { getQuotes, getHistory, getDays } = source;

  let toldAtMs = Number.NEGATIVE_INFINITY;

  const tell = (
    asked: string,
    { instrument, asOf }: SourceQuote | History | DailyHistory,
    now: Timestamp,
  ): void => {
    if (clock.monotonicMs() - toldAtMs < TELL_AGAIN_MS) return;
    toldAtMs = clock.monotonicMs();
    logger.warn('A price is in the future; is the clock of this machine right?', {
      source: source.name,
      asked,
      symbol: instrument.symbol,
      asOf: asOf.toString(),
      now: now.toString(),
    });
  };

  const presentQuote = (quote: SourceQuote, now: Timestamp): readonly SourceQuote[] => {
    if (isFuture(quote.asOf, now)) {
      tell('quotes', quote, now);
      if (isFuture(quote.asOf, now, SLOW_CLOCK_MINUTES)) return [];
      // The delay is removed, because nobody knows which clock is right.
      const { extended: _extended, delayMinutes: _delay, ...known } = quote;
      return [{ ...known, asOf: now }];
    }
    const { extended, ...regular } = quote;
    return extended && isFuture(extended.asOf, now) ? [regular] : [quote];
  };

  const presentHistory = (history: History, now: Timestamp): History | null => {
    if (!isFuture(history.asOf, now)) return history;
    tell('history', history, now);
    const bars = history.bars.filter(({ at }) => !isFuture(at, now));
    const last = bars.at(-1);
    return last ? { ...history, bars, asOf: last.at } : null;
  };

  /** Splits and dividends of future days are dropped too. */
  const presentDays = (days: DailyHistory, now: Timestamp): DailyHistory => {
    const today = now.toZonedDateTimeISO(days.timeZone).toPlainDate();
    const actions = days.actions.filter(({ date }) => Temporal.PlainDate.compare(date, today) <= 0);
    if (!isFuture(days.asOf, now)) return { ...days, actions };
    tell('days', days, now);
    const bars = days.bars.filter(({ at }) => !isFuture(at, now));
    return { ...days, bars, actions, asOf: bars.at(-1)?.at ?? now };
  };

  return {
    ...source,
    getQuotes: async (instruments, signal) => {
      const quotes = await getQuotes(instruments, signal);
      const now = clock.now();
      return quotes.flatMap((quote) => presentQuote(quote, now));
    },
    ...(getHistory && {
      getHistory: async (...args: Parameters<typeof getHistory>) => {
        const history = await getHistory(...args);
        return history && presentHistory(history, clock.now());
      },
    }),
    ...(getDays && {
      getDays: async (...args: Parameters<typeof getDays>) => {
        const days = await getDays(...args);
        return days && presentDays(days, clock.now());
      },
    }),
  };
};
