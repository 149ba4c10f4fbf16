import { Decimal } from '#src/kernel/money.ts';
import { Exact, sumOf, ZERO } from '../ledger/fixed-point.ts';

/** A holding or target. Amounts are in the portfolio's currency. */
export interface PlanItem {
  /** The price of one share, positive. */
  readonly price: Decimal;
  readonly held: Decimal;
  /** Percent of the total. */
  readonly target: Decimal;
  /** The smallest tradable quantity: one share, a lot of them, or a small part of a coin. */
  readonly step: Decimal;
  /** The transaction tax of a sale of that quantity. */
  readonly sellTax: (quantity: Decimal) => Decimal;
}

export interface PlanTerms {
  /** Negative if cash is owed. */
  readonly cash: Decimal;
  readonly cashTarget: Decimal;
  /** Cash that is added now. */
  readonly newMoney: Decimal;
  /** If false, only the new money is spent and nothing is sold. */
  readonly canSell: boolean;
  /** Deviations up to this many percentage points are left alone. */
  readonly band: Decimal;
  /** Percent of the traded amount. */
  readonly feePercent: Decimal;
  /** Decimals of the portfolio's currency. */
  readonly decimals: number;
}

export interface PlannedTrade {
  /** Shares to buy, or to sell if negative. */
  readonly quantity: Decimal;
  /** Their value at the current price without charges; never negative. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly tax: Decimal;
}

export interface Plan {
  /** The total value with cash and new money, before charges. */
  readonly total: Decimal;
  /** One trade for each item, in the same order. */
  readonly trades: readonly PlannedTrade[];
  /** Exact: cash, new money and proceeds, less purchases and all charges. Never negative. */
  readonly cashAfter: Decimal;
}

const HUNDRED = 100;
/**
 * Charges reduce the available money, which changes the charges; this many rounds suffice for fees of a few percent.
 */
const ROUNDS = 3;

/** What can be sold without selling all: of a lot of several shares only whole lots, of others also fractions. */
const sellable = ({ held, step }: PlanItem): Decimal => (step.greaterThan(1) ? floored(held, step) : held);

const inSteps = (quantity: Decimal, step: Decimal, rounding: Decimal.Rounding): Decimal =>
  quantity.dividedBy(step).toDecimalPlaces(0, rounding).times(step);

const nearest = (quantity: Decimal, step: Decimal): Decimal => inSteps(quantity, step, Decimal.ROUND_HALF_UP);
const floored = (quantity: Decimal, step: Decimal): Decimal => inSteps(quantity, step, Decimal.ROUND_FLOOR);

/** Rounds so that the plan adds up: purchases and charges are never too small, and a sale is rounded as it is shown. */
const tradeOf = (
  { price, sellTax }: PlanItem,
  quantity: Decimal,
  { feePercent, decimals }: PlanTerms,
): PlannedTrade => {
  const isSale = quantity.isNegative();
  const exact = new Exact(price).times(quantity.abs());
  const amount = exact.toDecimalPlaces(decimals, isSale ? Decimal.ROUND_HALF_CEIL : Decimal.ROUND_CEIL);
  const fee = amount.times(feePercent).dividedBy(HUNDRED).toDecimalPlaces(decimals, Decimal.ROUND_CEIL);
  const tax = isSale ? sellTax(quantity.abs()).toDecimalPlaces(decimals, Decimal.ROUND_CEIL) : ZERO;
  return { quantity, amount, fee, tax };
};

const chargesOf = (trades: readonly PlannedTrade[]): Decimal =>
  sumOf(trades.map(({ fee, tax }) => fee.plus(tax)));

const cashAfter = (trades: readonly PlannedTrade[], start: Decimal): Decimal =>
  sumOf(
    trades.map(({ quantity, amount, fee, tax }) =>
      (quantity.isNegative() ? amount : amount.negated()).minus(fee).minus(tax),
    ),
  ).plus(start);

type Quantities = readonly Decimal[];

interface Draft {
  readonly items: readonly PlanItem[];
  readonly terms: PlanTerms;
  readonly start: Decimal;
  readonly quantities: Quantities;
  /** The ideal trades if shares were divisible. */
  readonly wanted: Quantities;
}

const tradesOf = ({ items, terms, quantities }: Pick<Draft, 'items' | 'terms' | 'quantities'>) =>
  items.map((item, index) => tradeOf(item, quantities[index] ?? ZERO, terms));

const missing = (draft: Draft): Decimal => cashAfter(tradesOf(draft), draft.start).negated();

/** Reduces quantities one by one while money is missing, starting with the one farthest above its ideal. */
const whileShort = (
  draft: Draft,
  change: (item: PlanItem, quantity: Decimal, wanted: Decimal, short: Decimal) => Decimal,
): Draft => {
  const { items, quantities, wanted: exact } = draft;
  const above = items.map(({ step }, index) =>
    (quantities[index] ?? ZERO).minus(exact[index] ?? ZERO).dividedBy(step),
  );
  const order = [...items.keys()].toSorted(
    (a, b) => (above[b] ?? ZERO).comparedTo(above[a] ?? ZERO) || a - b,
  );
  let chosen = quantities;
  for (const index of order) {
    const item = items[index];
    const short = missing({ ...draft, quantities: chosen });
    if (!item || short.lessThanOrEqualTo(0)) break;
    const next = change(item, chosen[index] ?? ZERO, exact[index] ?? ZERO, short);
    chosen = chosen.with(index, next);
  }
  return { ...draft, quantities: chosen };
};

const buyingLess = (draft: Draft): Draft =>
  whileShort(draft, ({ price, step }, quantity, _wanted, short) => {
    if (!quantity.greaterThan(0)) return quantity;
    const steps = short.dividedBy(price).dividedBy(step).toDecimalPlaces(0, Decimal.ROUND_CEIL);
    return Decimal.max(ZERO, quantity.minus(steps.times(step)));
  });

/**
 * Keeps the plan affordable: purchases that were rounded up are rounded down first, then sales that were rounded down
 * are rounded up, and only then less is bought.
 */
const affordable = (draft: Draft): Draft => {
  const lessBought = whileShort(draft, ({ step }, quantity, wanted) =>
    quantity.greaterThan(wanted) && quantity.greaterThan(0) ? quantity.minus(step) : quantity,
  );
  const moreSold = whileShort(lessBought, (item, quantity, wanted) =>
    quantity.greaterThan(wanted) && wanted.isNegative()
      ? Decimal.max(quantity.minus(item.step), sellable(item).negated())
      : quantity,
  );
  return buyingLess(moreSold);
};

const isWithinBand = ({ price, held, target }: PlanItem, total: Decimal, band: Decimal): boolean =>
  band.greaterThan(0) &&
  price.times(held).times(HUNDRED).dividedBy(total).minus(target).abs().lessThanOrEqualTo(band);

const balanced = (items: readonly PlanItem[], terms: PlanTerms, total: Decimal): readonly PlannedTrade[] => {
  const start = terms.cash.plus(terms.newMoney);
  let trades: readonly PlannedTrade[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const goal = total.minus(chargesOf(trades));
    const wanted = items.map((item) => {
      const { price, held, target } = item;
      if (isWithinBand(item, total, terms.band)) return ZERO;
      if (target.isZero()) return held.negated();
      return goal.times(target).dividedBy(HUNDRED).minus(price.times(held)).dividedBy(price);
    });
    const quantities = items.map((item, index) => {
      const { step, target } = item;
      const want = wanted[index] ?? ZERO;
      if (!want.isNegative()) return nearest(want, step);
      // A full sale includes fractions that could not be sold alone.
      return target.isZero() ? want : Decimal.min(nearest(want.negated(), step), sellable(item)).negated();
    });
    const draft = affordable({ items, terms, start, quantities, wanted });
    trades = tradesOf(draft);
  }
  return trades;
};

/** Spends the new money in proportion to what is missing; nothing is sold. */
const boughtWith = (
  items: readonly PlanItem[],
  terms: PlanTerms,
  total: Decimal,
): readonly PlannedTrade[] => {
  const { newMoney, cash, cashTarget, feePercent } = terms;
  const lack = (target: Decimal, has: Decimal): Decimal =>
    Decimal.max(ZERO, total.times(target).dividedBy(HUNDRED).minus(has));
  const lacks = items.map(({ price, held, target }) => lack(target, price.times(held)));
  const kept = lack(cashTarget, cash);
  const all = sumOf([...lacks, kept]);
  if (!all.greaterThan(0)) return tradesOf({ items, terms, quantities: items.map(() => ZERO) });
  const share = Decimal.min(1, newMoney.dividedBy(all));
  const spendable = newMoney.minus(kept.times(share));
  const withFee = feePercent.dividedBy(HUNDRED).plus(1);
  const wanted = items.map(({ price }, index) =>
    (lacks[index] ?? ZERO).times(share).dividedBy(price.times(withFee)),
  );
  const floors = items.map(({ step }, index) => floored(wanted[index] ?? ZERO, step));
  // Fees are rounded up for each trade.
  const { quantities } = buyingLess({ items, terms, start: spendable, quantities: floors, wanted });
  const rests = items.map(({ step }, index) =>
    (wanted[index] ?? ZERO).minus(quantities[index] ?? ZERO).dividedBy(step),
  );
  const byRest = [...items.keys()].toSorted(
    (a, b) => (rests[b] ?? ZERO).comparedTo(rests[a] ?? ZERO) || a - b,
  );
  let chosen: Quantities = quantities;
  const isAffordable = (some: Quantities): boolean =>
    !cashAfter(tradesOf({ items, terms, quantities: some }), spendable).isNegative();
  for (const index of byRest) {
    const [item, quantity] = [items[index], chosen[index]];
    if (!item || !quantity || !(lacks[index] ?? ZERO).greaterThan(item.price.times(quantity))) continue;
    const more = chosen.with(index, quantity.plus(item.step));
    if (isAffordable(more)) chosen = more;
  }
  return tradesOf({ items, terms, quantities: chosen });
};

/** The trades that bring everything as near to its target as whole shares and the money allow. */
export const planTrades = (items: readonly PlanItem[], terms: PlanTerms): Plan => {
  const start = new Exact(terms.cash).plus(terms.newMoney);
  const total = sumOf(items.map(({ price, held }) => new Exact(price).times(held))).plus(start);
  const trades = total.greaterThan(0)
    ? terms.canSell
      ? balanced(items, terms, total)
      : boughtWith(items, terms, total)
    : tradesOf({ items, terms, quantities: items.map(() => ZERO) });
  return { total, trades, cashAfter: cashAfter(trades, start) };
};
