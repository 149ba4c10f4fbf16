import type { Instrument } from '#src/kernel/finance.ts';
import { instrumentOf, type NewTransaction } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
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

/** Above zero: it comes. */
export interface SignedMoney {
  readonly currency: Currency;
  readonly amount: Decimal;
  /** The base currency for one unit, as it was recorded. */
  readonly rate: Decimal | undefined;
}

/** What is looked at: the rest is as if it belonged to somebody else. */
export interface Included {
  /** Days since 1970-01-01: from then on money is counted. */
  readonly cashSince: number | undefined;
  readonly hasInstrument: (symbol: string) => boolean;
  readonly hasCurrency: (currency: Currency) => boolean;
}

/** What an entry does to the money in the account. */
const cashMoves = (entry: NewTransaction): readonly SignedMoney[] => {
  const { currency, rate } = entry;
  const move = (amount: Decimal): readonly SignedMoney[] => [{ currency, amount, rate }];
  switch (entry.kind) {
    case 'buy':
    case 'rights':
      return move(entry.quantity.times(entry.price).plus(entry.fee).plus(entry.tax).negated());
    case 'sell':
      return move(entry.quantity.times(entry.price).minus(entry.fee).minus(entry.tax));
    case 'dividend':
    case 'interest':
      return move(entry.amount.minus(entry.tax));
    case 'deposit':
    case 'cash-in-lieu':
      return move(entry.amount);
    case 'tax':
      return move(entry.isRefund ? entry.amount : entry.amount.negated());
    case 'fee':
    case 'withdrawal':
      return move(entry.amount.negated());
    case 'fx':
      return [
        ...move(entry.amount.negated()),
        { currency: entry.toCurrency, amount: entry.toAmount, rate: entry.toRate },
      ];
    case 'split':
    default:
      return [];
  }
};

/** The other side of it is outside of what is looked at. */
const isFromOutside = (entry: NewTransaction, included: Included): boolean => {
  switch (entry.kind) {
    case 'deposit':
    case 'withdrawal':
      return true;
    case 'buy':
    case 'sell':
    case 'dividend':
    case 'cash-in-lieu':
    case 'rights':
      return !included.hasInstrument(entry.instrument.symbol);
    case 'fx':
      return !included.hasCurrency(entry.currency) || !included.hasCurrency(entry.toCurrency);
    case 'tax':
      return entry.instrument !== undefined && !included.hasInstrument(entry.instrument.symbol);
    case 'fee':
    case 'interest':
    case 'split':
      return false;
    default:
      return false;
  }
};

const negated = ({ amount, ...money }: SignedMoney): SignedMoney => ({ ...money, amount: amount.negated() });

/** What moves in the account by an entry, and what comes from outside (above zero) or leaves. */
interface Moves {
  readonly cash: readonly SignedMoney[];
  readonly external: readonly SignedMoney[];
}

/**
 * Where money is counted, deposits and withdrawals come from outside, and whatever is paid for or by something that is
 * left out. Otherwise every trade, dividend and fee is paid from outside or to there.
 */
export const movesOf = (entry: NewTransaction, day: number, included: Included): Moves => {
  const cash = cashMoves(entry).filter(({ currency }) => included.hasCurrency(currency));
  if (included.cashSince !== undefined && day >= included.cashSince)
    return { cash, external: isFromOutside(entry, included) ? cash : [] };
  const isOutside = entry.kind !== 'fee' && isFromOutside(entry, included);
  return { cash: [], external: isOutside ? [] : cash.map(negated) };
};
