import type { Selectable, Transaction as DatabaseTransaction } from 'kysely';
import type { OwnerId, Timestamp, TransactionId } from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import { newId } from '#src/platform/ids.ts';
import { mapInSteps, pauseBriefly, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { entryRow, type Ledger, type NewRow, reversalRow, toLedger } from './ledger.ts';
import { countEntries, lockPortfolio } from './portfolios.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

type Tx = DatabaseTransaction<Database>;
type Rows = readonly Selectable<Database['transactions']>[];

/** The entries to add, the entries to reverse, or the reason for doing neither. */
export type Decision<Refusal> = Decided | Refused<Refusal>;

type Decided =
  | { readonly append: readonly NewTransaction[] }
  | { readonly reverse: readonly TransactionId[]; readonly clientId: string };

interface Refused<Refusal> {
  readonly refused: Refusal;
}

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
  | { readonly status: 'reversed'; readonly transactions: readonly Transaction[] }
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
    const wanted = new Set(decision.reverse);
    const meant = entries.filter(({ id, isReversed }) => wanted.has(id) && !isReversed);
    if (meant.length === 0 || meant.length < wanted.size)
      throw new Error('Only entries that count in this portfolio can be reversed');
    // The first row has the id of the request, by which a repeated one is recognised.
    const idAt = (index: number): string => (index === 0 ? clientId : `${clientId}:${index}`);
    const reversed = meant.map(({ id }, index) => ({ id, clientId: idAt(index), row: nextRow() }));
    yield;
    return {
      outcome: { status: 'reversed', transactions: meant.map((entry) => ({ ...entry, isReversed: true })) },
      rows: reversed.map((each) => reversalRow(each.id, each.clientId, each.row)),
      ledger: {
        lastNumber: number,
        entries: entries.map((entry) => (wanted.has(entry.id) ? { ...entry, isReversed: true } : entry)),
        reversals: new Map([...reversals, ...reversed.map((each) => [each.clientId, each.id] as const)]),
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

/** The two portfolios of a transfer. */
export type Sides<T> = Readonly<Record<'from' | 'to', T>>;

export type DecideBoth<Refusal> = (
  existing: Sides<readonly Transaction[]>,
  portfolios: Sides<PortfolioRecord>,
) => Steps<Sides<Decided> | Refused<Refusal>>;

export type RecordedBoth<Refusal> =
  | {
      readonly status: 'recorded' | 'repeated' | 'reversed';
      readonly transactions: Sides<readonly Transaction[]>;
    }
  | Exclude<Recorded<Refusal>, { readonly transactions: readonly Transaction[] }>;

type Written<Refusal> = Extract<Plan<Refusal>, { readonly rows: Rows }>;

/** Plans both ledgers, or says why nothing is written. What is known on one side is known on both. */
export const planBoth = function* <Refusal>(
  portfolios: Sides<PortfolioRecord>,
  ledgers: Sides<Ledger>,
  clientIds: readonly string[],
  decide: DecideBoth<Refusal>,
  at: Timestamp,
): Steps<
  | { readonly outcome: RecordedBoth<Refusal> }
  | { readonly plans: Sides<Written<never>>; readonly done: RecordedBoth<Refusal> }
> {
  const counting = (side: 'from' | 'to'): readonly Transaction[] =>
    ledgers[side].entries.filter(({ isReversed }) => !isReversed);
  let decided: Sides<Decided> | Refused<Refusal> | undefined;
  const plan = function* (side: 'from' | 'to'): Steps<Plan<Refusal>> {
    const own = function* (): Steps<Decision<Refusal>> {
      decided ??= yield* decide({ from: counting('from'), to: counting('to') }, portfolios);
      return 'refused' in decided ? { refused: decided.refused } : decided[side];
    };
    return yield* planEntries(portfolios[side], ledgers[side], clientIds, own, at);
  };
  const [from, to] = [yield* plan('from'), yield* plan('to')];
  for (const { outcome } of [from, to])
    if (outcome.status === 'refused' || outcome.status === 'full' || outcome.status === 'gone')
      return { outcome };
  const entriesOf = ({ outcome }: Plan<Refusal>): readonly Transaction[] =>
    'transactions' in outcome ? outcome.transactions : [];
  const transactions = { from: entriesOf(from), to: entriesOf(to) };
  if (!('rows' in from) || !('rows' in to)) return { outcome: { status: 'repeated', transactions } };
  const status = from.outcome.status === 'reversed' ? 'reversed' : 'recorded';
  const plans = { from, to } as Sides<Written<never>>;
  return { plans, done: { status, transactions } };
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
