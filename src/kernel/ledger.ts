import type { Instrument } from './finance.ts';
import type { OwnerId, PortfolioId, Timestamp, TransactionId } from './ids.ts';
import type { Currency, Decimal } from './money.ts';

export const TRANSACTION_KINDS = [
  'buy',
  'sell',
  'dividend',
  'fee',
  'split',
  'deposit',
  'withdrawal',
  'fx',
  'interest',
  'tax',
  'cash-in-lieu',
  'rights',
] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/** A target weight in a portfolio. */
export interface PortfolioTarget {
  /** Absent: cash in any currency. */
  readonly instrument?: Instrument;
  readonly percent: Decimal;
}

/** How the cost of a sale is determined: average cost, or oldest units first. */
export const COST_METHODS = ['average', 'fifo'] as const;
export type CostMethod = (typeof COST_METHODS)[number];

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
  | RightsIssue;

/** Undefined for cash entries. */
export const instrumentOf = (entry: NewTransaction): Instrument | undefined =>
  'instrument' in entry ? entry.instrument : undefined;

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

/** Versions up to 0.x stored sample rates with this note. Such rates are ignored. */
export const SAMPLE_RATE_NOTE = 'SAMPLE rate · 샘플 환율';
/** Trades with this note have a sample price: every figure derived from it is marked. */
export const SAMPLE_PRICE_NOTE = 'SAMPLE price · 샘플 시세';

/** Per person across all portfolios, including reversed entries and their reversals. */
export const DEFAULT_MAX_ENTRIES = 10_000;
