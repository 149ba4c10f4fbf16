import { FinClawError } from '#src/kernel/errors.ts';
import { asId, type OwnerId, type PersonRef, type PortfolioId, type Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { NewPortfolio, PortfolioChange, PortfolioStore } from './store-types.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import { cleanShortCode, newShortCode } from '#src/platform/storage/short-codes.ts';
import { lockOwner, lockPortfolio, portfolioNameKey, readPortfolios, writeTargets } from './store-rows.ts';
import type { Transaction as DatabaseTransaction } from 'kysely';
import { DEFAULT_MAX_ENTRIES, type PortfolioRecord } from '#src/kernel/ledger.ts';
import { newId } from '#src/platform/ids.ts';
import { NEVER_ABORTED } from '#src/platform/abort.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import { createLedgerCache, type Ledger, readLedger } from './store-ledger.ts';
import { forOwnerOf, ownOwnerId } from '#src/platform/storage/accounts/owners.ts';
import { lockUnchanged, planEntries, writePlan } from './store-record.ts';

const CODE_LENGTH = 6;
const MAX_TRIES = 5;
/** The limit of one owner. Each import holds the rows of a whole file; a new one replaces the oldest. */
const MAX_PENDING_IMPORTS = 5;

/** Imports that were read from a file and wait for the person's confirmation. */
const createPendingImports = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): Pick<PortfolioStore, 'keepImport' | 'pendingImport' | 'dropImport'> => ({
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

  dropImport: async (ownerId, code) => {
    await write((tx) =>
      tx
        .deleteFrom('pending_imports')
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
  // Deleted first, so that nobody who is about to write into it finds it.
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
 * unchanged. Otherwise somebody else has written, and the decision is made again.
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
