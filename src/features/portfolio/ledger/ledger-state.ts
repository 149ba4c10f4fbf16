import type { Instrument } from '#src/kernel/finance.ts';
import type {
  CashInLieu,
  CostMethod,
  NewTransaction,
  PortfolioRecord,
  RightsIssue,
  Trade,
} from '#src/kernel/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/steps.ts';

/** A gain in the portfolio's currency, by where it came from; `fromPrice` and `fromFx` make up `total` exactly. */
export interface BaseGain {
  readonly total: Decimal;
  /** At the rate at which it was bought. */
  readonly fromPrice: Decimal;
  readonly fromFx: Decimal;
}

/** A gain in the instrument's own currency, and in the portfolio's; `base` is undefined where a rate is missing. */
export interface Gain {
  readonly local: Decimal;
  readonly base: BaseGain | undefined;
}

/** An amount in its own currency and in the portfolio's, at the rates of the days on which it arose. */
export interface DatedAmount {
  readonly local: Decimal;
  readonly base: Decimal | undefined;
}

export interface Position {
  readonly instrument: Instrument;
  /** Below zero where it is sold short; zero where all was sold. */
  readonly quantity: Decimal;
  /** What the pieces that are held cost, fees and taxes included. Of a short position what was got for it, below zero. */
  readonly cost: DatedAmount;
  readonly realised: Gain;
  /** After tax, with what was withheld or refunded on lines of its own. */
  readonly dividends: DatedAmount;
  readonly firstDate: Temporal.PlainDate;
  readonly lastDate: Temporal.PlainDate;
}

/** Money that lies in the account, with what it was worth when it came. */
export interface CashBalance {
  readonly currency: Currency;
  readonly amount: Decimal;
  readonly costBase: Decimal | undefined;
  /** Gained by rates between coming and going. */
  readonly realisedFx: Decimal | undefined;
}

/** Money that came from outside (above zero) or left (below), for returns. */
export interface ExternalFlow {
  readonly date: Temporal.PlainDate;
  readonly currency: Currency;
  readonly amount: Decimal;
  readonly base: Decimal | undefined;
}

/** A sale of what was held, also for cash in lieu, or a purchase that closes a short sale, with the lots that went by it. */
export interface Disposal {
  readonly entry: Trade | RightsIssue | CashInLieu;
  /** Zero for cash in lieu of a fraction that was never held. Fewer than the entry says where the rest of it opened a position on the other side. */
  readonly quantity: Decimal;
  /** What the pieces cost, fees and taxes included; of a short position what was got for it, below zero. */
  readonly cost: DatedAmount;
  /** What they brought, after fees and taxes; of a short position what was paid to close it, below zero. */
  readonly value: DatedAmount;
  /** All disposals of an instrument make up its realised gain. */
  readonly gain: Gain;
  /** The oldest first; at average cost a single one, from the first purchase that is in it to the last. */
  readonly lots: readonly {
    readonly quantity: Decimal;
    readonly cost: DatedAmount;
    readonly first: Temporal.PlainDate;
    readonly last: Temporal.PlainDate;
  }[];
}

/** What a ledger comes to. The same recorded entries give the same bytes, in whatever order they are handed over. */
export interface LedgerState {
  readonly baseCurrency: Currency;
  readonly method: CostMethod;
  /** By symbol; also those of which nothing is held any more. */
  readonly positions: readonly Position[];
  /**
   * The day of the first deposit, withdrawal or exchange: from then on money is counted. Whatever was traded, paid or
   * received before it, or without any, is paid from outside or to there.
   */
  readonly cashSince: Temporal.PlainDate | undefined;
  /** By currency; empty where money is not counted. */
  readonly cash: readonly CashBalance[];
  /** By date. Written out when first asked for: there may be as many as entries. */
  readonly flows: readonly ExternalFlow[];
  /** In the order in which they count. Written out when first asked for. */
  readonly disposals: readonly Disposal[];
  /** Of the account and of trades, by currency; taxes less refunds. */
  readonly fees: readonly { readonly currency: Currency; readonly total: DatedAmount }[];
  readonly taxes: readonly { readonly currency: Currency; readonly total: DatedAmount }[];
  /** Account fees alone, as a cost that no position carries. */
  readonly accountFees: readonly { readonly currency: Currency; readonly total: DatedAmount }[];
  /** Taxes of no instrument, less refunds: another cost that no position carries. */
  readonly accountTaxes: readonly { readonly currency: Currency; readonly total: DatedAmount }[];
  /** After tax. */
  readonly interest: readonly { readonly currency: Currency; readonly total: DatedAmount }[];
}

/** Why a ledger cannot be. `at` is the entry that breaks it. */
export type LedgerProblem =
  | {
      readonly kind: 'oversold';
      readonly at: NewTransaction;
      readonly held: Decimal;
      readonly wanted: Decimal;
    }
  /** A split of what is not held. */
  | { readonly kind: 'nothing-held'; readonly at: NewTransaction }
  | {
      readonly kind: 'overdrawn';
      readonly at: NewTransaction;
      readonly currency: Currency;
      /** At the end of that day without this entry; below zero where money is owed. */
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
}

/**
 * In steps, for a ledger may be long. Never throws; pure. Entries that were reversed must be left out by the caller.
 * Quantities and prices count to 18 decimals, amounts, rates and ratios to 36; within that every sum is exact.
 */
export type DeriveLedger = (
  transactions: readonly NewTransaction[],
  rules: LedgerRules,
) => Steps<DerivedLedger>;

/** How the ledger of a portfolio is counted. They may change while one waits: what is recorded goes by those of that moment. */
export const rulesOf = ({ baseCurrency, costMethod: method, allowsShort }: PortfolioRecord): LedgerRules => ({
  baseCurrency,
  method,
  allowsShort,
});

/** Of a portfolio that is still to be made. */
export const newRules = (baseCurrency: string): LedgerRules => ({
  baseCurrency,
  method: 'average',
  allowsShort: false,
});
