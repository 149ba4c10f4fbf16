import type { NewTransaction } from '#src/kernel/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';

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
export interface Moves {
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
