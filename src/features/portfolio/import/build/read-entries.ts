import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { type NewTransaction, instrumentOf } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { DateOrder } from '#src/reading/dates.ts';
import { findTables, type TableRecord, type TransactionTable } from '../columns/find-tables.ts';
import { compareDates, type Counts, currenciesIn, type Item, addEntries, readItems } from './items.ts';
import { pointsOf, statedChecks } from './stated-balances.ts';
import { misfits, reconcile, type Reconciliation, heldAfter } from './reconcile.ts';
import { isMoneyMove } from '#src/features/portfolio/ledger/derive-ledger.ts';
import type { Sheet } from '../sheet.ts';
import { type FileProblem, RECORD_LIMIT, type RowProblem } from '../problems.ts';
import { dateOrderOf } from '../columns/cells.ts';
import type { RecordDraft } from '../rows/read-record.ts';
import { createInstrumentFinder } from './instruments.ts';
import { type MoneyNote, namedIn, statedCurrency } from './line-money.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { contentKey, countByKey } from '../entry-content.ts';
import { type MakeContext, makeEntries } from './make-entries.ts';

const compareTimes = (a: Item, b: Item): number => {
  const [first, second] = [a.draft?.time, b.draft?.time];
  return first && second ? Temporal.PlainTime.compare(first, second) : 0;
};

const byDay = function* (items: readonly Item[]): Steps<readonly Item[]> {
  const sorted = items.toSorted(compareDates);
  yield;
  const ordered: Item[] = [];
  for (const day of Map.groupBy(sorted, ({ day: number }) => number).values()) {
    yield;
    ordered.push(...(day.every(({ draft }) => draft?.time) ? day.toSorted(compareTimes) : day));
  }
  return ordered;
};

/** Most US brokers list the newest first. */
const isDescending = (items: readonly Item[]): boolean => {
  let steps = 0;
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before) steps += Math.sign(compareDates(before, item));
  }
  return steps > 0;
};

/** Sorts by time. Within a day, lines run down or up the file, as the balances, else the dates, show. */
const inOrder = function* (
  tables: readonly TransactionTable[],
  items: readonly Item[],
): Steps<readonly Item[]> {
  // Our own export is in recording order, which counts within a day.
  if (tables.every(({ header }) => header.isOwn)) return items;
  const byTable = Map.groupBy(items, ({ table }) => table);
  const ordered: Item[] = [];
  for (const table of tables) {
    const own = byTable.get(table) ?? [];
    const down = yield* byDay(own);
    const up = yield* byDay(own.toReversed());
    const hasBalances = own.some(({ draft }) => draft?.balance);
    const downFits = hasBalances ? yield* misfits(yield* pointsOf(down)) : 0;
    const upFits = hasBalances ? yield* misfits(yield* pointsOf(up)) : 0;
    const isUp = downFits === upFits ? isDescending(own) : upFits < downFits;
    ordered.push(...(isUp ? up : down));
  }
  return yield* byDay(ordered);
};

export interface FileEntry extends TableRecord {
  /** The entry without its client id. */
  readonly entry: NewTransaction;
  readonly notes: readonly MoneyNote[];
}

export interface FileError extends TableRecord {
  readonly problem: RowProblem;
  /** The instrument whose quantity will be wrong without the line. */
  readonly lacking?: string | undefined;
}

export interface ReadFile {
  /** In order of time. */
  readonly entries: readonly FileEntry[];
  readonly errors: readonly FileError[];
  /** The number of cancelled lines. */
  readonly voids: number;
  /** The number of lines that only repeat the cash of another line or move cash into a cash fund. */
  readonly skipped: number;
  /** The file states no taxes, so those of Korean sales were computed. */
  readonly lacksTaxes: boolean;
  readonly checks: Reconciliation;
}

type FileRead =
  | { readonly status: 'ok'; readonly file: ReadFile }
  | { readonly status: 'refused'; readonly problem: FileProblem };

interface FileContext {
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly baseCurrency: Currency;
  readonly today: Temporal.PlainDate;
  /** The entries that count in the portfolio, which give the holding before a split. */
  readonly recorded: readonly NewTransaction[];
}

const orderOf = (tables: readonly TransactionTable[]): DateOrder | undefined =>
  dateOrderOf(
    tables.flatMap(({ header, records }) => {
      const at = header.columns.get('date')?.[0] ?? 0;
      return records.map(({ cells }) => cells[at] ?? '');
    }),
    tables.some(({ header }) => header.isAmerican),
    tables.some(({ decimals }) => decimals === 'comma'),
  );

/** Kinds that change a quantity. */
const SHARE_KINDS: ReadonlySet<RecordDraft['kind']> = new Set([
  'buy',
  'opening',
  'sell',
  'split',
  'split-in',
  'split-out',
  'rights',
  'bonus',
  'shares-in',
  'shares-out',
  'reorganisation',
  'cancelled',
]);

const lackingIn = ({ draft, problem }: Item): string | undefined => {
  const areMoved = problem?.kind === 'shares-in' || problem?.kind === 'shares-out';
  return draft && (areMoved || SHARE_KINDS.has(draft.kind))
    ? draft.name || draft.code || draft.isin
    : undefined;
};

/** Turns the tables of a broker's file into entries without rates, and problems by line. Throws on abort alone. */
export const readEntries = async (
  sheets: readonly Sheet[],
  context: FileContext,
  signal: AbortSignal,
): Promise<FileRead> => {
  const found = await byTime(findTables(sheets), signal);
  const { tables } = found;
  if (tables.length === 0) return { status: 'refused', problem: { kind: 'no-header' } };
  const records = tables.reduce((sum, table) => sum + table.records.length, 0);
  if (records === 0) return { status: 'refused', problem: { kind: 'no-rows' } };
  if (records > RECORD_LIMIT) return { status: 'refused', problem: { kind: 'too-many-rows' } };
  const order = orderOf(tables);
  if (!order) return { status: 'refused', problem: { kind: 'unclear-dates' } };

  const read = function* (dateOrder: DateOrder): Steps<ReadFile> {
    const counts: Counts = { voids: 0, skipped: 0 };
    const items = yield* readItems(tables, dateOrder, context.baseCurrency, counts);
    const find = createInstrumentFinder(context.symbols);
    const drafts = items.flatMap(({ draft }) => draft ?? []);
    const making = {
      ...context,
      find,
      currencies: yield* currenciesIn(drafts, find),
      countsCash: drafts.some(({ kind }) => kind === 'deposit') || context.recorded.some(isMoneyMove),
    };
    yield* addEntries(items, making, counts);
    const ordered = yield* inOrder(tables, items);
    yield* findRatios(ordered, context.recorded, making);
    const checks = yield* reconcile(yield* pointsOf(ordered));
    const stated = statedChecks(ordered, tables, found.stated);
    const entries = ordered.flatMap((item) =>
      item.entries.map((entry, index) => ({
        ...item.record,
        entry,
        notes: index === 0 ? item.notes : [],
      })),
    );
    const errors = ordered.flatMap((item) =>
      item.problem ? [{ ...item.record, problem: item.problem, lacking: lackingIn(item) }] : [],
    );
    const lacksTaxes = ordered.some(
      (item) =>
        !item.table.header.tellsTaxes &&
        item.entries.some((entry) => entry.kind === 'sell' && !entry.tax.isZero()),
    );
    return {
      entries,
      errors,
      ...counts,
      lacksTaxes,
      checks: { ...checks, cash: [...checks.cash, ...stated] },
    };
  };
  // A large file must not hold up the whole bot.
  const file = await byTime(read(order), signal);
  const { errors } = file;
  const saysNothing = errors.length === records && errors.every(({ problem }) => problem.kind === 'no-kind');
  return saysNothing && records > 1
    ? { status: 'refused', problem: { kind: 'no-kinds' } }
    : { status: 'ok', file };
};

const ZERO = new Decimal(0);
const MAX_TO = 100;
const MAX_FROM = 20;

/** The simplest ratio that leaves less than one share over, which was paid in cash. */
const simpleRatio = (before: Decimal, after: Decimal): Decimal | undefined => {
  let best: { readonly ratio: Decimal; readonly size: number } | undefined;
  for (let from = 1; from <= MAX_FROM; from += 1)
    for (let to = 1; to <= MAX_TO; to += 1) {
      const size = from + to;
      if (best && best.size <= size) continue;
      const ratio = new Decimal(to).dividedBy(from);
      const over = before.times(ratio).minus(after);
      if (!over.isNegative() && over.lessThan(1)) best = { ratio, size };
    }
  return best?.ratio;
};

/**
 * The ratio of a split by the quantity before it and the change, and the fraction that was paid in cash. With `hasCash`
 * there was such a payment, so the quantities do not give the exact ratio.
 */
const ratioBetween = (
  before: Decimal,
  added: Decimal,
  hasCash: boolean,
): { readonly ratio: Decimal; readonly fraction: Decimal } | undefined => {
  const after = before.plus(added);
  if (!before.greaterThan(0) || !after.greaterThan(0) || added.isZero()) return undefined;
  const exact = after.dividedBy(before);
  const simple = hasCash ? simpleRatio(before, after) : undefined;
  return simple && !simple.equals(exact)
    ? { ratio: simple, fraction: before.times(simple).minus(after) }
    : { ratio: exact, fraction: ZERO };
};

const MAX_CASH_DAYS = 60;

const isWaiting = ({ problem }: Item): boolean => problem?.kind === 'no-ratio';

/** Finds the ratio of splits that state only the added shares, by the quantity held before them. */
const findRatios = function* (
  items: readonly Item[],
  already: readonly NewTransaction[],
  context: MakeContext,
): Steps<void> {
  if (!items.some(isWaiting)) return;
  const byInstrument = Map.groupBy(
    items.filter(({ entries: [entry] }) => entry?.kind === 'cash-in-lieu'),
    ({ entries: [entry] }) => (entry ? (instrumentOf(entry)?.symbol ?? '') : ''),
  );
  const held = new Map<string, Decimal>();
  const apply = (entry: NewTransaction): void => {
    const symbol = instrumentOf(entry)?.symbol;
    if (symbol !== undefined) held.set(symbol, heldAfter(held.get(symbol) ?? ZERO, entry));
  };
  const recorded = already
    .map((entry) => ({ entry, day: epochDay(entry.date) }))
    .toSorted((a, b) => a.day - b.day);
  // Entries that are recorded already must not be counted twice.
  const there = yield* countByKey(already);
  let next = 0;
  for (const item of items) {
    yield;
    const { day, draft } = item;
    for (let at = recorded[next]; at && at.day < day; at = recorded[next]) {
      apply(at.entry);
      next += 1;
    }
    if (isWaiting(item) && draft?.quantity) {
      const found = context.find(namedIn(draft, statedCurrency(draft)));
      if (found.status !== 'found') continue;
      const { instrument } = found;
      const cash = byInstrument
        .get(instrument.symbol)
        ?.find((other) => Math.abs(other.day - day) <= MAX_CASH_DAYS);
      const before = draft.held?.greaterThan(draft.quantity)
        ? draft.held.minus(draft.quantity)
        : (held.get(instrument.symbol) ?? ZERO);
      const ratio = ratioBetween(before, draft.quantity, cash !== undefined);
      if (!ratio) continue;
      const made = makeEntries({ ...draft, ratio: ratio.ratio.toFixed() }, context);
      if (made.status !== 'entries') continue;
      Object.assign(item, { entries: made.entries, problem: undefined });
      if (cash && !ratio.fraction.isZero())
        cash.entries = cash.entries.map((entry) =>
          entry.kind === 'cash-in-lieu' && entry.quantity === undefined
            ? { ...entry, quantity: ratio.fraction }
            : entry,
        );
    }
    for (const entry of item.entries) {
      const key = contentKey(entry);
      const left = there.get(key) ?? 0;
      if (left > 0) there.set(key, left - 1);
      else apply(entry);
    }
  }
};
