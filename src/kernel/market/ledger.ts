import type { Instrument } from './finance.ts';
import type { OwnerId, PortfolioId, Timestamp, TransactionId } from '../ids.ts';
import type { Currency, Decimal } from '../money.ts';

/** What an entry of each kind is of: shares, money, or one of the two. */
const OF_KIND = {
  buy: 'shares',
  sell: 'shares',
  dividend: 'shares',
  fee: 'money',
  split: 'shares',
  deposit: 'money',
  withdrawal: 'money',
  fx: 'money',
  interest: 'money',
  tax: 'either',
  'cash-in-lieu': 'shares',
  rights: 'shares',
  'spin-off': 'shares',
  merger: 'shares',
  'capital-return': 'shares',
  'transfer-out': 'either',
  'transfer-in': 'either',
} as const;
export type TransactionKind = keyof typeof OF_KIND;
export const TRANSACTION_KINDS = Object.keys(OF_KIND) as readonly TransactionKind[];

/** It always names an instrument. */
export const isOfShares = (kind: TransactionKind): boolean => OF_KIND[kind] === 'shares';
/** It names none, but a currency. */
export const isOfMoney = (kind: TransactionKind): boolean => OF_KIND[kind] === 'money';

/** A target weight in a portfolio. */
export interface PortfolioTarget {
  /** Absent: cash in any currency. */
  readonly instrument?: Instrument;
  readonly percent: Decimal;
}

/** How the cost of a sale is determined: average cost, or oldest units first. */
export const COST_METHODS = ['average', 'fifo'] as const;
export type CostMethod = (typeof COST_METHODS)[number];

/** Accounts whose income the Korean tax office counts on its own: a savings account (ISA), and pension accounts. */
export const ACCOUNT_KINDS = ['isa', 'pension'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export interface PortfolioRecord {
  readonly id: PortfolioId;
  readonly ownerId: OwnerId;
  /** One word, unique per owner regardless of case. */
  readonly name: string;
  readonly baseCurrency: Currency;
  readonly costMethod: CostMethod;
  /** Sales beyond the holding are recorded as short sales instead of being refused. */
  readonly allowsShort: boolean;
  /** Used if a request names no portfolio. */
  readonly isDefault: boolean;
  /** Absent or null: an ordinary account. */
  readonly account?: AccountKind | null;
  /** They add up to 100 %. Absent or empty if none are set. */
  readonly targets?: readonly PortfolioTarget[];
  readonly createdAt: Timestamp;
}

/** Amounts and quantities are never negative: the kind gives the direction. */
interface TransactionBase {
  /** Idempotency key: an entry that is submitted twice is recorded once. */
  readonly clientId: string;
  /** In the exchange's calendar for a trade given with a time or without a day; otherwise as written. */
  readonly date: Temporal.PlainDate;
  /** Sets the order within the day. Absent: the order of recording counts. */
  readonly time?: Temporal.PlainTime;
  readonly currency: Currency;
  /** Units of the portfolio's currency for one unit of `currency` on that day; undefined if unavailable. */
  readonly rate?: Decimal;
  /** The day of the `rate`, if it is an earlier one because of a weekend or holiday. */
  readonly rateDay?: Temporal.PlainDate;
  readonly note?: string;
}

export interface Trade extends TransactionBase {
  readonly kind: 'buy' | 'sell';
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** Per unit. */
  readonly price: Decimal;
  readonly fee: Decimal;
  readonly tax: Decimal;
  /**
   * Of a purchase: what is held already, told by its average cost. No cash pays for it, and returns count it at the
   * market value of its day.
   */
  readonly isOpening?: boolean;
}

export interface Dividend extends TransactionBase {
  readonly kind: 'dividend';
  readonly instrument: Instrument;
  /** Before tax, for all units. */
  readonly amount: Decimal;
  readonly tax: Decimal;
}

/** A fee of the account, not of a trade. */
export interface AccountFee extends TransactionBase {
  readonly kind: 'fee';
  readonly amount: Decimal;
}

export interface Split extends TransactionBase {
  readonly kind: 'split';
  readonly instrument: Instrument;
  /** Units after the split for one before: 50, or 0.1 for 1:10. A split precedes all trades of its day. */
  readonly ratio: Decimal;
}

export interface CashMove extends TransactionBase {
  readonly kind: 'deposit' | 'withdrawal';
  readonly amount: Decimal;
}

/** Exchanges `amount` of `currency` for `toAmount` of `toCurrency`. */
export interface CurrencyExchange extends TransactionBase {
  readonly kind: 'fx';
  readonly amount: Decimal;
  readonly toAmount: Decimal;
  readonly toCurrency: Currency;
  /** The rate of `toCurrency`; undefined if unavailable. */
  readonly toRate?: Decimal;
}

/** Interest received on cash. Interest paid is an account fee. */
export interface Interest extends TransactionBase {
  readonly kind: 'interest';
  /** Before tax. */
  readonly amount: Decimal;
  readonly tax: Decimal;
}

/** Tax that the broker books as a separate entry, or its refund. */
export interface TaxPayment extends TransactionBase {
  readonly kind: 'tax';
  readonly amount: Decimal;
  /** If set, the tax reduces the dividend income of this instrument. */
  readonly instrument?: Instrument;
  readonly isRefund?: boolean;
}

/** Money in place of a fraction of a share, after a split or a merger. */
export interface CashInLieu extends TransactionBase {
  readonly kind: 'cash-in-lieu';
  readonly instrument: Instrument;
  /** The fraction given up. Absent: the ledger holds none, so the whole amount is a gain. */
  readonly quantity?: Decimal;
  readonly amount: Decimal;
}

/** Shares from a rights issue, or from a bonus issue at a price of zero. */
export interface RightsIssue extends TransactionBase {
  readonly kind: 'rights';
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** Per unit, zero or more. */
  readonly price: Decimal;
  readonly fee: Decimal;
  readonly tax: Decimal;
}

/**
 * Shares of another company in place of, or beside, those that were held, with a part of their cost and their days of
 * purchase. Both precede all trades of their day.
 */
export interface ShareExchange extends TransactionBase {
  readonly kind: 'spin-off' | 'merger';
  readonly instrument: Instrument;
  /** Shares given up. Zero for most spin-offs; those of Korea take some of the old shares away. */
  readonly quantity: Decimal;
  readonly toInstrument: Instrument;
  readonly toQuantity: Decimal;
  /** The part of the cost that a spin-off takes along. A merger takes that of the shares given up. */
  readonly percent?: Decimal;
  /** Money received besides: shares were sold for it. */
  readonly amount?: Decimal;
  /** Of one received share on that day. */
  readonly price?: Decimal;
}

/** Money that a company pays back: it lowers the cost, or pays for shares that it takes back. */
export interface CapitalReturn extends TransactionBase {
  readonly kind: 'capital-return';
  readonly instrument: Instrument;
  readonly amount: Decimal;
  /** The shares taken back. Absent: none. */
  readonly quantity?: Decimal;
}

/** Shares that moved, with what they cost and the days of their purchase. */
export interface MovedLot {
  readonly quantity: Decimal;
  readonly cost: Decimal;
  /** In the portfolio's currency; undefined if a rate is missing. */
  readonly costBase: Decimal | undefined;
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
}

/** One side of a move between two portfolios of a person. Nothing is realised by it. */
interface TransferSide extends TransactionBase {
  readonly kind: 'transfer-out' | 'transfer-in';
  /** The name of the other portfolio. */
  readonly otherName: string;
  /** The same on both sides. Absent: the other side is not recorded. */
  readonly link?: string;
}

export interface ShareTransfer extends TransferSide {
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** Oldest first. */
  readonly lots: readonly MovedLot[];
}

/** The rate is that at which the money came into the first portfolio. */
export interface CashTransfer extends TransferSide {
  readonly amount: Decimal;
}

/** An entry before it is recorded. */
export type NewTransaction =
  | Trade
  | Dividend
  | AccountFee
  | Split
  | CashMove
  | CurrencyExchange
  | Interest
  | TaxPayment
  | CashInLieu
  | RightsIssue
  | ShareExchange
  | CapitalReturn
  | ShareTransfer
  | CashTransfer;

/** Undefined for cash entries. */
export const instrumentOf = (entry: NewTransaction): Instrument | undefined =>
  'instrument' in entry ? entry.instrument : undefined;

/** Whether an entry tells what was held before. */
export const isOpening = (entry: NewTransaction): boolean => entry.kind === 'buy' && entry.isOpening === true;

export const isShareExchange = <Entry extends NewTransaction>(
  entry: Entry,
): entry is Extract<Entry, { readonly kind: 'spin-off' | 'merger' }> =>
  entry.kind === 'spin-off' || entry.kind === 'merger';

export const isTransfer = <Entry extends NewTransaction>(
  entry: Entry,
): entry is Extract<Entry, { readonly kind: 'transfer-out' | 'transfer-in' }> =>
  entry.kind === 'transfer-out' || entry.kind === 'transfer-in';

export const isShareTransfer = (entry: NewTransaction): entry is ShareTransfer =>
  isTransfer(entry) && 'instrument' in entry;

/** Every instrument whose holding an entry changes. */
export const instrumentsOf = (entry: NewTransaction): readonly Instrument[] => {
  const own = instrumentOf(entry);
  return [...(own ? [own] : []), ...(isShareExchange(entry) ? [entry.toInstrument] : [])];
};

/** A recorded entry. The ledger is append-only: a mistake is reversed by another entry. */
export type Transaction = NewTransaction & {
  readonly id: TransactionId;
  readonly portfolioId: PortfolioId;
  /** Counted from 1 in each portfolio; people refer to entries by it. */
  readonly number: number;
  readonly recordedAt: Timestamp;
  /** Reversed by another entry, so it no longer counts. */
  readonly isReversed: boolean;
  /**
   * Derived, never stored; only for an entry that was recorded without a rate. `later`: looked up afterwards.
   * `provisional`: of the current day, changes until its close. `sample`: sample data, for display only. `waits`: for
   * live data. `none`: the source has no rate for that day.
   */
  readonly rateFrom?: 'later' | 'provisional' | 'sample' | 'waits' | 'none';
};

/** Per person across all portfolios, including reversed entries and their reversals. */
export const DEFAULT_MAX_ENTRIES = 10_000;
