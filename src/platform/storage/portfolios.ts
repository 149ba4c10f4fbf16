import type { Transaction as DatabaseTransaction } from 'kysely';
import type { OwnerId, PortfolioId, Timestamp, TransactionId } from '#src/kernel/ids.ts';
import {
  type CostMethod,
  DEFAULT_MAX_ENTRIES,
  type NewTransaction,
  type PortfolioRecord,
  type PortfolioTarget,
  type Transaction,
} from '#src/kernel/ledger.ts';
import type { PersonRef } from '#src/kernel/account-services.ts';
import type { Clock } from '../clock.ts';
import { newId } from '../ids.ts';
import { NEVER_ABORTED } from '../abort.ts';
import { byTime, type Steps } from '../steps.ts';
import type { Storage } from './database.ts';
import { createDismissedActions } from './dismissed-actions.ts';
import { createLedgerCache, type Ledger } from './ledger-cache.ts';
import { forOwnerOf, ownOwnerId } from './owners.ts';
import { createPendingImports } from './pending-imports.ts';
import {
  lockOwner,
  lockPortfolio,
  portfolioNameKey,
  readPortfolios,
  writeTargets,
} from './portfolio-rows.ts';
import { lockUnchanged, planEntries, writePlan } from './record-entries.ts';
import { type Database, toStoredTime } from './schema.ts';
import { readLedger } from './transaction-rows.ts';

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

type Tx = DatabaseTransaction<Database>;

const createOne = async (
  tx: Tx,
  person: PersonRef,
  ownerId: OwnerId,
  { name, baseCurrency }: NewPortfolio,
  at: Timestamp,
): Promise<PortfolioRecord | undefined> => {
  const isFirst = (await readPortfolios(tx, ownerId)).length === 0;
  const id = newId<PortfolioId>();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('portfolios')
    .values({
      id,
      owner_id: ownerId,
      name,
      name_key: portfolioNameKey(name),
      base_currency: baseCurrency,
      cost_method: 'average',
      allows_short: 0,
      is_default: isFirst ? 1 : 0,
      created_at: toStoredTime(at),
      begun_by: ownOwnerId(person),
      targets: null,
    })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return undefined;
  return (await readPortfolios(tx, ownerId)).find((portfolio) => portfolio.id === id);
};

const openFirst = async (
  tx: Tx,
  person: PersonRef,
  ownerId: OwnerId,
  portfolio: NewPortfolio,
  at: Timestamp,
): ReturnType<PortfolioStore['openFirst']> => {
  const known = (await readPortfolios(tx, ownerId)).find(({ isDefault }) => isDefault);
  const made = known ?? (await createOne(tx, person, ownerId, portfolio, at));
  if (!made) throw new Error('A name is taken where there is no portfolio');
  return { portfolio: made, isNew: !known };
};

const setDefault = async (tx: Tx, ownerId: OwnerId, id: PortfolioId): Promise<void> => {
  await tx.updateTable('portfolios').set({ is_default: 0 }).where('owner_id', '=', ownerId).execute();
  await tx.updateTable('portfolios').set({ is_default: 1 }).where('id', '=', id).execute();
};

const removeOne = async (tx: Tx, ownerId: OwnerId, id: PortfolioId): Promise<boolean> => {
  await lockOwner(tx, ownerId);
  // Also keeps whoever is about to write into it from finding it.
  const { numDeletedRows } = await tx
    .deleteFrom('portfolios')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await tx.deleteFrom('transactions').where('portfolio_id', '=', id).execute();
  await tx.deleteFrom('pending_imports').where('portfolio_id', '=', id).execute();
  await tx.deleteFrom('dismissed_actions').where('portfolio_id', '=', id).execute();
  const left = (await readPortfolios(tx, ownerId)).find(({ isDefault }) => isDefault);
  if (left) await setDefault(tx, ownerId, left.id);
  return true;
};

const saveChange = async (
  tx: Tx,
  ownerId: OwnerId,
  id: PortfolioId,
  { costMethod, allowsShort, isDefault, targets }: PortfolioChange,
): Promise<void> => {
  if (isDefault) await setDefault(tx, ownerId, id);
  if (costMethod !== undefined || allowsShort !== undefined || targets !== undefined)
    await tx
      .updateTable('portfolios')
      .set({
        ...(costMethod === undefined ? {} : { cost_method: costMethod }),
        ...(allowsShort === undefined ? {} : { allows_short: allowsShort ? 1 : 0 }),
        ...(targets === undefined ? {} : { targets: writeTargets(targets) }),
      })
      .where('id', '=', id)
      .execute();
};

/**
 * Ledgers are read and derived outside of transactions, in steps. A transaction then writes the decision if the ledger is
 * still the same. If not, somebody else has written, and the decision is made again.
 */
export const createPortfolioStore = (
  storage: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
  maxEntries = DEFAULT_MAX_ENTRIES,
): PortfolioStore => {
  const { db, write } = storage;
  const cache = createLedgerCache();

  const ledgerOf = async (ownerId: OwnerId, id: PortfolioId, signal: AbortSignal): Promise<Ledger> => {
    const last = await db
      .selectFrom('transactions')
      .innerJoin('portfolios', 'portfolios.id', 'transactions.portfolio_id')
      .where('portfolios.id', '=', id)
      .where('portfolios.owner_id', '=', ownerId)
      .select('transactions.number')
      .orderBy('transactions.number', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!last) return { lastNumber: 0, entries: [], reversals: new Map() };
    const known = cache.get(id, last.number);
    if (known) return known;
    const ledger = await readLedger(db, id, last.number, signal);
    // Where it was deleted meanwhile there is less of it.
    if (ledger.lastNumber === last.number) cache.set(id, ledger);
    return ledger;
  };
  const find = async (ownerId: OwnerId, id: PortfolioId): Promise<PortfolioRecord | undefined> =>
    (await readPortfolios(db, ownerId)).find((portfolio) => portfolio.id === id);

  return {
    list: (ownerId) => readPortfolios(db, ownerId),

    create: (person, portfolio) =>
      write((tx) =>
        forOwnerOf(tx, person, (ownerId) => createOne(tx, person, ownerId, portfolio, clock.now())),
      ),

    openFirst: (person, portfolio) =>
      write((tx) =>
        forOwnerOf(tx, person, (ownerId) => openFirst(tx, person, ownerId, portfolio, clock.now())),
      ),

    configure: async (ownerId, id, change, refuse, signal = NEVER_ABORTED) => {
      if (!refuse)
        return write(async (tx) => {
          if (!(await lockPortfolio(tx, ownerId, id))) return { status: 'gone' };
          await saveChange(tx, ownerId, id, change);
          return { status: 'done' };
        });
      for (;;) {
        const portfolio = await find(ownerId, id);
        if (!portfolio) return { status: 'gone' };
        const { entries, lastNumber } = await ledgerOf(ownerId, id, signal);
        const counting = entries.filter(({ isReversed }) => !isReversed);
        const refusal = await byTime(refuse(counting, { ...portfolio, ...change }), signal);
        if (refusal !== undefined) return { status: 'refused', refusal };
        const status = await write(async (tx) => {
          const locked = await lockUnchanged(tx, ownerId, { portfolio, lastNumber });
          if (locked === 'locked') await saveChange(tx, ownerId, id, change);
          return locked;
        });
        if (status !== 'changed') return { status: status === 'gone' ? 'gone' : 'done' };
      }
    },

    remove: (ownerId, id) => write((tx) => removeOne(tx, ownerId, id)),

    transactions: async (ownerId, id, signal = NEVER_ABORTED) =>
      (await ledgerOf(ownerId, id, signal)).entries,

    record: async (ownerId, id, clientIds, decide, signal = NEVER_ABORTED) => {
      for (;;) {
        const portfolio = await find(ownerId, id);
        if (!portfolio) return { status: 'gone' };
        const ledger = await ledgerOf(ownerId, id, signal);
        const plan = await byTime(planEntries(portfolio, ledger, clientIds, decide, clock.now()), signal);
        if (!('rows' in plan)) return plan.outcome;
        const outcome = await write(async (tx) => {
          const locked = await lockUnchanged(tx, ownerId, { portfolio, lastNumber: ledger.lastNumber });
          return locked === 'locked' ? writePlan(tx, ownerId, plan, maxEntries) : locked;
        });
        if (outcome === 'changed') continue;
        if (outcome === 'gone') return { status: 'gone' };
        if (outcome.status !== 'full') cache.set(id, plan.ledger);
        return outcome;
      }
    },

    ...createPendingImports(storage, clock),
    ...createDismissedActions(storage, clock),
  };
};
