import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Transaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { differsLikeSplit, mayStillBeSplit, nearest } from '#src/markets/sources/split-doubt.ts';
import type { KnownActions } from './corporate-actions.ts';
import type { HeldAction } from './held-actions.ts';
import { isBefore } from '../ledger/share-count.ts';

interface DatedRatio {
  readonly date: Temporal.PlainDate;
  readonly ratio: Decimal;
}

const splitsIn = (all: readonly (HeldAction | Transaction | KnownActions['actions'][number])[]) =>
  all.filter((each): each is typeof each & DatedRatio => each.kind === 'split' && 'ratio' in each);

const ratioAfter = (splits: readonly DatedRatio[], day: Temporal.PlainDate): Decimal =>
  splits.reduce(
    (ratio, split) => (isBefore(day, split.date) ? ratio.times(split.ratio) : ratio),
    new Decimal(1),
  );

const dayOf = ({ instrument, asOf }: Quote): Temporal.PlainDate =>
  asOf.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();

/** The facts without splits of a day that the price is from before. */
export const inPrice = (known: KnownActions, quote: Quote | undefined): KnownActions => {
  if (!quote) return known;
  const day = dayOf(quote);
  return {
    ...known,
    actions: known.actions.filter(({ kind, date }) => kind !== 'split' || !isBefore(day, date)),
  };
};

/** Whether the price, or the close before it, is near the last known close. */
const fitsClose = (
  { price, previousClose, doubt }: Quote,
  { date, price: close }: NonNullable<KnownActions['close']>,
  ways: readonly (readonly DatedRatio[])[],
): boolean =>
  ways.some((splits) => {
    const expected = close.dividedBy(ratioAfter(splits, date));
    const before = doubt?.previousClose ?? previousClose ?? price;
    return !differsLikeSplit(nearest(expected, [price, before]), expected);
  });

/** Whether the splits that somebody recorded explain what the quote contradicts. */
const isExplainedBy = (
  own: readonly DatedRatio[],
  { price, doubt }: Quote,
  day: Temporal.PlainDate,
): boolean => {
  const ratio = ratioAfter(own, day.subtract({ days: 1 }));
  return (
    !ratio.equals(1) &&
    !differsLikeSplit(price, (doubt?.previousClose ?? price.times(ratio)).dividedBy(ratio))
  );
};

interface Priced {
  readonly instrument: Instrument;
  readonly entries: readonly Transaction[];
  readonly known: KnownActions;
  /** What the owner makes of it. */
  readonly actions: readonly HeldAction[];
  readonly quote: Quote | undefined;
  readonly today: Temporal.PlainDate;
}

/**
 * Whether a holding's price may be counted in other shares than its entries. `settled`: its owner has answered that, with a
 * split or with "it is none".
 */
export type PriceState = 'sure' | 'doubt' | 'settled';

export const priceState = ({ instrument, entries, known, actions, quote, today }: Priced): PriceState => {
  const gaps = actions.filter(({ kind, date }) => kind === 'gap' && mayStillBeSplit(instrument, date, today));
  if (gaps.some(({ status }) => status === 'check')) return 'doubt';
  if (!quote || quote.isSample) return 'sure';
  const day = dayOf(quote);
  const own = splitsIn(entries);
  // A split that somebody recorded before anything was traded at its price.
  if (own.some(({ date }) => isBefore(day, date) && !isBefore(today, date))) return 'doubt';
  if (quote.doubt)
    return gaps.some(({ date }) => date.equals(day)) || isExplainedBy(own, quote, day) ? 'settled' : 'doubt';
  const { close } = known;
  const isOdd =
    close && !isBefore(day, close.date) && !fitsClose(quote, close, [splitsIn(known.actions), own]);
  return isOdd ? 'doubt' : 'sure';
};
