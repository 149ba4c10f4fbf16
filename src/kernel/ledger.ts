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

/** A share of the whole that somebody wants a portfolio to have. */
export interface PortfolioTarget {
  /** Absent: cash, in whatever currency. */
  readonly instrument?: Instrument;
  readonly percent: Decimal;
}

/** How the cost of what is sold is found: of all pieces alike, or of the oldest first. */
export const COST_METHODS = ['average', 'fifo'] as const;
export type CostMethod = (typeof COST_METHODS)[number];

export interface PortfolioRecord {
  readonly id: PortfolioId;
  readonly ownerId: OwnerId;
  /** One word, unique for its owner whatever the case. */
  readonly name: string;
  readonly baseCurrency: Currency;
  readonly costMethod: CostMethod;
  /** Sales of more than is held are taken as short sales, and not refused. */
  readonly allowsShort: boolean;
  /** Meant where none is named. */
  readonly isDefault: boolean;
  /** They make 100 %. Absent or empty where none are set. */
  readonly targets?: readonly PortfolioTarget[];
  readonly createdAt: Timestamp;
}

/** Money and quantities are never below zero here: the kind says which way they go. */
interface TransactionBase {
  /** The same event told twice has the same one: it is recorded once. */
  readonly clientId: string;
  /** Of a trade on an exchange that was told with a time or without a day, the exchange's; else as it was written. */
  readonly date: Temporal.PlainDate;
  /** The time of day, where it is known: it decides the order within the day. Absent: the order of recording does. */
  readonly time?: Temporal.PlainTime;
  readonly currency: Currency;
  /** The portfolio's currency for one unit of `currency` on that day; undefined where it was not to be had. */
  readonly rate?: Decimal;
  /** The day whose close `rate` is, where that is an earlier one: of a weekend or a holiday. */
  readonly rateDay?: Temporal.PlainDate;
  readonly note?: string;
}

export interface Trade extends TransactionBase {
  readonly kind: 'buy' | 'sell';
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** For one piece. */
  readonly price: Decimal;
  readonly fee: Decimal;
  readonly tax: Decimal;
}

export interface Dividend extends TransactionBase {
  readonly kind: 'dividend';
  readonly instrument: Instrument;
  /** Before tax, for all pieces. */
  readonly amount: Decimal;
  readonly tax: Decimal;
}

/** Of the account, not of a trade. */
export interface AccountFee extends TransactionBase {
  readonly kind: 'fee';
  readonly amount: Decimal;
}

export interface Split extends TransactionBase {
  readonly kind: 'split';
  readonly instrument: Instrument;
  /** Pieces afterwards for one before: 50, or 0.1 for ten that become one. Before all trades of its day. */
  readonly ratio: Decimal;
}

export interface CashMove extends TransactionBase {
  readonly kind: 'deposit' | 'withdrawal';
  readonly amount: Decimal;
}

/** One currency for another: `amount` of `currency` is given. */
export interface CurrencyExchange extends TransactionBase {
  readonly kind: 'fx';
  readonly amount: Decimal;
  readonly toAmount: Decimal;
  readonly toCurrency: Currency;
  /** For what comes in; undefined where it was not to be had. */
  readonly toRate?: Decimal;
}

/** Received on cash in the account. Interest that is paid is an account fee. */
export interface Interest extends TransactionBase {
  readonly kind: 'interest';
  /** Before tax. */
  readonly amount: Decimal;
  readonly tax: Decimal;
}

/** Tax that the broker books on a line of its own, or its refund. */
export interface TaxPayment extends TransactionBase {
  readonly kind: 'tax';
  readonly amount: Decimal;
  /** Where it belongs to one: it then lowers what its dividends brought. */
  readonly instrument?: Instrument;
  readonly isRefund?: boolean;
}

/** Money in place of a fraction of a share, after a split or a merger. */
export interface CashInLieu extends TransactionBase {
  readonly kind: 'cash-in-lieu';
  readonly instrument: Instrument;
  /** The fraction that is given up. Absent: the ledger holds none, and all of the amount is a gain. */
  readonly quantity?: Decimal;
  readonly amount: Decimal;
}

/** Shares from a rights issue, or from a bonus issue at a price of zero. */
export interface RightsIssue extends TransactionBase {
  readonly kind: 'rights';
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** For one piece. Zero or more. */
  readonly price: Decimal;
  readonly fee: Decimal;
  readonly tax: Decimal;
}

/** What happened, before it is recorded. */
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

/** What an entry is about; undefined for those of money alone. */
export const instrumentOf = (entry: NewTransaction): Instrument | undefined =>
  'instrument' in entry ? entry.instrument : undefined;

/** As it stands in the ledger, where nothing is ever changed: a mistake is reversed by another entry. */
export type Transaction = NewTransaction & {
  readonly id: TransactionId;
  readonly portfolioId: PortfolioId;
  /** Counted from 1 in each portfolio: what people call it by. */
  readonly number: number;
  readonly recordedAt: Timestamp;
  /** Another entry took it back: it counts for nothing any more. */
  readonly isReversed: boolean;
  /**
   * Only of an entry that was recorded without a rate, and never stored: its rate was looked up later; is that of
   * a day that still goes on, and changes until its close; is of sample data, and only shown; waits for live data; or
   * the source has none for that day.
   */
  readonly rateFrom?: 'later' | 'provisional' | 'sample' | 'waits' | 'none';
};

/** Versions up to 0.x stored invented rates with this note. They count as if they had never been written. */
export const SAMPLE_RATE_NOTE = 'SAMPLE rate · 샘플 환율';
/** The same of prices: what a trade with this note cost is invented, and every figure that rests on it says so. */
export const SAMPLE_PRICE_NOTE = 'SAMPLE price · 샘플 시세';

/** Of one person, in all portfolios together, those that were taken back and what took them back included. */
export const DEFAULT_MAX_ENTRIES = 10_000;
