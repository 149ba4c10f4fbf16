import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import type { CorporateActionFacts } from '../corporate-actions/corporate-actions.ts';
import type { FeatureUses } from '#src/features/services.ts';
import type { DailyHistory, DaySpan } from '#src/markets/sources/source.ts';
import { barDays, epochDay, lastIndexUpTo } from '#src/markets/performance/epoch-day.ts';

type Origin = Pick<Quote, 'asOf' | 'source' | 'isSample'>;
type SplitFact = Extract<CorporateAction, { readonly kind: 'split' }>;

/** The price with which a trade is compared. */
export type PriceReference = (
  | {
      /** The price range of that day. */
      readonly kind: 'range';
      readonly low: Decimal;
      readonly high: Decimal;
      readonly origin: Origin;
    }
  | { readonly kind: 'price'; readonly price: Decimal; readonly farFactor: number; readonly origin: Origin }
) & {
  /** The day of these prices; undefined for the last price. */
  readonly day?: Temporal.PlainDate;
  /** Splits after that day, oldest first, because sources state past prices in today's shares. */
  readonly splits: readonly SplitFact[];
};

/** The time limit of an optional comparison. */
const LOOK_UP_MS = 2_500;
const FAR = 2;
/** The last price says less the older a trade is, and nothing about one from another year. */
const FAR_BY_AGE: readonly (readonly [days: number, factor: number])[] = [
  [30, FAR],
  [365, 5],
];
/** The last close before a day is its reference price, even over the longest holidays. */
const NEAR_DAYS = 10;

export interface DayPriceDeps extends FeatureUses<'clock' | 'market.getDays'> {
  readonly corporateActions: Pick<CorporateActionFacts, 'known' | 'learn'>;
}

export type PriceDeps = DayPriceDeps & FeatureUses<'market.getQuotes' | 'market.getDays'>;

export type ReferenceOn = (date: Temporal.PlainDate) => PriceReference | undefined;

/** Compares any number of days with the same bars. Sample prices say nothing about what somebody paid. */
const referencesIn = (history: DailyHistory, actions: readonly CorporateAction[]): ReferenceOn => {
  const { bars, isSample } = history;
  if (isSample) return () => undefined;
  const days = barDays(history);
  const all = actions.filter((action): action is SplitFact => action.kind === 'split');
  return (date) => {
    const day = epochDay(date);
    const index = lastIndexUpTo(days, day);
    const bar = bars[index];
    const age = day - (days[index] ?? Number.NEGATIVE_INFINITY);
    if (!bar || age > NEAR_DAYS) return undefined;
    const splits = all.filter((split) => Temporal.PlainDate.compare(split.date, date) > 0);
    const of = { day: date.subtract({ days: age }), origin: history, splits };
    return age === 0
      ? { kind: 'range', low: bar.low, high: bar.high, ...of }
      : { kind: 'price', price: bar.close, farFactor: FAR, ...of };
  };
};

/**
 * Requests the prices between two days and the splits since then, which may come from the store. Undefined if
 * nothing is known.
 */
export const pricesBetween = async (
  instrument: Instrument,
  { first, last }: DaySpan,
  { market, corporateActions, clock }: DayPriceDeps,
  signal: AbortSignal,
): Promise<ReferenceOn | undefined> => {
  const known = await corporateActions.known(instrument, first);
  const today = clock.now().toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
  const days = { first: first.subtract({ days: NEAR_DAYS }), last: known ? last : today };
  const found = await market.getDays(instrument, days, signal);
  if (found.status !== 'ok' || found.value.instrument.currency !== instrument.currency) return undefined;
  if (!known) await corporateActions.learn(found.value, days);
  return referencesIn(found.value, known?.actions ?? found.value.actions);
};

const inQuote = (
  quote: Quote,
  date: Temporal.PlainDate,
  today: Temporal.PlainDate,
): PriceReference | undefined => {
  const { dayRange, instrument, asOf, isSample } = quote;
  const quoted = asOf.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
  if (dayRange && !isSample && quoted.equals(date))
    return { kind: 'range', ...dayRange, day: date, origin: quote, splits: [] };
  const age = date.until(today, { largestUnit: 'days' }).days;
  const farFactor = FAR_BY_AGE.find(([days]) => age <= days)?.[1];
  return farFactor === undefined || !quote.price.greaterThan(0)
    ? undefined
    : { kind: 'price', price: quote.price, farFactor, origin: quote, splits: [] };
};

/**
 * The last price, and for an earlier day also the prices of that day. Empty if nothing is found in time. Throws on abort
 * alone.
 */
export const knownPrices = async (
  instrument: Instrument,
  date: Temporal.PlainDate,
  today: Temporal.PlainDate,
  deps: PriceDeps,
  parent: AbortSignal,
): Promise<{ readonly quote: Quote | undefined; readonly reference: PriceReference | undefined }> => {
  const { signal, clear } = withDeadline(parent, LOOK_UP_MS, deps.clock, () => new Error('no price in time'));
  const inTime = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await raceAbort(asked, signal);
    } catch {
      parent.throwIfAborted();
      return undefined;
    }
  };
  try {
    const isToday = Temporal.PlainDate.compare(date, today) >= 0;
    const [quotes, referenceOn] = await Promise.all([
      inTime(deps.market.getQuotes([instrument], signal)),
      isToday ? undefined : inTime(pricesBetween(instrument, { first: date, last: date }, deps, signal)),
    ]);
    const [result] = quotes ?? [];
    const isOwn = (of: Instrument): boolean => of.currency === instrument.currency;
    const quote = result?.status === 'ok' && isOwn(result.quote.instrument) ? result.quote : undefined;
    const reference = referenceOn?.(date) ?? (quote && inQuote(quote, date, today));
    return { quote, reference };
  } finally {
    clear();
  }
};
