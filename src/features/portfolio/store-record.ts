import type { Selectable, Transaction as DatabaseTransaction } from 'kysely';
import type { OwnerId, Timestamp, TransactionId } from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import { newId } from '#src/platform/ids.ts';
import { mapInSteps, pauseBriefly, type Steps } from '#src/platform/cooperative-tasks.ts';
import { entryRow, type Ledger, type NewRow, reversalRow, toLedger } from './store-ledger.ts';
import { countEntries, lockPortfolio } from './store-portfolios.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

type Tx = DatabaseTransaction<Database>;
type Rows = readonly Selectable<Database['transactions']>[];

/** The entries to add, the entry to reverse, or the reason for doing neither. */
export type Decision<Refusal> =
  | { readonly append: readonly NewTransaction[] }
  | { readonly reverse: TransactionId; readonly clientId: string }
  | { readonly refused: Refusal };

/**
 * Decides what to record. `existing` holds the entries that count. It must have no side effects: it is called again if
 * the ledger or the portfolio has changed before the decision was written.
 */
export type Decide<Refusal> = (
  existing: readonly Transaction[],
  portfolio: PortfolioRecord,
) => Steps<Decision<Refusal>>;

export type Recorded<Refusal> =
  | { readonly status: 'recorded'; readonly transactions: readonly Transaction[] }
  /** Everything was recorded before, under the same client ids. */
  | { readonly status: 'repeated'; readonly transactions: readonly Transaction[] }
  | { readonly status: 'reversed'; readonly transaction: Transaction }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  /** The owner's portfolios together would exceed the entry limit. */
  | { readonly status: 'full'; readonly limit: number }
  /** This owner has no such portfolio. */
  | { readonly status: 'gone' };

/** Databases limit the values of a statement, and this many rows take only a few milliseconds. */
const ROWS_AT_ONCE = 100;

const insert = async (tx: Tx, rows: Rows): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await pauseBriefly();
    await tx
      .insertInto('transactions')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
};

/** Drops entries whose client id is known or was used by an earlier one. */
const newEntries = (
  entries: readonly NewTransaction[],
  known: ReadonlySet<string>,
): readonly NewTransaction[] => {
  const seen = new Set(known);
  return entries.filter(({ clientId }) => !seen.has(clientId) && seen.add(clientId));
};

/** The rows to write and the outcome; without `rows`, nothing is written. */
type Plan<Refusal> =
  | { readonly outcome: Recorded<Refusal> }
  | {
      readonly outcome: Recorded<Refusal>;
      readonly rows: Rows;
      /** The ledger including these rows. */
      readonly ledger: Ledger;
    };

/** Turns the decision for a ledger into rows. Writes nothing, because the ledger may have changed meanwhile. */
export const planEntries = function* <Refusal>(
  portfolio: PortfolioRecord,
  ledger: Ledger,
  clientIds: readonly string[],
  decide: Decide<Refusal>,
  at: Timestamp,
): Steps<Plan<Refusal>> {
  const { id: portfolioId } = portfolio;
  const { entries, reversals } = ledger;
  const known = new Set([...(yield* mapInSteps(entries, ({ clientId }) => clientId)), ...reversals.keys()]);

  /** The entries that were recorded or reversed under these client ids. */
  const repeated = (ids: ReadonlySet<string>): Plan<Refusal> => {
    const takenBack = new Set([...ids].flatMap((clientId) => reversals.get(clientId) ?? []));
    const transactions = entries.filter(({ id, clientId }) => ids.has(clientId) || takenBack.has(id));
    return { outcome: { status: 'repeated', transactions } };
  };
  if (clientIds.length > 0 && clientIds.every((clientId) => known.has(clientId)))
    return repeated(new Set(clientIds));

  const decision = yield* decide(
    entries.filter(({ isReversed }) => !isReversed),
    portfolio,
  );
  if ('refused' in decision) return { outcome: { status: 'refused', refusal: decision.refused } };

  let number = ledger.lastNumber;
  const recordedAt = toStoredTime(at);
  const nextRow = (): NewRow => {
    number += 1;
    return { id: newId<TransactionId>(), portfolioId, number, recordedAt };
  };
  if ('reverse' in decision) {
    const { clientId } = decision;
    if (known.has(clientId)) return repeated(new Set([clientId]));
    const meant = entries.find(({ id, isReversed }) => id === decision.reverse && !isReversed);
    if (!meant) throw new Error('Only an entry that counts in this portfolio can be reversed');
    const transaction = { ...meant, isReversed: true };
    return {
      outcome: { status: 'reversed', transaction },
      rows: [reversalRow(meant.id, clientId, nextRow())],
      ledger: {
        lastNumber: number,
        entries: entries.map((entry) => (entry === meant ? transaction : entry)),
        reversals: new Map([...reversals, [clientId, meant.id]]),
      },
    };
  }
  const fresh = newEntries(decision.append, known);
  yield;
  const added = yield* mapInSteps(fresh, (entry) => ({ entry, row: nextRow() }));
  if (added.length === 0) return repeated(new Set(decision.append.map(({ clientId }) => clientId)));
  const instant = Temporal.Instant.from(recordedAt);
  const toTransaction = ({ entry, row }: (typeof added)[number]): Transaction => {
    const { recordedAt: _, ...rest } = row;
    return { ...entry, ...rest, recordedAt: instant, isReversed: false };
  };
  const transactions = yield* mapInSteps(added, toTransaction);
  const rows = yield* mapInSteps(added, ({ entry, row }) => entryRow(entry, row));
  // The cache gets entries as the database returns them, whose decimals may differ in precision.
  const more = yield* toLedger(rows, portfolioId);
  return {
    outcome: { status: 'recorded', transactions },
    rows,
    ledger: { lastNumber: number, entries: [...entries, ...more.entries], reversals },
  };
};

/** A decision made under other rules has to be made again. */
const hasSameRules = (a: PortfolioRecord, b: PortfolioRecord): boolean =>
  a.baseCurrency === b.baseCurrency && a.costMethod === b.costMethod && a.allowsShort === b.allowsShort;

/** Locks a portfolio until the transaction ends, if neither its rules nor its ledger have changed since it was read. */
export const lockUnchanged = async (
  tx: Tx,
  ownerId: OwnerId,
  read: { readonly portfolio: PortfolioRecord; readonly lastNumber: number },
): Promise<'locked' | 'changed' | 'gone'> => {
  const { id } = read.portfolio;
  const portfolio = await lockPortfolio(tx, ownerId, id);
  if (!portfolio) return 'gone';
  const last = await tx
    .selectFrom('transactions')
    .select('number')
    .where('portfolio_id', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return hasSameRules(portfolio, read.portfolio) && (last?.number ?? 0) === read.lastNumber
    ? 'locked'
    : 'changed';
};

/** Writes a plan for a locked portfolio. The limit does not apply to reversals, so that people can always correct. */
export const writePlan = async <Refusal>(
  tx: Tx,
  ownerId: OwnerId,
  { outcome, rows }: { readonly outcome: Recorded<Refusal>; readonly rows: Rows },
  maxEntries: number,
): Promise<Recorded<Refusal>> => {
  const isMore = outcome.status === 'recorded';
  if (isMore && (await countEntries(tx, [ownerId])) + rows.length > maxEntries)
    return { status: 'full', limit: maxEntries };
  await insert(tx, rows);
  return outcome;
};
