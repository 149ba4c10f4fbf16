import type { OwnerId, PersonRef, PortfolioId, Timestamp, TransactionId } from '#src/kernel/ids.ts';
import type {
  CostMethod,
  NewTransaction,
  PortfolioRecord,
  PortfolioTarget,
  Transaction,
} from '#src/kernel/ledger.ts';
import type { Steps } from '#src/platform/cooperative-tasks.ts';

export interface NewPortfolio {
  readonly name: string;
  readonly baseCurrency: string;
}

/** What is to be added, or why it is not. */
export type Decision<Refusal> =
  | { readonly append: readonly NewTransaction[] }
  | { readonly reverse: TransactionId; readonly clientId: string }
  | { readonly refused: Refusal };

/**
 * `existing`: those entries that count. Asked again where the ledger or the portfolio has changed before its decision
 * was written, so it must do nothing but decide.
 */
export type Decide<Refusal> = (
  existing: readonly Transaction[],
  portfolio: PortfolioRecord,
) => Steps<Decision<Refusal>>;

export type Recorded<Refusal> =
  | { readonly status: 'recorded'; readonly transactions: readonly Transaction[] }
  /** All of it was recorded before, under the same client ids. */
  | { readonly status: 'repeated'; readonly transactions: readonly Transaction[] }
  | { readonly status: 'reversed'; readonly transaction: Transaction }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  /** With it the owner would have more entries, in all their portfolios together, than anybody may. */
  | { readonly status: 'full'; readonly limit: number }
  /** There is no such portfolio of this owner. */
  | { readonly status: 'gone' };

export interface PortfolioChange {
  readonly costMethod?: CostMethod;
  readonly allowsShort?: boolean;
  readonly isDefault?: true;
  /** Empty: they are taken away. */
  readonly targets?: readonly PortfolioTarget[];
}

export type Configured<Refusal> =
  | { readonly status: 'done' }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  | { readonly status: 'gone' };

export interface DismissedAction {
  readonly symbol: string;
  readonly kind: string;
  /** ISO 8601. */
  readonly date: string;
}

/** A person's portfolios and their ledgers. Whatever belongs to another owner is as if it were not there. */
export interface PortfolioStore {
  /** The oldest first. */
  readonly list: (ownerId: OwnerId) => Promise<readonly PortfolioRecord[]>;
  /**
   * For whoever owns what is this person's at that moment: they may have linked since it was last asked. The first
   * one of an owner is the default. Undefined where the name is taken, whatever its case.
   */
  readonly create: (person: PersonRef, portfolio: NewPortfolio) => Promise<PortfolioRecord | undefined>;
  /** The default one of this person, or this one, made now where they have none. Two at once make one. */
  readonly openFirst: (
    person: PersonRef,
    portfolio: NewPortfolio,
  ) => Promise<{ readonly portfolio: PortfolioRecord; readonly isNew: boolean }>;
  /** `refuse` is given the entries that count, and the portfolio as it would be; asked again like `decide`. */
  readonly configure: <Refusal = never>(
    ownerId: OwnerId,
    id: PortfolioId,
    change: PortfolioChange,
    refuse?: (existing: readonly Transaction[], changed: PortfolioRecord) => Steps<Refusal | undefined>,
    signal?: AbortSignal,
  ) => Promise<Configured<Refusal>>;
  /** With its whole ledger; another one becomes the default. */
  readonly remove: (ownerId: OwnerId, id: PortfolioId) => Promise<boolean>;
  /** In the order recorded, reversed ones included and marked; the reversals themselves are not in it. */
  readonly transactions: (
    ownerId: OwnerId,
    id: PortfolioId,
    signal?: AbortSignal,
  ) => Promise<readonly Transaction[]>;
  /**
   * Adds what `decide` makes of the ledger, and only to that very ledger: two requests at once see each other. Entries
   * whose client id is known are left out; `decide` is not asked where `clientIds` are all known.
   */
  readonly record: <Refusal>(
    ownerId: OwnerId,
    id: PortfolioId,
    clientIds: readonly string[],
    decide: Decide<Refusal>,
    signal?: AbortSignal,
  ) => Promise<Recorded<Refusal>>;

  /** Keeps what was read from a file until the person has said yes; the code is short, and theirs alone. */
  readonly keepImport: (
    ownerId: OwnerId,
    /** Undefined: it is still to be made. */
    id: PortfolioId | undefined,
    content: string,
    expiresAt: Timestamp,
  ) => Promise<string>;
  /** Undefined for a code that is wrong, of somebody else, or too old. It stays until `dropImport`. */
  readonly pendingImport: (
    ownerId: OwnerId,
    code: string,
  ) => Promise<{ readonly portfolioId: PortfolioId | undefined; readonly content: string } | undefined>;
  readonly dropImport: (ownerId: OwnerId, code: string) => Promise<void>;

  /** Splits, dividends and price gaps that this portfolio is not to be reminded of. */
  readonly dismissed: (ownerId: OwnerId, id: PortfolioId) => Promise<readonly DismissedAction[]>;
  /** False where there is no such portfolio of this owner. */
  readonly dismiss: (
    ownerId: OwnerId,
    id: PortfolioId,
    actions: readonly DismissedAction[],
  ) => Promise<boolean>;
  /** The opposite; false likewise. */
  readonly restore: (
    ownerId: OwnerId,
    id: PortfolioId,
    actions: readonly DismissedAction[],
  ) => Promise<boolean>;
}
