import type { Instrument, Quote } from '#src/core/finance.ts';
import type { Decimal } from '#src/core/money.ts';
import { waitUnless, withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import { timeZoneOf } from '../../calendar/calendar.ts';
import type { BarInterval, History, Market } from '../../market/source.ts';
import { daysIn, epochDay } from '../../performance/epoch-day.ts';
import { rangeFor } from '../entries/fill-rates.ts';

type Origin = Pick<Quote, 'asOf' | 'source' | 'isSample'>;

/** What the price of a trade is compared with. */
export type PriceReference =
  /** What was paid on that day, or in the week or month of it where days are not known any more. */
  | {
      readonly kind: 'range';
      readonly low: Decimal;
      readonly high: Decimal;
      readonly interval: BarInterval;
      readonly origin: Origin;
    }
  | { readonly kind: 'price'; readonly price: Decimal; readonly farFactor: number; readonly origin: Origin };

/** Nobody waits longer than this for a comparison that can be left out. */
const LOOK_UP_MS = 2_500;
const FAR = 2;
/** The last price says less the older a trade is, and nothing of one from another year. */
const FAR_BY_AGE: readonly (readonly [days: number, factor: number])[] = [
  [30, FAR],
  [365, 5],
];
/** A bar says nothing of days after it; over the longest holidays the last close before stands for a day. */
const MAX_AGE_DAYS: Readonly<Partial<Record<BarInterval, number>>> = { '1d': 10, '1wk': 7, '1mo': 31 };

const lastIndexUpTo = (days: readonly number[], day: number): number => {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? Number.POSITIVE_INFINITY) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** Compares any number of days with one history. Made-up prices say nothing about what somebody paid. */
export const referencesIn = (
  history: History,
): ((date: Temporal.PlainDate) => PriceReference | undefined) => {
  const { bars, interval, isSample } = history;
  if (isSample) return () => undefined;
  const days = daysIn(
    history.timeZone,
    bars.map(({ at }) => at),
  );
  return (date) => {
    const day = epochDay(date);
    const index = lastIndexUpTo(days, day);
    const bar = bars[index];
    if (!bar) return undefined;
    const age = day - (days[index] ?? day);
    if (age > (MAX_AGE_DAYS[interval] ?? 0)) return undefined;
    if (interval !== '1d' || age === 0)
      return { kind: 'range', low: bar.low, high: bar.high, interval, origin: history };
    return { kind: 'price', price: bar.close, farFactor: FAR, origin: history };
  };
};

const inQuote = (
  quote: Quote,
  date: Temporal.PlainDate,
  today: Temporal.PlainDate,
): PriceReference | undefined => {
  const { dayRange, instrument, asOf, isSample } = quote;
  const quoted = asOf.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
  if (dayRange && !isSample && quoted.equals(date))
    return { kind: 'range', ...dayRange, interval: '1d', origin: quote };
  const age = date.until(today, { largestUnit: 'days' }).days;
  const farFactor = FAR_BY_AGE.find(([days]) => age <= days)?.[1];
  return farFactor === undefined || !quote.price.greaterThan(0)
    ? undefined
    : { kind: 'price', price: quote.price, farFactor, origin: quote };
};

/** What one look-up brings: the last price for a trade of today, and for an earlier one that day's prices too. */
export interface PriceKnowledge {
  readonly quote: Quote | undefined;
  readonly reference: PriceReference | undefined;
}

/** Where nothing is known in time there is nothing to compare with. Throws on abort alone. */
export const knownPrices = async (
  instrument: Instrument,
  date: Temporal.PlainDate,
  today: Temporal.PlainDate,
  { market, clock }: { readonly market: Pick<Market, 'getQuotes' | 'getHistory'>; readonly clock: Clock },
  parent: AbortSignal,
): Promise<PriceKnowledge> => {
  const { signal, clear } = withDeadline(parent, LOOK_UP_MS, clock, () => new Error('no price in time'));
  const inTime = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await waitUnless(asked, signal);
    } catch {
      parent.throwIfAborted();
      return undefined;
    }
  };
  try {
    const isToday = Temporal.PlainDate.compare(date, today) >= 0;
    const [quotes, found] = await Promise.all([
      inTime(market.getQuotes([instrument], signal)),
      isToday ? undefined : inTime(market.getHistory(instrument, rangeFor(date, today), signal)),
    ]);
    const [result] = quotes ?? [];
    const isOwn = (of: Instrument): boolean => of.currency === instrument.currency;
    const quote = result?.status === 'ok' && isOwn(result.quote.instrument) ? result.quote : undefined;
    const history = found?.status === 'ok' && isOwn(found.value.instrument) ? found.value : undefined;
    const reference = (history && referencesIn(history)(date)) ?? (quote && inQuote(quote, date, today));
    return { quote, reference };
  } finally {
    clear();
  }
};
