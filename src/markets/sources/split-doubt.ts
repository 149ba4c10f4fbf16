import {
  type Instrument,
  isShare,
  type PriceRange,
  type Quote,
  type QuoteDoubt,
} from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { timeZoneOf } from '../calendar/calendar.ts';
import { tradingDatesAround } from '../calendar/trading-dates.ts';
import type { Market } from './source.ts';

/** How far apart two prices are, as a part of the larger one: 0 for the same, 0.75 for 200 and 50. */
export const apart = (a: Decimal | number, b: Decimal | number): number => {
  const [one, other] = [Number(a), Number(b)];
  const larger = Math.max(Math.abs(one), Math.abs(other));
  return larger === 0 ? 0 : Math.abs(one - other) / larger;
};

/** The candidate that is nearest to the price. */
export const nearest = (price: Decimal, candidates: readonly [Decimal, ...Decimal[]]): Decimal =>
  candidates.reduce((best, each) => (apart(each, price) < apart(best, price) ? each : best));

/** Just less than a 3:2 split. Korean shares cannot move further in a day. */
const LIKE_SPLIT = 0.3;
/** Prices that were traded on the way prove a move up to this; beyond it, they are of two units. */
const TRADED = 0.65;
/** Nothing else moves to a tenth of its price, or to the tenfold, in a day. */
const LIKE_ERROR = 0.9;

/** Whether a share's price is as far from the last known one as after a split. */
export const differsLikeSplit = (price: Decimal, before: Decimal): boolean =>
  apart(price, before) > LIKE_SPLIT;

/** Whether the price moved there during the day, as after news. A split takes effect before the first trade. */
const wasTradedThrough = ({ price, dayRange }: Pick<Quote, 'price' | 'dayRange'>, from: Decimal): boolean => {
  if (!dayRange || price.lessThan(dayRange.low) || price.greaterThan(dayRange.high)) return false;
  const edge = Decimal.max(dayRange.low, Decimal.min(dayRange.high, from));
  return apart(price, from) <= TRADED && !differsLikeSplit(edge, from);
};

const isBeyond = (price: Decimal, { low, high }: PriceRange): boolean =>
  (price.lessThan(low) && differsLikeSplit(price, low)) ||
  (price.greaterThan(high) && differsLikeSplit(price, high));

const isUnlikeClose = (quote: Quote, close: Decimal): boolean => {
  const { price, instrument } = quote;
  // Oil was sold below zero, which no split and hardly a wrong trade explains.
  if (instrument.assetClass === 'rate' || price.isNegative() || close.isNegative()) return false;
  if (!isShare(instrument.assetClass)) return apart(price, close) > LIKE_ERROR;
  return differsLikeSplit(price, close) && !wasTradedThrough(quote, close);
};

/** What a quote has that contradicts its price, as after a split that is in some of its prices only, or a wrong trade. */
const doubtOf = (quote: Quote): QuoteDoubt | undefined => {
  const { instrument, price, previousClose, yearRange } = quote;
  const close = previousClose && isUnlikeClose(quote, previousClose) ? previousClose : undefined;
  const year =
    yearRange && isShare(instrument.assetClass) && isBeyond(price, yearRange) ? yearRange : undefined;
  if (!close && !year) return undefined;
  return { ...(close && { previousClose: close }), ...(year && { yearRange: year }) };
};

/** A split takes effect overnight, so what comes after the close is news. */
const isExtendedUnlike = ({ instrument, price, extended }: Quote): boolean =>
  extended?.session === 'pre' && isShare(instrument.assetClass) && differsLikeSplit(extended.price, price);

const needsLook = (quote: Quote): boolean =>
  !quote.isSample && (doubtOf(quote) !== undefined || isExtendedUnlike(quote));

const dayOf = ({ instrument }: Pick<Quote, 'instrument'>, at: Temporal.Instant): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();

const rangeIn = (range: PriceRange, ratio: Decimal): PriceRange => ({
  low: range.low.dividedBy(ratio),
  high: range.high.dividedBy(ratio),
});

/** The quote in shares after a reported split, where only its price is. */
const inNewShares = (quote: Quote, ratio: Decimal): Quote => {
  const { price, previousClose, yearRange } = quote;
  return {
    ...quote,
    ...(previousClose && { previousClose: nearest(price, [previousClose, previousClose.dividedBy(ratio)]) }),
    ...(yearRange && isBeyond(price, yearRange) && { yearRange: rangeIn(yearRange, ratio) }),
  };
};

/** The quote without what contradicts it, and without a change in any case. */
const inDoubt = (quote: Quote): Quote => {
  const doubt = doubtOf(quote);
  if (!doubt) return quote;
  const { previousClose: _close, yearRange, ...known } = quote;
  return { ...known, ...(yearRange && !doubt.yearRange && { yearRange }), doubt };
};

interface ReportedSplit {
  readonly date: Temporal.PlainDate;
  readonly ratio: Decimal;
}

const ratioOf = (splits: readonly ReportedSplit[]): Decimal =>
  splits.reduce((product, { ratio }) => product.times(ratio), new Decimal(1));

/** Explains the quote by the splits of its day and of the day that begins, or doubts it. */
const settled = (quote: Quote, splits: readonly ReportedSplit[]): Quote => {
  const day = dayOf(quote, quote.asOf);
  const ofDay = splits.filter(({ date }) => date.equals(day));
  const checked = inDoubt(doubtOf(quote) ? inNewShares(quote, ratioOf(ofDay)) : quote);
  const { extended } = checked;
  if (!isExtendedUnlike(checked) || !extended) return checked;
  const later = splits.filter(({ date }) => Temporal.PlainDate.compare(date, day) > 0);
  const from = quote.price.dividedBy(ratioOf(later));
  const isUnlike = differsLikeSplit(extended.price, from);
  return { ...checked, extended: { ...extended, ...(isUnlike ? { isInDoubt: true } : { from }) } };
};

/** What the change of an extended price is measured from. Undefined in doubt. */
export const extendedBase = ({ price, extended }: Pick<Quote, 'price' | 'extended'>): Decimal | undefined =>
  extended?.isInDoubt ? undefined : (extended?.from ?? price);

const LOOK_MS = 2_500;
const LOOK_DAYS = 7;
/** A source whose prices are all wrong is not asked about all of them. */
const MAX_LOOKS = 8;

const tooLate = (): Error => new Error('The splits were not known in time');

/**
 * Asks the source again for the splits of quotes that contradict themselves. Those that a split explains are counted in new
 * shares; the others are in doubt, without what their change could be measured from. Throws only on abort.
 */
export const settleDoubts = async (
  quotes: readonly Quote[],
  { getDays, clock }: Pick<Market, 'getDays'> & { readonly clock: Clock },
  parent: AbortSignal,
): Promise<ReadonlyMap<string, Quote>> => {
  const odd = quotes.filter(needsLook);
  if (odd.length === 0) return new Map();
  const { signal, clear } = withDeadline(parent, LOOK_MS, clock, tooLate);
  const splitsOf = async (quote: Quote): Promise<readonly ReportedSplit[]> => {
    const { instrument } = quote;
    if (!isShare(instrument.assetClass) || odd.indexOf(quote) >= MAX_LOOKS) return [];
    const last = dayOf(quote, clock.now());
    try {
      const days = { first: last.subtract({ days: LOOK_DAYS }), last };
      const found = await raceAbort(getDays(instrument, days, signal), signal);
      if (found.status !== 'ok' || found.value.isSample) return [];
      return found.value.actions.filter((action) => action.kind === 'split');
    } catch (error) {
      parent.throwIfAborted();
      if (!signal.aborted) throw error;
      return [];
    }
  };
  try {
    const all = odd.map(
      async (quote) => [quote.instrument.symbol, settled(quote, await splitsOf(quote))] as const,
    );
    return new Map(await Promise.all(all));
  } finally {
    clear();
  }
};

const WITHOUT_CALENDAR_DAYS = 3;

/**
 * Whether a price that jumped on this day may still be explained by a split that is not reported yet. Sources report every
 * split by the end of the next trading day.
 */
export const mayStillBeSplit = (
  instrument: Instrument,
  jumpedOn: Temporal.PlainDate,
  today: Temporal.PlainDate,
): boolean => {
  const last =
    tradingDatesAround(instrument, jumpedOn).find((date) => Temporal.PlainDate.compare(date, jumpedOn) > 0) ??
    jumpedOn.add({ days: WITHOUT_CALENDAR_DAYS });
  return Temporal.PlainDate.compare(today, last) <= 0;
};
