import type { Kysely, Selectable, Transaction } from 'kysely';
import { asId, type OwnerId, type PersonRef, type PortfolioId, type Timestamp } from '#src/kernel/ids.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { AccountKind, CostMethod, PortfolioRecord, PortfolioTarget } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { newId } from '#src/platform/ids.ts';
import { ownOwnerId } from '#src/people/store/owners.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

type Tx = Transaction<Database>;

export interface NewPortfolio {
  readonly name: string;
  readonly baseCurrency: string;
}

export interface PortfolioChange {
  readonly costMethod?: CostMethod;
  readonly allowsShort?: boolean;
  readonly isDefault?: true;
  /** Null: an ordinary account. */
  readonly account?: AccountKind | null;
  /** An empty list removes the targets. */
  readonly targets?: readonly PortfolioTarget[];
}

/** Names that look the same to a person share one key. */
export const portfolioNameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

interface StoredTarget {
  readonly percent: string;
  readonly instrument?: Instrument;
}

const writeTargets = (targets: readonly PortfolioTarget[]): string | null =>
  targets.length === 0
    ? null
    : JSON.stringify(
        targets.map(({ percent, ...of }): StoredTarget => ({ percent: percent.toFixed(), ...of })),
      );

const readTargets = (stored: string | null): readonly PortfolioTarget[] =>
  stored === null
    ? []
    : (JSON.parse(stored) as readonly StoredTarget[]).map(({ percent, ...of }) => ({
        percent: new Decimal(percent),
        ...of,
      }));

const toPortfolio = (row: Selectable<Database['portfolios']>, isDefault: boolean): PortfolioRecord => ({
  id: asId<PortfolioId>(row.id),
  ownerId: asId<OwnerId>(row.owner_id),
  name: row.name,
  baseCurrency: row.base_currency,
  costMethod: row.cost_method,
  allowsShort: row.allows_short === 1,
  isDefault,
  account: row.account_kind,
  targets: readTargets(row.targets),
  createdAt: Temporal.Instant.from(row.created_at),
});

/** Oldest first. Exactly one is the default, even if concurrent requests marked none or several. */
export const readPortfolios = async (
  db: Pick<Kysely<Database>, 'selectFrom'>,
  ownerId: OwnerId,
): Promise<readonly PortfolioRecord[]> => {
  const rows = await db
    .selectFrom('portfolios')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const preferred = rows.find(({ is_default }) => is_default === 1) ?? rows[0];
  return rows.map((row) => toPortfolio(row, row === preferred));
};

/**
 * Locks the owner's first portfolio, which stands for all of them: nobody else can add to any of them before the
 * transaction ends. It is always locked before any other, so that no deadlock arises.
 */
export const lockOwner = async (tx: Tx, ownerId: OwnerId): Promise<void> => {
  await tx
    .updateTable('portfolios')
    .set((column) => ({ name: column.ref('name') }))
    .where('owner_id', '=', ownerId)
    .where('id', '=', (first) =>
      first
        .selectFrom('portfolios as first')
        .select((all) => all.fn.min('first.id').as('id'))
        .where('first.owner_id', '=', ownerId),
    )
    .execute();
};

/** Counts the rows of all their ledgers, including reversed entries and reversals. */
export const countEntries = async (
  db: Pick<Kysely<Database>, 'selectFrom'>,
  owners: readonly OwnerId[],
): Promise<number> => {
  const { count } = await db
    .selectFrom('transactions')
    .innerJoin('portfolios', 'portfolios.id', 'transactions.portfolio_id')
    .select((all) => all.fn.countAll().as('count'))
    .where('portfolios.owner_id', 'in', owners)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Locks a portfolio against other writers until the transaction ends. Undefined if this owner has no such portfolio. */
export const lockPortfolio = async (
  tx: Tx,
  ownerId: OwnerId,
  id: PortfolioId,
): Promise<PortfolioRecord | undefined> => {
  await lockOwner(tx, ownerId);
  const { numUpdatedRows } = await tx
    .updateTable('portfolios')
    .set((column) => ({ name: column.ref('name') }))
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  return (await readPortfolios(tx, ownerId)).find((portfolio) => portfolio.id === id);
};

/** Undefined if the name is taken, regardless of case. The first portfolio of an owner becomes the default. */
export const createPortfolio = async (
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
      account_kind: null,
    })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return undefined;
  return (await readPortfolios(tx, ownerId)).find((portfolio) => portfolio.id === id);
};

export const openFirst = async (
  tx: Tx,
  person: PersonRef,
  ownerId: OwnerId,
  portfolio: NewPortfolio,
  at: Timestamp,
): Promise<{ readonly portfolio: PortfolioRecord; readonly isNew: boolean }> => {
  const known = (await readPortfolios(tx, ownerId)).find(({ isDefault }) => isDefault);
  const made = known ?? (await createPortfolio(tx, person, ownerId, portfolio, at));
  if (!made) throw new Error('The name is taken although there is no portfolio');
  return { portfolio: made, isNew: !known };
};

const setDefault = async (tx: Tx, ownerId: OwnerId, id: PortfolioId): Promise<void> => {
  await tx.updateTable('portfolios').set({ is_default: 0 }).where('owner_id', '=', ownerId).execute();
  await tx.updateTable('portfolios').set({ is_default: 1 }).where('id', '=', id).execute();
};

/** Deletes a portfolio with its ledger; the oldest remaining one becomes the default if this one was it. */
export const removePortfolio = async (tx: Tx, ownerId: OwnerId, id: PortfolioId): Promise<boolean> => {
  await lockOwner(tx, ownerId);
  // The portfolio goes first, so that no concurrent writer still finds it.
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

export const saveChange = async (
  tx: Tx,
  ownerId: OwnerId,
  id: PortfolioId,
  { costMethod, allowsShort, isDefault, account, targets }: PortfolioChange,
): Promise<void> => {
  if (isDefault) await setDefault(tx, ownerId, id);
  const changed = {
    ...(costMethod === undefined ? {} : { cost_method: costMethod }),
    ...(allowsShort === undefined ? {} : { allows_short: allowsShort ? 1 : 0 }),
    ...(account === undefined ? {} : { account_kind: account }),
    ...(targets === undefined ? {} : { targets: writeTargets(targets) }),
  };
  if (Object.keys(changed).length > 0)
    await tx.updateTable('portfolios').set(changed).where('id', '=', id).execute();
};
