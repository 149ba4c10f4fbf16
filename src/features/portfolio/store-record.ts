import type { Selectable, Transaction as DatabaseTransaction } from 'kysely';
import type { OwnerId, Timestamp, TransactionId } from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import { newId } from '#src/platform/ids.ts';
import { mapInSteps, pauseBriefly, type Steps } from '#src/platform/cooperative-tasks.ts';
import { entryRow, type Ledger, type NewRow, reversalRow, toLedger } from './store-ledger.ts';
import type { Decide, Recorded } from './store-types.ts';
import { countEntries, lockPortfolio } from './store-rows.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

type Tx = DatabaseTransaction<Database>;
type Rows = readonly Selectable<Database['transactions']>[];

/** Databases take so many values in one statement, and not many more; and so many take a few milliseconds. */
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

/** Of entries with the same client id the first, and none whose client id is known. */
const thoseThatAreNew = (
  entries: readonly NewTransaction[],
  known: ReadonlySet<string>,
): readonly NewTransaction[] => {
  const seen = new Set(known);
  return entries.filter(({ clientId }) => !seen.has(clientId) && seen.add(clientId));
};

/** What is to be written, and what comes of it; or what there is to say where nothing is. */
export type Plan<Refusal> =
  | { readonly outcome: Recorded<Refusal> }
  | {
      readonly outcome: Recorded<Refusal>;
      readonly rows: Rows;
      /** With these rows. */
      readonly ledger: Ledger;
    };

/** What `decide` makes of a ledger, as rows. Nothing is written: the ledger may have changed meanwhile. */
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

  /** What was recorded under these, or taken back. */
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
  const fresh = thoseThatAreNew(decision.append, known);
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
  // As they are read again: numbers of another precision must not get into what is kept.
  const more = yield* toLedger(rows, portfolioId);
  return {
    outcome: { status: 'recorded', transactions },
    rows,
    ledger: { lastNumber: number, entries: [...entries, ...more.entries], reversals },
  };
};

/** How a portfolio counts; whoever decided by other rules has to decide again. */
const isSame = (a: PortfolioRecord, b: PortfolioRecord): boolean =>
  a.baseCurrency === b.baseCurrency && a.costMethod === b.costMethod && a.allowsShort === b.allowsShort;

/**
 * Locks a portfolio if it is still as it was read, and nobody has added to its ledger: from there on nobody else does
 * before the transaction is over.
 */
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
  return isSame(portfolio, read.portfolio) && (last?.number ?? 0) === read.lastNumber ? 'locked' : 'changed';
};

/** Writes a plan for a portfolio that is locked. What takes back is always taken: a person must be able to correct. */
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
