import { FinClawError } from '#src/kernel/errors.ts';
import { asId, type OwnerId, type PersonRef, type PortfolioId, type Timestamp } from '#src/kernel/ids.ts';
import { DEFAULT_MAX_ENTRIES, type PortfolioRecord, type Transaction } from '#src/kernel/market/ledger.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { forOwnerOf } from '#src/people/store/owners.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { cleanShortCode, newShortCode } from '#src/platform/text/short-codes.ts';
import { createLedgerCache, type Ledger, readLedger } from './ledger.ts';
import {
  createPortfolio,
  lockPortfolio,
  type NewPortfolio,
  openFirst,
  type PortfolioChange,
  readPortfolios,
  removePortfolio,
  saveChange,
} from './portfolios.ts';
import {
  type Decide,
  type DecideBoth,
  lockUnchanged,
  planBoth,
  planEntries,
  type Recorded,
  type RecordedBoth,
  type Sides,
  writePlan,
} from './record.ts';

type Configured<Refusal> =
  | { readonly status: 'done' }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  | { readonly status: 'gone' };

export interface DismissedAction {
  readonly symbol: string;
  readonly kind: string;
  /** ISO 8601. */
  readonly date: string;
}

/** The portfolios of people and their ledgers. A portfolio of another owner is treated as missing. */
export interface PortfolioStore {
  /** Oldest first. */
  readonly list: (ownerId: OwnerId) => Promise<readonly PortfolioRecord[]>;
  /**
   * Creates it for the current owner of the person's data, since the person may have linked accounts meanwhile. The
   * first portfolio of an owner is the default. Undefined if the name is taken, regardless of case.
   */
  readonly create: (person: PersonRef, portfolio: NewPortfolio) => Promise<PortfolioRecord | undefined>;
  /** Returns the person's default portfolio, and creates this one if they have none. Concurrent calls create one. */
  readonly openFirst: (
    person: PersonRef,
    portfolio: NewPortfolio,
  ) => Promise<{ readonly portfolio: PortfolioRecord; readonly isNew: boolean }>;
  /** `refuse` gets the entries that count and the changed portfolio. Like `decide`, it may be called again. */
  readonly configure: <Refusal = never>(
    ownerId: OwnerId,
    id: PortfolioId,
    change: PortfolioChange,
    refuse?: (existing: readonly Transaction[], changed: PortfolioRecord) => Steps<Refusal | undefined>,
    signal?: AbortSignal,
  ) => Promise<Configured<Refusal>>;
  /** Deletes the ledger too; another portfolio becomes the default. */
  readonly remove: (ownerId: OwnerId, id: PortfolioId) => Promise<boolean>;
  /** In recording order. Reversed entries are included and marked; reversals are not included. */
  readonly transactions: (
    ownerId: OwnerId,
    id: PortfolioId,
    signal?: AbortSignal,
  ) => Promise<readonly Transaction[]>;
  /**
   * Writes the decision only if the ledger is still the one that `decide` saw, so that concurrent requests see each
   * other. Entries with a known client id are skipped; `decide` is not called if all `clientIds` are known.
   */
  readonly record: <Refusal>(
    ownerId: OwnerId,
    id: PortfolioId,
    clientIds: readonly string[],
    decide: Decide<Refusal>,
    signal?: AbortSignal,
  ) => Promise<Recorded<Refusal>>;
  /** The same for two ledgers at once: both are written, or neither. */
  readonly recordBoth: <Refusal>(
    ownerId: OwnerId,
    ids: Sides<PortfolioId>,
    clientIds: readonly string[],
    decide: DecideBoth<Refusal>,
    signal?: AbortSignal,
  ) => Promise<RecordedBoth<Refusal>>;

  /** Stores an import until the person confirms it. Returns a short code that only this owner can use. */
  readonly keepImport: (
    ownerId: OwnerId,
    /** Undefined if the portfolio does not exist yet. */
    id: PortfolioId | undefined,
    content: string,
    expiresAt: Timestamp,
  ) => Promise<string>;
  /** Undefined for an unknown, foreign or expired code. */
  readonly pendingImport: (
    ownerId: OwnerId,
    code: string,
  ) => Promise<{ readonly portfolioId: PortfolioId | undefined; readonly content: string } | undefined>;
  /** Replaces what was read by what became of it, until the code expires. */
  readonly endImport: (ownerId: OwnerId, code: string, became: string) => Promise<void>;

  /** Splits, dividends and price gaps that this portfolio is no longer reminded of. */
  readonly dismissed: (ownerId: OwnerId, id: PortfolioId) => Promise<readonly DismissedAction[]>;
  /** False if this owner has no such portfolio. */
  readonly dismiss: (
    ownerId: OwnerId,
    id: PortfolioId,
    actions: readonly DismissedAction[],
  ) => Promise<boolean>;
  /** Undoes `dismiss`; false if this owner has no such portfolio. */
  readonly restore: (
    ownerId: OwnerId,
    id: PortfolioId,
    actions: readonly DismissedAction[],
  ) => Promise<boolean>;
}

const CODE_LENGTH = 6;
const MAX_TRIES = 5;
/** The limit of one owner. Each import holds the rows of a whole file; a new one replaces the oldest. */
const MAX_PENDING_IMPORTS = 5;

/** Imports that were read from a file and wait for the person's confirmation. */
const createPendingImports = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): Pick<PortfolioStore, 'keepImport' | 'pendingImport' | 'endImport'> => ({
  keepImport: async (ownerId, id, content, expiresAt) => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const code = newShortCode(CODE_LENGTH);
      const { numInsertedOrUpdatedRows } = await write(async (tx) => {
        await tx
          .deleteFrom('pending_imports')
          .where('owner_id', '=', ownerId)
          .where('code', 'not in', (newest) =>
            newest
              .selectFrom('pending_imports')
              .select('code')
              .where('owner_id', '=', ownerId)
              .orderBy('expires_at', 'desc')
              .orderBy('code')
              .limit(MAX_PENDING_IMPORTS - 1),
          )
          .execute();
        return tx
          .insertInto('pending_imports')
          .values({
            code,
            owner_id: ownerId,
            portfolio_id: id ?? null,
            content,
            expires_at: toStoredTime(expiresAt),
          })
          .onConflict((conflict) => conflict.column('code').doNothing())
          .executeTakeFirstOrThrow();
      });
      if (numInsertedOrUpdatedRows) return code;
    }
    throw new FinClawError('No free code for an import was found', 'NO_FREE_CODE');
  },

  pendingImport: async (ownerId, code) => {
    const row = await db
      .selectFrom('pending_imports')
      .select(['portfolio_id', 'content'])
      .where('code', '=', cleanShortCode(code))
      .where('owner_id', '=', ownerId)
      .where('expires_at', '>', toStoredTime(clock.now()))
      .executeTakeFirst();
    if (!row) return undefined;
    const { portfolio_id: id, content } = row;
    return { portfolioId: id === null ? undefined : asId<PortfolioId>(id), content };
  },

  endImport: async (ownerId, code, became) => {
    await write((tx) =>
      tx
        .updateTable('pending_imports')
        .set({ content: became })
        .where('code', '=', cleanShortCode(code))
        .where('owner_id', '=', ownerId)
        .execute(),
    );
  },
});

/** The limit of one portfolio: a few years of dividends of many holdings. */
const MAX_DISMISSED = 5_000;

/** Corporate actions that a portfolio is not reminded of. */
const createDismissedActions = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): Pick<PortfolioStore, 'dismissed' | 'dismiss' | 'restore'> => ({
  dismissed: async (ownerId, id) => {
    const rows = await db
      .selectFrom('dismissed_actions')
      .innerJoin('portfolios', 'portfolios.id', 'dismissed_actions.portfolio_id')
      .where('portfolios.id', '=', id)
      .where('portfolios.owner_id', '=', ownerId)
      .select(['symbol', 'kind', 'action_date'])
      .execute();
    return rows.map(({ symbol, kind, action_date }) => ({ symbol, kind, date: action_date }));
  },

  dismiss: (ownerId, id, actions) =>
    write(async (tx) => {
      if (!(await lockPortfolio(tx, ownerId, id))) return false;
      const dismissed_at = toStoredTime(clock.now());
      for (const { symbol, kind, date } of actions.slice(0, MAX_DISMISSED))
        await tx
          .insertInto('dismissed_actions')
          .values({ portfolio_id: id, symbol, kind, action_date: date, dismissed_at })
          .onConflict((conflict) =>
            conflict.columns(['portfolio_id', 'symbol', 'kind', 'action_date']).doNothing(),
          )
          .execute();
      return true;
    }),

  restore: (ownerId, id, actions) =>
    write(async (tx) => {
      if (!(await lockPortfolio(tx, ownerId, id))) return false;
      for (const { symbol, kind, date } of actions)
        await tx
          .deleteFrom('dismissed_actions')
          .where('portfolio_id', '=', id)
          .where('symbol', '=', symbol)
          .where('kind', '=', kind)
          .where('action_date', '=', date)
          .execute();
      return true;
    }),
});

/**
 * Ledgers are read and derived in steps outside of transactions. A transaction then writes the decision if the ledger
 * is unchanged; otherwise the decision is made again.
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
    // A ledger that was deleted meanwhile is incomplete, and is not cached.
    if (ledger.lastNumber === last.number) cache.set(id, ledger);
    return ledger;
  };
  const find = async (ownerId: OwnerId, id: PortfolioId): Promise<PortfolioRecord | undefined> =>
    (await readPortfolios(db, ownerId)).find((portfolio) => portfolio.id === id);

  return {
    list: (ownerId) => readPortfolios(db, ownerId),

    create: (person, portfolio) =>
      write((tx) =>
        forOwnerOf(tx, person, (ownerId) => createPortfolio(tx, person, ownerId, portfolio, clock.now())),
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

    remove: (ownerId, id) => write((tx) => removePortfolio(tx, ownerId, id)),

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

    recordBoth: async (ownerId, { from, to }, clientIds, decide, signal = NEVER_ABORTED) => {
      for (;;) {
        const [one, other] = await Promise.all([find(ownerId, from), find(ownerId, to)]);
        if (!one || !other) return { status: 'gone' };
        const portfolios = { from: one, to: other };
        const ledgers = {
          from: await ledgerOf(ownerId, from, signal),
          to: await ledgerOf(ownerId, to, signal),
        };
        const planned = await byTime(planBoth(portfolios, ledgers, clientIds, decide, clock.now()), signal);
        if ('outcome' in planned) return planned.outcome;
        const { plans } = planned;
        const outcome = await write(async (tx) => {
          // In one order for everybody, so that two moves between the same portfolios never wait for each other.
          const sides = (['from', 'to'] as const).toSorted((a, b) =>
            portfolios[a].id < portfolios[b].id ? -1 : 1,
          );
          for (const side of sides) {
            const read = { portfolio: portfolios[side], lastNumber: ledgers[side].lastNumber };
            const locked = await lockUnchanged(tx, ownerId, read);
            if (locked !== 'locked') return locked;
          }
          const left = maxEntries - plans.to.rows.length;
          const written = await writePlan(tx, ownerId, plans.from, left);
          if (written.status === 'full') return { ...written, limit: maxEntries };
          await writePlan(tx, ownerId, plans.to, maxEntries);
          return written;
        });
        if (outcome === 'changed') continue;
        if (outcome === 'gone') return { status: 'gone' };
        if (outcome.status === 'full') return outcome;
        for (const side of ['from', 'to'] as const) cache.set(portfolios[side].id, plans[side].ledger);
        return planned.done;
      }
    },

    ...createPendingImports(storage, clock),
    ...createDismissedActions(storage, clock),
  };
};
