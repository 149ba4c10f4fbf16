import type { Instrument } from '#src/kernel/finance.ts';
import { instrumentOf, type NewTransaction } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/steps.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';

/** By how much the pieces of a day have to be multiplied to be pieces of today. */
export type SplitFactor = (symbol: string, day: number) => Decimal;

const ZERO = new Decimal(0);
const ONE = new Decimal(1);
/** What odd split ratios leave, below 10^-12 of a piece, is nothing. */
const DUST_EXPONENT = -12;

export const isDust = (quantity: Decimal): boolean => quantity.isZero() || quantity.e < DUST_EXPONENT;

/** Most were never split, and multiplying by one takes as long as by anything. */
export const adjusted = (quantity: Decimal, factor: Decimal): Decimal =>
  factor === ONE ? quantity : quantity.times(factor);

interface SplitsOf {
  /** The latest first; after each the product of it and all later ones. */
  readonly days: readonly number[];
  readonly factors: readonly Decimal[];
}

const productsOf = (splits: readonly { readonly day: number; readonly ratio: Decimal }[]): SplitsOf => {
  const latestFirst = splits.toSorted((a, b) => b.day - a.day);
  const factors: Decimal[] = [];
  for (const { ratio } of latestFirst) factors.push((factors.at(-1) ?? ONE).times(ratio));
  return { days: latestFirst.map(({ day }) => day), factors };
};

/** How many days are later; they are in falling order. */
const countAfter = (days: readonly number[], day: number): number => {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? day) > day) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** From the splits that were recorded: closes are told in pieces of today, trades in those of their day. */
export const splitFactors = (transactions: readonly NewTransaction[]): SplitFactor => {
  const splits = transactions.flatMap((entry) =>
    entry.kind === 'split'
      ? [{ symbol: entry.instrument.symbol, day: epochDay(entry.date), ratio: entry.ratio }]
      : [],
  );
  const bySymbol = new Map<string, SplitsOf>();
  for (const [symbol, own] of Map.groupBy(splits, (split) => split.symbol))
    bySymbol.set(symbol, productsOf(own));
  // Before all trades of its day: those of the same day are in new pieces already.
  return (symbol, day) => {
    const own = bySymbol.get(symbol);
    return own?.factors[countAfter(own.days, day) - 1] ?? ONE;
  };
};

/** Pieces that come (above zero) or go. */
export interface PiecesMove {
  readonly symbol: string;
  readonly quantity: Decimal;
  /** Of a trade: what one was worth then. */
  readonly price: Decimal | undefined;
}

/** What an entry does to what is held, a split aside; undefined where it does nothing. */
export const piecesMove = (entry: NewTransaction): PiecesMove | undefined => {
  if (entry.kind === 'buy')
    return { symbol: entry.instrument.symbol, quantity: entry.quantity, price: entry.price };
  if (entry.kind === 'sell')
    return { symbol: entry.instrument.symbol, quantity: entry.quantity.negated(), price: entry.price };
  const symbol = instrumentOf(entry)?.symbol ?? '';
  if (entry.kind === 'rights') return { symbol, quantity: entry.quantity, price: undefined };
  if (entry.kind === 'cash-in-lieu' && entry.quantity)
    return { symbol, quantity: entry.quantity.negated(), price: undefined };
  return undefined;
};

export interface HeldInstrument {
  readonly instrument: Instrument;
  /** Something was held when the range began. */
  readonly isHeldBefore: boolean;
}

/** Of what something was held between `from` and `to`: of these prices are needed. */
export const heldSince = function* (
  transactions: readonly NewTransaction[],
  from: number,
  to: number,
): Steps<readonly HeldInstrument[]> {
  const factorOf = splitFactors(transactions);
  const held = new Map<string, { readonly instrument: Instrument; before: Decimal; isTraded: boolean }>();
  for (const entry of transactions) {
    yield;
    const move = piecesMove(entry);
    const instrument = instrumentOf(entry);
    if (!move || !instrument) continue;
    const day = epochDay(entry.date);
    const each = held.get(instrument.symbol) ?? { instrument, before: ZERO, isTraded: false };
    held.set(instrument.symbol, each);
    if (day >= from) each.isTraded ||= day <= to;
    else {
      each.before = each.before.plus(adjusted(move.quantity, factorOf(instrument.symbol, day)));
    }
  }
  return [...held.values()].flatMap(({ instrument, before, isTraded }) => {
    const isHeldBefore = !isDust(before);
    return isHeldBefore || isTraded ? [{ instrument, isHeldBefore }] : [];
  });
};
