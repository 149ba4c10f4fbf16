import type { Kysely, Selectable, Transaction } from 'kysely';
import { asId, type OwnerId, type PortfolioId } from '#src/kernel/ids.ts';
import type { Instrument } from '#src/kernel/finance.ts';
import type { PortfolioRecord, PortfolioTarget } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Database } from '#src/platform/storage/schema.ts';

/** Names that a person would take for the same have the same one. */
export const portfolioNameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

interface StoredTarget {
  readonly percent: string;
  readonly instrument?: Instrument;
}

export const writeTargets = (targets: readonly PortfolioTarget[]): string | null =>
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
  targets: readTargets(row.targets),
  createdAt: Temporal.Instant.from(row.created_at),
});

/** The oldest first. One of them is the default, whatever two requests at once, or a removal, left behind. */
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
  const meant = rows.find(({ is_default }) => is_default === 1) ?? rows[0];
  return rows.map((row) => toPortfolio(row, row === meant));
};

/**
 * Whoever else would add to any portfolio of this owner waits until the transaction is over: their first one stands for
 * all of them. It is locked before any other, so that no two transactions wait for each other.
 */
export const lockOwner = async (tx: Transaction<Database>, ownerId: OwnerId): Promise<void> => {
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

/** Of all their portfolios, as rows: what was taken back and what took it back is in it. */
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

/**
 * Whoever else would write into this portfolio waits until the transaction is over: it is as it is given here until
 * then. Undefined where there is no such portfolio of this owner.
 */
export const lockPortfolio = async (
  tx: Transaction<Database>,
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
