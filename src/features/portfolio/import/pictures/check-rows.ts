import { type Currency, Decimal, smallestUnit } from '#src/kernel/money.ts';
import {
  dividedBy,
  exactly,
  minus,
  overlaps,
  plus,
  type Range,
  type Shown,
  type ShownRow,
  times,
} from './shown-numbers.ts';

/** A calculation with the numbers of a row. */
export type RowSum =
  /** Quantity × average price is the cost. */
  | 'cost'
  /** The same where the picture shows no cost: the value less the gain. */
  | 'paid'
  /** Quantity × the difference of both prices is the gain. */
  | 'difference'
  /** Quantity × price is the value. */
  | 'value'
  /** Value less cost is the gain. */
  | 'gain'
  /** The gain as a share of the cost. */
  | 'percent'
  /** Quantity × price is the amount of a trade. */
  | 'amount'
  /** The amount with fees and taxes is what was settled. */
  | 'settled';

/** Why a row is not trusted. */
export type Doubt =
  | {
      readonly kind: 'row';
      readonly sum: RowSum;
      readonly shown: Decimal;
      readonly computed: Decimal;
      /** Undefined for percentages, and where the picture names none. */
      readonly currency: Currency | undefined;
    }
  | { readonly kind: 'unread'; readonly written: string }
  /** No other number on the picture confirms the quantity or the price. */
  | { readonly kind: 'unchecked' }
  /** Every row adds up by itself, but all together differ from a total. */
  | { readonly kind: 'total' };

export interface CheckedRow {
  readonly row: ShownRow;
  /** Undefined if the picture does not show enough to record the row. */
  readonly price: Decimal | undefined;
  /** The cost of a holding, or the amount of a trade, from the numbers that would be recorded. */
  readonly cost: Range | undefined;
  readonly currency: Currency | undefined;
  /** Another number of the row confirms the quantity, and the price. */
  readonly isProven: boolean;
  /** The total of all costs confirms them too, because every recorded number is part of it. */
  readonly isInTotal: boolean;
  readonly doubts: readonly Doubt[];
}

/** The price of the recorded entry is as exact as a ledger stores it. */
const PRICE_DECIMALS = 15;
/** Gains of Korean apps are after the fees and taxes of a sale, which are less than this share of the value. */
const MAX_SELLING_COSTS = new Decimal('0.005');
const HUNDRED = exactly(new Decimal(100));

/** Numbers can only be compared in one currency. */
const areAlike = (...numbers: readonly (Shown | undefined)[]): boolean =>
  new Set(numbers.flatMap((each) => (each ? [each.currency] : []))).size <= 1;

interface Comparison {
  readonly sum: RowSum;
  readonly shown: Shown;
  readonly computed: Range;
  readonly isFit: boolean;
}

const compare = (
  sum: RowSum,
  shown: Shown,
  computed: Range,
  isFit = overlaps(shown.range, computed),
): Comparison => ({
  sum,
  shown,
  computed,
  isFit,
});

const doubtsIn = ({ unread }: ShownRow, compared: readonly Comparison[]): readonly Doubt[] => [
  ...unread.map((written) => ({ kind: 'unread', written }) as const),
  ...compared.flatMap(({ sum, shown, computed, isFit }): readonly Doubt[] => {
    if (isFit) return [];
    const currency = sum === 'percent' ? undefined : shown.currency;
    return [{ kind: 'row', sum, shown: shown.value, computed: computed.value, currency }];
  }),
];

const holds = (compared: readonly Comparison[], ...sums: readonly RowSum[]): boolean =>
  compared.some(({ sum, isFit }) => isFit && sums.includes(sum));

/** The price that gives the total exactly, where the shown price was rounded. */
const exactPrice = (shown: Shown, quantity: Shown, total: Decimal | undefined): Decimal =>
  !total || shown.value.times(quantity.value).equals(total)
    ? shown.value
    : total.dividedBy(quantity.value).toDecimalPlaces(PRICE_DECIMALS);

/** The cost that the row states beside the average price, directly or by its gain. */
const statedCost = (
  { quantity, price, cost, value, gain }: ShownRow,
  compared: readonly Comparison[],
): Decimal | undefined => {
  if (holds(compared, 'cost')) return cost?.value;
  const worth = holds(compared, 'paid')
    ? value?.value
    : holds(compared, 'difference') && quantity && price
      ? quantity.value.times(price.value)
      : undefined;
  const paid = gain && worth?.minus(gain.value);
  return paid?.toDecimalPlaces(smallestUnit(gain?.currency ?? '').decimalPlaces());
};

const comparisonsOf = ({ quantity, averagePrice, price, cost, value, gain, gainPercent }: ShownRow) => {
  const found: Comparison[] = [];
  const bought = quantity && averagePrice && times(quantity.range, averagePrice.range);
  const worth = quantity && price && times(quantity.range, price.range);
  if (bought && cost && areAlike(averagePrice, cost)) found.push(compare('cost', cost, bought));
  if (worth && value && areAlike(price, value)) found.push(compare('value', value, worth));
  if (value && cost && gain && areAlike(value, cost, gain)) {
    const plain = minus(value.range, cost.range);
    const isConfirmed = holds(found, 'cost') && holds(found, 'value');
    const costs = value.range.high.abs().times(isConfirmed ? MAX_SELLING_COSTS : 0);
    const isFit = overlaps(gain.range, { low: plain.low.minus(costs), high: plain.high });
    found.push(compare('gain', gain, plain, isFit));
  }
  // Without the cost on the picture, the value less the gain is the cost.
  if (!cost && bought && value && gain && areAlike(averagePrice, value, gain)) {
    const range = minus(value.range, gain.range);
    const shown = { ...value, value: value.value.minus(gain.value), range };
    found.push(compare('paid', shown, bought));
  } else if (!cost && !value && bought && worth && gain && areAlike(averagePrice, price, gain))
    found.push(compare('difference', gain, minus(worth, bought)));
  const base =
    cost?.range ?? (value && gain && areAlike(value, gain) ? minus(value.range, gain.range) : bought);
  const isOneMoney = areAlike(cost ?? value ?? averagePrice, gain);
  const share = gain && base && isOneMoney ? dividedBy(times(gain.range, HUNDRED), base) : undefined;
  if (gainPercent && share) found.push(compare('percent', gainPercent, share));
  return found;
};

/** Checks one position: its quantity and its average price must fit the other numbers of the row. */
export const checkHolding = (row: ShownRow): CheckedRow => {
  const { quantity, averagePrice, cost, value, gain } = row;
  const compared = comparisonsOf(row);
  // An app that shows no average price shows the cost, or the value and the gain.
  const known = cost ?? (value && gain && areAlike(value, gain) ? value : undefined);
  const total = cost?.range ?? (known && gain ? minus(known.range, gain.range) : undefined);
  const isCounted = quantity !== undefined && quantity.value.greaterThan(0);
  const derived =
    isCounted && known && !averagePrice
      ? (cost?.value ?? known.value.minus(gain?.value ?? 0)).dividedBy(quantity.value)
      : undefined;
  const price =
    isCounted && averagePrice
      ? exactPrice(averagePrice, quantity, statedCost(row, compared))
      : derived?.toDecimalPlaces(PRICE_DECIMALS);
  const isProven = averagePrice
    ? holds(compared, 'cost', 'paid', 'difference')
    : holds(compared, 'value') && holds(compared, 'gain');
  return {
    row,
    price,
    cost: quantity && averagePrice ? times(quantity.range, averagePrice.range) : total,
    currency: (averagePrice ?? known)?.currency ?? row.currency,
    isProven,
    isInTotal: quantity !== undefined && (averagePrice !== undefined || holds(compared, 'value')),
    doubts: doubtsIn(row, compared),
  };
};

/** Checks one trade: its quantity and its price must fit its amount, and its charges what was settled. */
export const checkTrade = (row: ShownRow): CheckedRow => {
  const { quantity, price, value, settled, fee, tax } = row;
  const compared: Comparison[] = [];
  const gross = quantity && price && times(quantity.range, price.range);
  if (gross && value && areAlike(price, value)) compared.push(compare('amount', value, gross));
  const charges = [fee, tax].flatMap((each) => (each ? [each.range] : []));
  const before = value ? (charges.length > 0 ? value : undefined) : price;
  const amount = value?.range ?? gross;
  if (settled && before && amount && areAlike(before, settled, fee, tax)) {
    const all = charges.reduce(plus, exactly(new Decimal(0)));
    const paid = { ...settled, value: settled.value.abs(), range: roundedAbs(settled.range) };
    const sides = [plus(amount, all), minus(amount, all)];
    const fitting = sides.find((side) => overlaps(side, paid.range));
    compared.push(
      compare(value ? 'settled' : 'amount', paid, fitting ?? sides[0] ?? amount, fitting !== undefined),
    );
  }
  const isFit = holds(compared, 'amount');
  return {
    row,
    price: quantity && price && exactPrice(price, quantity, value && isFit ? value.value : undefined),
    cost: gross,
    currency: (price ?? value ?? settled)?.currency ?? row.currency,
    isProven: isFit,
    isInTotal: gross !== undefined,
    doubts: doubtsIn(row, compared),
  };
};

/** Some apps write what was paid with a minus. */
const roundedAbs = (range: Range): Range =>
  range.high.isNegative() ? minus(exactly(new Decimal(0)), range) : range;
