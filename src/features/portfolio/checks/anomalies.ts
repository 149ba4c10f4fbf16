import {
  instrumentOf,
  isShareExchange,
  type NewTransaction,
  type PortfolioRecord,
  type Trade,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import {
  type ClosedDate,
  closureOn,
  marketOf,
  tradingDatesAround,
} from '#src/markets/calendar/trading-dates.ts';
import { type HeldSplit, isSameRatio } from '../corporate-actions/held-actions.ts';
import type { RateOn } from '../rates/day-rates.ts';
import { readEntryDate, readEntryNumber } from '../entries/entry-problems.ts';
import { ONE } from '../ledger/fixed-point.ts';
import type { PriceReference } from './price-reference.ts';
import { gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { daysBetween, SPLIT_DAYS } from '../ledger/share-count.ts';
import { isMissingSplit, type OfferContext, splitCommand } from '../corporate-actions/offers.ts';

type RangeReference = Extract<PriceReference, { readonly kind: 'range' }>;

/** A reason to confirm an entry that could be recorded. */
export type Anomaly =
  | {
      readonly kind: 'closed-day';
      readonly closed: ClosedDate;
      readonly nearest: readonly Temporal.PlainDate[];
    }
  /** So long ago that the year is probably mistyped. */
  | { readonly kind: 'early-day' }
  /** No Korean exchange trades at that time. */
  | { readonly kind: 'closed-hour'; readonly time: Temporal.PlainTime }
  /** The price is outside the range of that day. */
  | { readonly kind: 'out-of-range'; readonly reference: RangeReference }
  | { readonly kind: 'far-price'; readonly reference: Extract<PriceReference, { readonly kind: 'price' }> }
  /** The price is adjusted for later splits, as apps show it, so the quantity probably is too. */
  | {
      readonly kind: 'after-split';
      readonly splits: PriceReference['splits'];
      readonly reference: PriceReference;
    }
  /** The price is so far off that it is probably in another currency. */
  | { readonly kind: 'other-money'; readonly money: Currency; readonly reference: PriceReference }
  /** The rate of an exchange is far from that of its day. */
  | {
      readonly kind: 'far-rate';
      /** The amount received for one unit of the amount given. */
      readonly rate: Decimal;
      readonly market: RateOn;
      /** Set if one of the two amounts is close to the rate itself. */
      readonly likely:
        | {
            readonly price: readonly [Decimal, Currency];
            readonly amount: Decimal;
            readonly toAmount: Decimal;
          }
        | undefined;
    }
  /** The rate in a file, or every reading of a typed rate, is far from that of the day. */
  | {
      readonly kind: 'far-typed-rate' | 'far-file-rate';
      /** The price of one unit of the entry's currency in `to`. */
      readonly rate: Decimal;
      readonly market: RateOn;
      readonly to: Currency;
    }
  | { readonly kind: 'duplicate'; readonly number: number }
  /** New shares or cash in lieu for an instrument without a recorded purchase by that day. */
  | { readonly kind: 'never-held' }
  /** The holding lacks an earlier split, which `command` records. */
  | { readonly kind: 'missing-split'; readonly split: HeldSplit; readonly command: string }
  /** A source reports another ratio for the split. */
  | { readonly kind: 'other-ratio'; readonly split: HeldSplit }
  /** The split is recorded on another day, or entries already count in shares after it. */
  | { readonly kind: 'known-split'; readonly split: HeldSplit }
  /** The typed amount has another reading. */
  | {
      readonly kind: 'other-amount';
      readonly field: AmountField;
      readonly typed: string;
      readonly value: Decimal;
      readonly others: readonly Decimal[];
    }
  | { readonly kind: 'other-day'; readonly typed: string; readonly others: readonly Temporal.PlainDate[] };

const AMOUNT_FIELDS = ['price', 'total', 'amount', 'toAmount'] as const;
export type AmountField = (typeof AMOUNT_FIELDS)[number];

type OtherReading = Extract<Anomaly, { readonly kind: 'other-amount' | 'other-day' }>;

/** Trades outside the regular session may be this far outside its range. */
const RANGE_SLACK = 0.03;
/** A dollar is hundreds to thousands of won, so an amount in the wrong currency is off by this factor. */
const OTHER_MONEY = { least: 50, most: 20_000 };
const OTHER: ReadonlyMap<Currency, Currency> = new Map([
  ['USD', 'KRW'],
  ['KRW', 'USD'],
]);

export const isTrade = (entry: NewTransaction): entry is Trade =>
  entry.kind === 'buy' || entry.kind === 'sell';

/** The factor between two prices, at least 1. */
export const timesOff = (price: Decimal, other: Decimal): Decimal =>
  price.greaterThan(other) ? price.dividedBy(other) : other.dividedBy(price);

export const dayAnomaly = (
  { instrument, date, time }: Trade,
  today: Temporal.PlainDate,
): Extract<Anomaly, { readonly kind: 'closed-day' }> | undefined => {
  const closed = closureOn(instrument, date, time);
  if (!closed) return undefined;
  const nearest = tradingDatesAround(instrument, date).filter(
    (each) => Temporal.PlainDate.compare(each, today) <= 0,
  );
  return { kind: 'closed-day', closed, nearest };
};

const FIRST_YEAR = 1970;

/** An earlier year is a slip. */
export const isEarly = ({ year }: Temporal.PlainDate): boolean => year < FIRST_YEAR;

/** From the earliest trading before the opening until the end of the second exchange. */
const KOREAN_HOURS = [new Temporal.PlainTime(7, 30), new Temporal.PlainTime(20)] as const;

/** Other exchanges trade around the clock at some brokers. */
export const hourAnomaly = ({ instrument, time, isOpening }: Trade): Anomaly | undefined => {
  if (!time || isOpening || marketOf(instrument) !== 'KRX') return undefined;
  const [from, until] = KOREAN_HOURS;
  const isTraded =
    Temporal.PlainTime.compare(time, from) >= 0 && Temporal.PlainTime.compare(time, until) <= 0;
  return isTraded ? undefined : { kind: 'closed-hour', time };
};

/** Finds input with two readings, such as `1억 5000` or `03/04/2026`. */
export const readingAnomalies = (
  request: RecordRequest,
  today: Temporal.PlainDate,
): readonly OtherReading[] => {
  const amounts = AMOUNT_FIELDS.flatMap((field): readonly OtherReading[] => {
    const typed = request[field]?.trim() ?? '';
    const read = readEntryNumber(typed);
    return read && read.others.length > 0
      ? [{ kind: 'other-amount', field, typed, value: read.value, others: read.others }]
      : [];
  });
  const typed = request.date?.trim() ?? '';
  const read = readEntryDate(typed, today);
  // Without a year, both languages put the month first; only a full date may follow another convention.
  const isWhole = read?.value.status === 'date' && read.value.said === 'full';
  const others = (isWhole ? read.alternatives : []).flatMap((other) =>
    other.status === 'date' && Temporal.PlainDate.compare(other.first, today) <= 0 ? [other.first] : [],
  );
  return others.length > 0 ? [...amounts, { kind: 'other-day', typed, others }] : amounts;
};

const otherMoney = (price: Decimal, own: Currency, usual: Decimal): Currency | undefined => {
  const times = timesOff(price, usual);
  const isInReach =
    times.greaterThanOrEqualTo(OTHER_MONEY.least) && times.lessThanOrEqualTo(OTHER_MONEY.most);
  // Amounts in won are the larger numbers.
  const isWay = own === 'USD' ? price.greaterThan(usual) : price.lessThan(usual);
  return isInReach && isWay ? OTHER.get(own) : undefined;
};

const fits = (price: Decimal, reference: PriceReference): boolean =>
  reference.kind === 'range'
    ? price.greaterThanOrEqualTo(reference.low.times(1 - RANGE_SLACK)) &&
      price.lessThanOrEqualTo(reference.high.times(1 + RANGE_SLACK))
    : timesOff(price, reference.price).lessThanOrEqualTo(reference.farFactor);

/** The product of the ratios. */
export const splitFactor = (splits: PriceReference['splits']): Decimal =>
  splits.reduce<Decimal>((all, { ratio }) => all.times(ratio), ONE);

/** Converts prices that a source states in today's shares to shares of that day. */
const asOfThen = (reference: PriceReference): PriceReference => {
  const factor = splitFactor(reference.splits);
  return reference.kind === 'range'
    ? { ...reference, low: reference.low.times(factor), high: reference.high.times(factor) }
    : { ...reference, price: reference.price.times(factor) };
};

/**
 * Compares a price with the range of its day or the nearest known price. `factor` is the product of recorded later
 * splits. Splits of the source count too: an unadjusted price is equally valid.
 */
export const priceAnomaly = (
  { price, instrument }: Trade,
  reference: PriceReference | undefined,
  factor: Decimal,
  isMoneyNamed: boolean,
): Anomaly | undefined => {
  if (!reference) return undefined;
  const { splits } = reference;
  if (fits(price.dividedBy(splitFactor(splits)), reference)) return undefined;
  const counted = splits.findIndex((_split, index) =>
    fits(price.dividedBy(splitFactor(splits.slice(index + 1))), reference),
  );
  if (counted !== -1) return { kind: 'after-split', splits: splits.slice(0, counted + 1), reference };
  const adjusted = price.dividedBy(factor);
  if (fits(adjusted, reference)) return undefined;
  const usual =
    reference.kind === 'range' ? reference.low.plus(reference.high).dividedBy(2) : reference.price;
  const money = isMoneyNamed ? undefined : otherMoney(adjusted, instrument.currency, usual);
  const then = asOfThen(reference);
  if (money !== undefined) return { kind: 'other-money', money, reference: then };
  return then.kind === 'range'
    ? { kind: 'out-of-range', reference: then }
    : { kind: 'far-price', reference: then };
};

const symbolOf = (entry: NewTransaction): string | undefined => instrumentOf(entry)?.symbol;

/** The numbers that identify an entry of its kind; undefined for one that is not stated. */
const identifyingNumbers = (entry: NewTransaction): readonly (Decimal | undefined)[] => {
  if (isTrade(entry) || entry.kind === 'rights') return [entry.quantity, entry.price];
  if (entry.kind === 'split') return [entry.ratio];
  if (entry.kind === 'fx') return [entry.amount, entry.toAmount];
  if (isShareExchange(entry)) return [entry.quantity, entry.toQuantity];
  if (entry.kind === 'interest') return [entry.amount, entry.tax];
  // Unlike interest, a dividend with a tax of zero states no tax.
  if (entry.kind === 'dividend') return [entry.amount, entry.tax.isZero() ? undefined : entry.tax];
  return 'amount' in entry ? [entry.amount] : [entry.quantity];
};

/**
 * Whether both entries describe the same event. Fees, taxes, rates and notes may differ: a broker's file has them, a
 * typed entry seldom does. Different stated taxes of interest or dividends mean two payments.
 */
const isSameEvent = (one: NewTransaction, other: NewTransaction): boolean => {
  if (one.kind !== other.kind || one.currency !== other.currency || !one.date.equals(other.date))
    return false;
  if (symbolOf(one) !== symbolOf(other)) return false;
  if (one.kind === 'tax' && other.kind === 'tax' && one.isRefund !== other.isRefund) return false;
  if (one.kind === 'fx' && other.kind === 'fx' && one.toCurrency !== other.toCurrency) return false;
  const others = identifyingNumbers(other);
  return identifyingNumbers(one).every((number, index) => {
    const compared = others[index];
    return !number || !compared || number.equals(compared);
  });
};

const OF_HOLDERS: ReadonlySet<string> = new Set<NewTransaction['kind']>(['rights', 'cash-in-lieu']);
const OPENING: ReadonlySet<string> = new Set<NewTransaction['kind']>(['buy', 'rights']);

const receives = (entry: NewTransaction, symbol: string | undefined): boolean =>
  isShareExchange(entry) && entry.toInstrument.symbol === symbol;

/** Flags income that only holders get, if no purchase is recorded until then. */
export const neverHeld = (
  entry: NewTransaction,
  existing: readonly Transaction[],
): Extract<Anomaly, { readonly kind: 'never-held' }> | undefined => {
  const symbol = symbolOf(entry);
  if (!OF_HOLDERS.has(entry.kind)) return undefined;
  const isBought = existing.some(
    (each) =>
      !each.isReversed &&
      (OPENING.has(each.kind) ? symbolOf(each) === symbol : receives(each, symbol)) &&
      Temporal.PlainDate.compare(each.date, entry.date) <= 0,
  );
  return isBought ? undefined : { kind: 'never-held' };
};

/** The last counting entry that describes the same event. */
export const duplicateOf = (
  entry: NewTransaction,
  existing: readonly Transaction[],
): Extract<Anomaly, { readonly kind: 'duplicate' }> | undefined => {
  const same = existing.findLast((each) => !each.isReversed && isSameEvent(entry, each));
  return same && { kind: 'duplicate', number: same.number };
};

/** Another reading is offered if it comes this close to the known price. */
const NEAR = 2;

export const isNear = (price: Decimal, last: Decimal): boolean =>
  price.greaterThan(0) && timesOff(price, last).lessThanOrEqualTo(NEAR);

type SplitAnomaly = Extract<Anomaly, { readonly kind: 'missing-split' | 'other-ratio' | 'known-split' }>;

interface SplitContext extends OfferContext {
  readonly portfolio: PortfolioRecord;
  /** Entries that count, without reversed ones. */
  readonly existing: readonly Transaction[];
}

const isRecorded = ({ entry }: HeldSplit): boolean => entry !== undefined;

/**
 * Anomalies from the splits that a source reports: the entry relies on an unrecorded split, or is a split of another
 * ratio, or one that already counts. Empty if no source answered in time. Throws on abort alone.
 */
export const splitAnomalies = async (
  entry: NewTransaction,
  context: SplitContext,
  deps: GatherDeps,
  signal: AbortSignal,
): Promise<readonly SplitAnomaly[]> => {
  const { portfolio, existing } = context;
  if (!isTrade(entry) && entry.kind !== 'split') return [];
  const { symbol } = entry.instrument;
  // A split only affects shares that were held before it.
  const isHeld = existing.some(
    (other) => symbolOf(other) === symbol && Temporal.PlainDate.compare(other.date, entry.date) <= 0,
  );
  if (!isHeld) return [];
  const { actions } = await gatherActions({ portfolio, entries: existing, symbol }, deps, signal);
  if (entry.kind !== 'split')
    return actions
      .filter(isMissingSplit)
      .filter(({ date }) => Temporal.PlainDate.compare(date, entry.date) <= 0)
      .map((split) => ({ kind: 'missing-split', split, command: splitCommand(split, context) }));
  const daysOff = (split: HeldSplit): number => Math.abs(daysBetween(split.date, entry.date));
  // If two splits are within a few days, the entry means the one that is not recorded yet.
  const near = actions
    .filter((action): action is HeldSplit => action.kind === 'split' && daysOff(action) <= SPLIT_DAYS)
    .toSorted((a, b) => Number(isRecorded(a)) - Number(isRecorded(b)) || daysOff(a) - daysOff(b));
  const same = near.find(({ ratio }) => isSameRatio(ratio, entry.ratio));
  if (!same) return near.slice(0, 1).map((split) => ({ kind: 'other-ratio', split }));
  // An identical entry is reported as a duplicate instead.
  const isAgain = same.entry?.date.equals(entry.date) === true && same.entry.ratio.equals(entry.ratio);
  const isKnown = isRecorded(same) || same.status === 'counted' || same.status === 'mixed';
  return isKnown && !isAgain ? [{ kind: 'known-split', split: same }] : [];
};
