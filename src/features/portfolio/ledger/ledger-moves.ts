import type { Instrument } from '#src/kernel/market/finance.ts';
import { instrumentOf, isOpening, isShareTransfer, type NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { epochDay, lastIndexUpTo } from '#src/markets/performance/epoch-day.ts';

/** The factor that converts shares of a day to today's shares. */
export type SplitFactor = (symbol: string, day: number) => Decimal;

const ZERO = new Decimal(0);
const ONE = new Decimal(1);
/** Remainders of uneven split ratios below 10^-12 of a share count as zero. */
const DUST_EXPONENT = -12;

export const isDust = (quantity: Decimal): boolean => quantity.isZero() || quantity.e < DUST_EXPONENT;

/** Most instruments never split, and multiplying by one costs as much as any multiplication. */
export const adjusted = (quantity: Decimal, factor: Decimal): Decimal =>
  factor === ONE ? quantity : quantity.times(factor);

/** Oldest first; each factor is the product of its split and all later ones. */
const productsOf = (splits: readonly { readonly day: number; readonly ratio: Decimal }[]) => {
  const oldestFirst = splits.toSorted((a, b) => a.day - b.day);
  const factors: Decimal[] = [];
  for (const { ratio } of oldestFirst.toReversed()) factors.push((factors.at(-1) ?? ONE).times(ratio));
  return { days: oldestFirst.map(({ day }) => day), factors: factors.toReversed() };
};

/** Factors from recorded splits: closes are in today's shares, trades in those of their day. */
export const splitFactors = (transactions: readonly NewTransaction[]): SplitFactor => {
  const splits = transactions.flatMap((entry) =>
    entry.kind === 'split'
      ? [{ symbol: entry.instrument.symbol, day: epochDay(entry.date), ratio: entry.ratio }]
      : [],
  );
  const bySymbol = new Map(
    [...Map.groupBy(splits, ({ symbol }) => symbol)].map(([symbol, own]) => [symbol, productsOf(own)]),
  );
  // A split precedes the trades of its day, which are already in new shares.
  return (symbol, day) => {
    const own = bySymbol.get(symbol);
    return own?.factors[lastIndexUpTo(own.days, day) + 1] ?? ONE;
  };
};

/** Shares that are added (positive) or removed. */
export interface PiecesMove {
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** The price of a trade. */
  readonly price: Decimal | undefined;
}

/** The changes of holdings by an entry other than a split. */
export const piecesMoves = (entry: NewTransaction): readonly PiecesMove[] => {
  const instrument = instrumentOf(entry);
  if (!instrument) return [];
  const price = undefined;
  switch (entry.kind) {
    case 'buy':
      return [{ instrument, quantity: entry.quantity, price: entry.price }];
    case 'sell':
      return [{ instrument, quantity: entry.quantity.negated(), price: entry.price }];
    case 'rights':
      return [{ instrument, quantity: entry.quantity, price }];
    case 'cash-in-lieu':
    case 'capital-return':
      return entry.quantity ? [{ instrument, quantity: entry.quantity.negated(), price }] : [];
    case 'spin-off':
    case 'merger':
      return [
        ...(entry.quantity.isZero() ? [] : [{ instrument, quantity: entry.quantity.negated(), price }]),
        { instrument: entry.toInstrument, quantity: entry.toQuantity, price },
      ];
    case 'transfer-in':
    case 'transfer-out':
      return isShareTransfer(entry)
        ? [
            {
              instrument,
              quantity: entry.kind === 'transfer-in' ? entry.quantity : entry.quantity.negated(),
              price,
            },
          ]
        : [];
    case 'dividend':
    case 'split':
    case 'tax':
    case 'fee':
    case 'fx':
    case 'interest':
    case 'deposit':
    case 'withdrawal':
    default:
      return [];
  }
};

export interface HeldInstrument {
  readonly instrument: Instrument;
  /** The instrument was held when the range began. */
  readonly isHeldBefore: boolean;
}

/** The instruments held between `from` and `to`, whose prices are needed. */
export const heldSince = function* (
  transactions: readonly NewTransaction[],
  from: number,
  to: number,
): Steps<readonly HeldInstrument[]> {
  const factorOf = splitFactors(transactions);
  const held = new Map<string, { readonly instrument: Instrument; before: Decimal; isTraded: boolean }>();
  for (const entry of transactions) {
    yield;
    const day = epochDay(entry.date);
    for (const { instrument, quantity } of piecesMoves(entry)) {
      const each = held.get(instrument.symbol) ?? { instrument, before: ZERO, isTraded: false };
      held.set(instrument.symbol, each);
      if (day >= from) each.isTraded ||= day <= to;
      else each.before = each.before.plus(adjusted(quantity, factorOf(instrument.symbol, day)));
    }
  }
  return [...held.values()].flatMap(({ instrument, before, isTraded }) => {
    const isHeldBefore = !isDust(before);
    return isHeldBefore || isTraded ? [{ instrument, isHeldBefore }] : [];
  });
};

export const currenciesOf = (entry: NewTransaction): readonly Currency[] =>
  entry.kind === 'fx' ? [entry.currency, entry.toCurrency] : [entry.currency];

/** A positive amount comes in. */
export interface SignedMoney {
  readonly currency: Currency;
  readonly amount: Decimal;
  /** The recorded price of one unit in the base currency. */
  readonly rate: Decimal | undefined;
}

/** The part of a portfolio that is analysed; everything else counts as outside. */
export interface Included {
  /** The first day (since 1970-01-01) on which cash is counted. */
  readonly cashSince: number | undefined;
  readonly hasInstrument: (symbol: string) => boolean;
  readonly hasCurrency: (currency: Currency) => boolean;
}

/** The changes of cash by an entry. */
export const cashMoves = (entry: NewTransaction): readonly SignedMoney[] => {
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
    case 'capital-return':
      return move(entry.amount);
    case 'spin-off':
    case 'merger':
      return entry.amount ? move(entry.amount) : [];
    case 'tax':
      return move(entry.isRefund ? entry.amount : entry.amount.negated());
    case 'transfer-in':
    case 'transfer-out': {
      if (isShareTransfer(entry)) return [];
      // Worth the rate of the day: what it cost before is a return of the other portfolio.
      const amount = entry.kind === 'transfer-in' ? entry.amount : entry.amount.negated();
      return [{ currency, amount, rate: undefined }];
    }
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

/** Whether the other side of an entry is outside the analysed part. */
const isFromOutside = (entry: NewTransaction, included: Included): boolean => {
  switch (entry.kind) {
    case 'deposit':
    case 'withdrawal':
    case 'transfer-in':
    case 'transfer-out':
      return true;
    case 'buy':
    case 'sell':
    case 'dividend':
    case 'cash-in-lieu':
    case 'capital-return':
    case 'merger':
    case 'spin-off':
    case 'rights':
      return !included.hasInstrument(entry.instrument.symbol);
    case 'fx':
      return !included.hasCurrency(entry.currency) || !included.hasCurrency(entry.toCurrency);
    case 'tax':
      return entry.instrument !== undefined && !included.hasInstrument(entry.instrument.symbol);
    case 'fee':
    case 'interest':
    case 'split':
    default:
      return false;
  }
};

const negated = ({ amount, ...money }: SignedMoney): SignedMoney => ({ ...money, amount: amount.negated() });

/** Cash that an entry moves, and cash that comes from outside (positive) or leaves. */
interface Moves {
  readonly cash: readonly SignedMoney[];
  readonly external: readonly SignedMoney[];
}

/**
 * If cash is counted, deposits and withdrawals are external, and so are payments for instruments that are left out.
 * Otherwise every trade, dividend and fee is paid from outside or to it.
 */
export const movesOf = (entry: NewTransaction, day: number, included: Included): Moves => {
  const cash = cashMoves(entry).filter(({ currency }) => included.hasCurrency(currency));
  if (included.cashSince !== undefined && day >= included.cashSince && !isOpening(entry))
    return { cash, external: isFromOutside(entry, included) ? cash : [] };
  const isOutside = entry.kind !== 'fee' && isFromOutside(entry, included);
  return { cash: [], external: isOutside ? [] : cash.map(negated) };
};
