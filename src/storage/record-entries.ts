import type { Insertable, Transaction as DatabaseTransaction } from 'kysely';
import type { PortfolioId, Timestamp, TransactionId } from '#src/core/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/core/ledger.ts';
import { newId } from '#src/infra/ids.ts';
import type { Decide, Recorded } from './portfolios.ts';
import { type Database, toStoredTime } from './schema.ts';
import { entryRow, type NewRow, reversalRow, ROW_COLUMNS, toEntries } from './transaction-rows.ts';

type Tx = DatabaseTransaction<Database>;

/** Databases take so many values in one statement, and not many more. */
const ROWS_AT_ONCE = 500;

const insert = async (tx: Tx, rows: readonly Insertable<Database['transactions']>[]): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('transactions')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
};

const readRows = (tx: Tx, portfolioId: PortfolioId) =>
  tx
    .selectFrom('transactions')
    .select(ROW_COLUMNS)
    .where('portfolio_id', '=', portfolioId)
    .orderBy('number')
    .execute();

const thoseThatCount = (entries: readonly Transaction[]): readonly Transaction[] =>
  entries.filter(({ isReversed }) => !isReversed);

/** Of a portfolio that the caller has locked. */
export const readCounting = async (tx: Tx, portfolioId: PortfolioId): Promise<readonly Transaction[]> =>
  thoseThatCount(toEntries(await readRows(tx, portfolioId), portfolioId));

/** Of entries with the same client id the first, and none whose client id is known. */
const thoseThatAreNew = (
  entries: readonly NewTransaction[],
  known: ReadonlySet<string>,
): readonly NewTransaction[] => {
  const seen = new Set(known);
  return entries.filter(({ clientId }) => !seen.has(clientId) && seen.add(clientId));
};

/**
 * Adds to a ledger what `decide` makes of it. The caller has locked the portfolio: nobody else adds to it before this
 * transaction is over.
 */
export const recordEntries = async <Refusal>(
  tx: Tx,
  portfolio: PortfolioRecord,
  clientIds: readonly string[],
  decide: Decide<Refusal>,
  at: Timestamp,
): Promise<Recorded<Refusal>> => {
  const { id: portfolioId } = portfolio;
  const rows = await readRows(tx, portfolioId);
  const entries = toEntries(rows, portfolioId);
  const known = new Set(rows.map(({ client_id }) => client_id));

  /** What was recorded under these, or taken back. */
  const repeated = (ids: ReadonlySet<string>): Recorded<Refusal> => {
    const meant = new Set(
      rows.filter(({ client_id }) => ids.has(client_id)).map(({ id, reverses }) => reverses ?? id),
    );
    return { status: 'repeated', transactions: entries.filter(({ id }) => meant.has(id)) };
  };
  if (clientIds.length > 0 && clientIds.every((clientId) => known.has(clientId)))
    return repeated(new Set(clientIds));

  const decision = decide(thoseThatCount(entries), portfolio);
  if ('refused' in decision) return { status: 'refused', refusal: decision.refused };

  let number = rows.at(-1)?.number ?? 0;
  const nextRow = (): NewRow => {
    number += 1;
    return { id: newId<TransactionId>(), portfolioId, number, recordedAt: toStoredTime(at) };
  };
  if ('reverse' in decision) {
    if (known.has(decision.clientId)) return repeated(new Set([decision.clientId]));
    const meant = entries.find(({ id, isReversed }) => id === decision.reverse && !isReversed);
    if (!meant) throw new Error('Only an entry that counts in this portfolio can be reversed');
    await insert(tx, [reversalRow(meant.id, decision.clientId, nextRow())]);
    return { status: 'reversed', transaction: { ...meant, isReversed: true } };
  }
  const added = thoseThatAreNew(decision.append, known).map((entry) => ({ entry, row: nextRow() }));
  if (added.length === 0) return repeated(new Set(decision.append.map(({ clientId }) => clientId)));
  await insert(
    tx,
    added.map(({ entry, row }) => entryRow(entry, row)),
  );
  const transactions = added.map(({ entry, row: { recordedAt, ...row } }): Transaction => ({
    ...entry,
    ...row,
    recordedAt: Temporal.Instant.from(recordedAt),
    isReversed: false,
  }));
  return { status: 'recorded', transactions };
};
