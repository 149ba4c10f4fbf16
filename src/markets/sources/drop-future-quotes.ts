import type { SourceQuote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { DailyHistory, History, MarketSource } from './source.ts';

/** Two clocks never agree exactly. */
const ALLOWED_MINUTES = 2;
/** Prices up to this far ahead are taken as current, because this machine's clock is probably slow. */
const SLOW_CLOCK_MINUTES = 15;
const TELL_AGAIN_MS = 60_000;

const isFuture = (at: Timestamp, now: Timestamp, allowedMinutes = ALLOWED_MINUTES): boolean =>
  Temporal.Instant.compare(at, now.add({ minutes: allowedMinutes })) > 0;

interface DropFutureDeps {
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/**
 * Drops prices from the future, whose real age nobody can tell. Prices only minutes ahead are taken as current, because
 * this machine's clock is probably slow. The log names both times, since either clock may be wrong.
 */
export const dropFutureQuotes = (source: MarketSource, { clock, logger }: DropFutureDeps): MarketSource => {
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
