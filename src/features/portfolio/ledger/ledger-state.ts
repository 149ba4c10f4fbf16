import type { Instrument } from '#src/kernel/market/finance.ts';
import type {
  CapitalReturn,
  CashInLieu,
  CashTransfer,
  CostMethod,
  MovedLot,
  NewTransaction,
  PortfolioRecord,
  RightsIssue,
  ShareExchange,
  ShareTransfer,
  Trade,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';

/** A gain in the portfolio's currency; `fromPrice` and `fromFx` add up to `total` exactly. */
export interface BaseGain {
  readonly total: Decimal;
  /** The gain at the rate of the purchase. */
  readonly fromPrice: Decimal;
  readonly fromFx: Decimal;
}

/** A gain in the instrument's currency and the portfolio's; `base` is undefined if a rate is missing. */
export interface Gain {
  readonly local: Decimal;
  readonly base: BaseGain | undefined;
}

/** An amount in its own currency and in the portfolio's, at the rates of the days on which it arose. */
export interface DatedAmount {
  readonly local: Decimal;
  readonly base: Decimal | undefined;
}

export interface CurrencyTotal {
  readonly currency: Currency;
  readonly total: DatedAmount;
}

export interface Position {
  readonly instrument: Instrument;
  /** Negative for a short position, zero if everything was sold. */
  readonly quantity: Decimal;
  /** The cost of the held shares with fees and taxes; for a short position its proceeds, negative. */
  readonly cost: DatedAmount;
  readonly realised: Gain;
  /** After tax, including tax entries and refunds of the instrument. */
  readonly dividends: DatedAmount;
  readonly firstDate: Temporal.PlainDate;
  readonly lastDate: Temporal.PlainDate;
}

/** Cash of one currency, with its value on arrival. */
export interface CashBalance {
  readonly currency: Currency;
  readonly amount: Decimal;
  readonly costBase: Decimal | undefined;
  /** The gain from exchange rates between arrival and departure. */
  readonly realisedFx: Decimal | undefined;
}

/** Cash that came from outside (positive) or left (negative), for computing returns. */
export interface ExternalFlow {
  readonly date: Temporal.PlainDate;
  readonly currency: Currency;
  readonly amount: Decimal;
  readonly base: Decimal | undefined;
}

/** A sale, cash in lieu, or a purchase that closes a short position, with the lots that it closed. */
export interface Disposal {
  readonly entry: Trade | RightsIssue | CashInLieu | ShareExchange | CapitalReturn;
  /**
   * Zero for cash in lieu of a fraction that was never held. Less than that of the entry if the rest opened a position
   * on the other side.
   */
  readonly quantity: Decimal;
  /** The cost of the shares with fees and taxes; for a short position its proceeds, negative. */
  readonly cost: DatedAmount;
  /** The proceeds after fees and taxes; for a short position the price of closing it, negative. */
  readonly value: DatedAmount;
  /** The gains of all disposals of an instrument add up to its realised gain. */
  readonly gain: Gain;
  /** Oldest first. At average cost there is one lot, from its first purchase to its last. */
  readonly lots: readonly {
    readonly quantity: Decimal;
    readonly cost: DatedAmount;
    readonly first: Temporal.PlainDate;
    readonly last: Temporal.PlainDate;
  }[];
}

/** What left with a transfer: shares with their cost, or the cost of money. */
export interface Moved {
  readonly entry: ShareTransfer | CashTransfer;
  readonly lots: readonly MovedLot[];
  readonly cost: DatedAmount;
}

/** The state of a ledger. The same recorded entries give the same bytes in any input order. */
export interface LedgerState {
  readonly baseCurrency: Currency;
  readonly method: CostMethod;
  /** Sorted by symbol, including closed positions. */
  readonly positions: readonly Position[];
  /**
   * The day of the first deposit, withdrawal or exchange, from which cash is counted. Without it, or before it,
   * everything is paid from outside or to it.
   */
  readonly cashSince: Temporal.PlainDate | undefined;
  /** Sorted by currency; empty if cash is not counted. */
  readonly cash: readonly CashBalance[];
  /** Sorted by date. Computed on first access, because there may be as many as entries. */
  readonly flows: readonly ExternalFlow[];
  /** In counting order. Computed on first access. */
  readonly disposals: readonly Disposal[];
  /** In counting order. */
  readonly moved: readonly Moved[];
  /** Fees and taxes of the account and of trades by currency; taxes less refunds. */
  readonly fees: readonly CurrencyTotal[];
  readonly taxes: readonly CurrencyTotal[];
  /** Account fees alone, which no position carries. */
  readonly accountFees: readonly CurrencyTotal[];
  /** Taxes of no instrument less refunds, which no position carries. */
  readonly accountTaxes: readonly CurrencyTotal[];
  /** Taxes on dividends less refunds. */
  readonly dividendTaxes: readonly CurrencyTotal[];
  /** After tax. */
  readonly interest: readonly CurrencyTotal[];
}

export const positionIn = (
  state: Pick<LedgerState, 'positions'> | undefined,
  symbol: string | undefined,
): Position | undefined => state?.positions.find(({ instrument }) => instrument.symbol === symbol);

/** The reason why a ledger is invalid. `at` is the entry that breaks it. */
export type LedgerProblem =
  | {
      readonly kind: 'oversold';
      readonly at: NewTransaction;
      readonly held: Decimal;
      readonly wanted: Decimal;
    }
  /** A split of an instrument that is not held. */
  | { readonly kind: 'nothing-held'; readonly at: NewTransaction }
  /** A spin-off takes all old shares away, but only a part of their cost. */
  | { readonly kind: 'spun-away'; readonly at: NewTransaction }
  /** Shares come into a portfolio that has sold them short. */
  | { readonly kind: 'sold-short'; readonly at: NewTransaction }
  /** The shares of this transfer would have cost something else than the other portfolio was told. */
  | { readonly kind: 'moved-cost'; readonly at: NewTransaction }
  | {
      readonly kind: 'overdrawn';
      readonly at: NewTransaction;
      readonly currency: Currency;
      /** The balance at the end of that day without this entry; negative if cash is owed. */
      readonly available: Decimal;
      readonly wanted: Decimal;
    };

export type DerivedLedger =
  | { readonly status: 'ok'; readonly state: LedgerState }
  | { readonly status: 'refused'; readonly problem: LedgerProblem };

export interface LedgerRules {
  readonly baseCurrency: Currency;
  readonly method: CostMethod;
  readonly allowsShort: boolean;
  /** Refuse what changes the cost of shares that have moved to another portfolio. */
  readonly keepsMoved?: boolean;
}

/**
 * Runs in steps, because a ledger may be long. Pure and never throws. The caller leaves out reversed entries.
 * Quantities and prices have 18 decimals, amounts, rates and ratios 36; within that every sum is exact.
 */
export type DeriveLedger = (
  transactions: readonly NewTransaction[],
  rules: LedgerRules,
) => Steps<DerivedLedger>;

/**
 * The rules of a portfolio. They may change while a request waits, so an entry uses those of the moment of recording.
 */
export const rulesOf = ({ baseCurrency, costMethod: method, allowsShort }: PortfolioRecord): LedgerRules => ({
  baseCurrency,
  method,
  allowsShort,
});

/** The rules for changing a portfolio. */
export const changingRulesOf = (portfolio: PortfolioRecord): LedgerRules => ({
  ...rulesOf(portfolio),
  keepsMoved: true,
});

/** The rules of a portfolio that does not exist yet. */
export const newRules = (baseCurrency: string): LedgerRules => ({
  baseCurrency,
  method: 'average',
  allowsShort: false,
});
