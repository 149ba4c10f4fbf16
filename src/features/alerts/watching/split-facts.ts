import type { AlertCondition, AlertRecord } from '#src/kernel/people/alerts.ts';
import type { CorporateAction, CorporateActionsResult } from '#src/kernel/market/corporate-action.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type AlertMemory, memoryOf, readMemory, writeMemory } from './alert-memory.ts';
import { apart, nearest } from '#src/markets/sources/split-doubt.ts';

export type SplitNotice = Extract<CorporateAction, { readonly kind: 'split' }>;

export type SplitFacts =
  | { readonly status: 'ok'; readonly splits: readonly SplitNotice[] }
  | { readonly status: 'unavailable' };

export const splitFactsOf = (result: CorporateActionsResult): SplitFacts =>
  result.status === 'ok'
    ? {
        status: 'ok',
        splits: result.actions.filter(
          (action): action is SplitNotice => action.kind === 'split' && action.ratio.greaterThan(0),
        ),
      }
    : result;

const ONE = new Decimal(1);

/** The number of shares after all splits for one share before. */
export const ratioOf = (splits: readonly SplitNotice[]): Decimal =>
  splits.reduce((product, { ratio }) => product.times(ratio), ONE);

/** The splits after one day, up to and including another. */
export const splitsBetween = (
  splits: readonly SplitNotice[],
  after: string,
  last: string,
): readonly SplitNotice[] => splits.filter(({ date }) => date.toString() > after && date.toString() <= last);

export const splitsOn = (splits: readonly SplitNotice[], day: string): readonly SplitNotice[] =>
  splits.filter(({ date }) => date.toString() === day);

/** Prices move this much in a day, so a split this small shows only by its date. */
const SMALL = 0.2;
/** The tolerance for a price that moved by the ratio of a split. */
const EXACT = 0.1;
/** An older price says nothing about the move of a day. */
const RECENT_DAYS = 7;

export const isRecent = (day: string, today: string): boolean =>
  Temporal.PlainDate.from(day).until(Temporal.PlainDate.from(today)).days <= RECENT_DAYS;

/**
 * The splits that are in the price but not yet in the numbers of the alert. None where the remembered price shows that a
 * split has not reached the price yet, or was in it already.
 */
export const pendingSplits = (
  alert: Pick<AlertRecord, 'memory' | 'split'>,
  splits: readonly SplitNotice[],
  { price, day, createdOn }: { readonly price: Decimal; readonly day: string; readonly createdOn: string },
): readonly SplitNotice[] => {
  if (splits.length === 0) return [];
  const { seen } = memoryOf(alert);
  const applied = alert.split?.date ?? '';
  const later = splitsBetween(splits, seen?.[0] ?? createdOn, day).filter(
    ({ date }) => date.toString() > applied,
  );
  if (!seen) return later;
  const [seenOn, before] = [seen[0], new Decimal(seen[1])];
  if (later.length === 0) {
    // The source may have given unadjusted prices at the beginning of the day.
    const late = seenOn === applied ? [] : splitsOn(splits, seenOn);
    return late.length > 0 && apart(before.dividedBy(ratioOf(late)), price) < EXACT ? late : [];
  }
  const ratio = ratioOf(later);
  const isClear = apart(ratio, ONE) > SMALL && isRecent(seenOn, day);
  const adjusted = before.dividedBy(ratio);
  return !isClear || nearest(price, [before, adjusted]) === adjusted ? later : [];
};

const MIN_DIGITS = 4;

/** Rounds to the decimals of the market or of the typed price; small prices keep at least four digits. */
const adjustedPrice = (value: Decimal, ratio: Decimal, { priceDecimals }: Instrument): Decimal => {
  const exact = value.dividedBy(ratio);
  const rounded = exact.toDecimalPlaces(Math.max(priceDecimals, value.decimalPlaces()));
  return rounded.precision() < MIN_DIGITS && !rounded.equals(exact)
    ? exact.toSignificantDigits(MIN_DIGITS)
    : rounded;
};

const EXTREME_DIGITS = 12;

const adjustedText = (value: string, ratio: Decimal): string =>
  new Decimal(value).dividedBy(ratio).toSignificantDigits(EXTREME_DIGITS).toFixed();

/** The price in a condition, if it has one. */
const priceIn = (condition: AlertCondition): Decimal | undefined => {
  if ('price' in condition) return condition.price;
  return condition.kind === 'change' ? condition.basePrice : undefined;
};

const adjustedCondition = (
  condition: AlertCondition,
  ratio: Decimal,
  instrument: Instrument,
): AlertCondition => {
  if ('price' in condition) return { ...condition, price: adjustedPrice(condition.price, ratio, instrument) };
  return condition.kind === 'change' && condition.basePrice
    ? { ...condition, basePrice: adjustedPrice(condition.basePrice, ratio, instrument) }
    : condition;
};

/** Whether the alert has or remembers a price that a split changes. */
export const dependsOnSplits = (alert: Pick<AlertRecord, 'condition' | 'memory'>): boolean =>
  priceIn(alert.condition) !== undefined || memoryOf(alert).extreme !== undefined;

const adjustedMemory = (
  { unfit: _over, ...memory }: AlertMemory,
  ratio: Decimal,
  seen: NonNullable<AlertMemory['seen']>,
): AlertMemory => ({
  ...memory,
  seen,
  ...(memory.extreme !== undefined && { extreme: adjustedText(memory.extreme, ratio) }),
  ...(memory.range && {
    range: [
      memory.range[0],
      adjustedText(memory.range[1], ratio),
      adjustedText(memory.range[2], ratio),
    ] as const,
  }),
});

/** Adjusts an alert to these splits. The price includes them. */
export const rescaled = (
  { condition, instrument, memory }: AlertRecord,
  splits: readonly [SplitNotice, ...SplitNotice[]],
  { price, day }: { readonly price: Decimal; readonly day: string },
): Required<Pick<AlertRecord, 'condition' | 'memory' | 'split'>> => {
  const ratio = ratioOf(splits);
  const was = priceIn(condition)?.toFixed();
  const parts = splits
    .map((split) => ({ date: split.date.toString(), ratio: split.ratio.toFixed() }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const date = parts.at(-1)?.date ?? day;
  return {
    condition: adjustedCondition(condition, ratio, instrument),
    memory: writeMemory(adjustedMemory(readMemory(memory), ratio, [day, price.toFixed()])),
    split: {
      date,
      ratio: ratio.toFixed(),
      ...(parts.length > 1 && { parts }),
      ...(was !== undefined && { was }),
    },
  };
};
