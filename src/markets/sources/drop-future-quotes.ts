import type { SourceQuote } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { DailyHistory, History, MarketSource } from './source.ts';

/** Two clocks are never quite the same. */
const ALLOWED_MINUTES = 2;
/** So much a machine's clock may be behind before its prices are of no use: they are of now then, as far as it knows. */
const SLOW_CLOCK_MINUTES = 15;
const TELL_AGAIN_MS = 60_000;

const isFuture = (at: Timestamp, now: Timestamp, allowedMinutes = ALLOWED_MINUTES): boolean =>
  Temporal.Instant.compare(at, now.add({ minutes: allowedMinutes })) > 0;

interface DropFutureDeps {
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/**
 * Leaves out prices whose time has not come yet: nobody knows of when they really are, so they can be neither fresh
 * nor old. Of those that are only minutes ahead, the clock of this machine is behind: they are of now. The log names
 * both times, as it may as well be the clock of this machine that is wrong.
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
    logger.warn('a price is of the future: is the clock of this machine right?', {
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
      // Not called real time: nobody knows whose clock is right.
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

  /** A split of tomorrow has not happened yet either, whatever the bars are. */
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
