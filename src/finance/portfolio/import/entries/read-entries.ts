import { createHash } from 'node:crypto';
import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import { type NewTransaction, instrumentOf } from '#src/core/ledger.ts';
import { type Currency, Decimal } from '#src/core/money.ts';
import { byTime, type Steps } from '#src/infra/steps.ts';
import type { DateOrder } from '#src/language/dates.ts';
import type { Sheet } from '../files/sheet.ts';
import { type FileProblem, RECORD_LIMIT, type RowProblem } from '../problems.ts';
import { dateOrderOf, numberIn } from '../records/cells.ts';
import { type Draft, readRecord } from '../records/read-record.ts';
import { tablesIn, type TableRecord, type TransactionTable } from '../tables/find-tables.ts';
import { isStatement, type StatedCash, statementTables } from '../tables/statement.ts';
import { HeldPieces, ratioBetween } from './find-splits.ts';
import { createInstrumentFinder } from './instruments.ts';
import { cashCurrency, type MakeContext, makeEntries, toldCurrency } from './make-entries.ts';
import { type LegEffect, pairLegs } from './pair-legs.ts';
import { cashEffects, type LedgerPoint, misfits, reconcile, type Reconciliation } from './reconcile.ts';
import type { MoneyNote } from './settle-trade.ts';

export interface FileEntry {
  readonly line: number;
  /** As it stands in the file. */
  readonly cells: readonly string[];
  /** Its client id is still to be given. */
  readonly entry: NewTransaction;
  readonly notes: readonly MoneyNote[];
}

export interface FileError {
  readonly line: number;
  /** As it stands in the file. */
  readonly cells: readonly string[];
  readonly problem: RowProblem;
  /** What will be wrong without the line. */
  readonly lacks?: { readonly kind: 'pieces' | 'cash'; readonly name: string } | undefined;
}

export interface ReadFile {
  /** In the order of time; of one day as they happened. */
  readonly entries: readonly FileEntry[];
  readonly errors: readonly FileError[];
  /** Lines that were taken back already. */
  readonly voids: number;
  /** Lines that tell of the money of a trade or of a cash fund, and change nothing. */
  readonly skipped: number;
  /** Nothing is said about taxes: those of Korean sales were computed. */
  readonly lacksTaxes: boolean;
  readonly checks: Reconciliation;
}

export type FileRead =
  | { readonly status: 'ok'; readonly file: ReadFile }
  | { readonly status: 'refused'; readonly problem: FileProblem };

export interface FileContext {
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly baseCurrency: Currency;
  readonly today: Temporal.PlainDate;
  /** What counts in the portfolio already: a split without a ratio needs to know what was held. */
  readonly recorded: readonly NewTransaction[];
}

const NUMBERS = ['quantity', 'price', 'amount', 'fee', 'tax', 'ratio', 'toAmount'] as const;

/**
 * What an entry tells, whoever told it: the same trade in two files, or in a file and by hand, has the same one.
 * Notes, rates and times are not in it.
 */
export const contentKey = (entry: NewTransaction): string => {
  const numbers = NUMBERS.map((name) => {
    const value: unknown = entry[name as keyof NewTransaction];
    return value instanceof Decimal ? value.toFixed() : '';
  });
  const to = entry.kind === 'fx' ? entry.toCurrency : '';
  const of = instrumentOf(entry)?.symbol ?? '';
  const refund = entry.kind === 'tax' && entry.isRefund ? ['refund'] : [];
  const content = JSON.stringify([entry.kind, entry.date.toString(), of, entry.currency, to, ...numbers, ...refund]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
};

/** One record of the file and what became of it. */
interface Item {
  readonly record: TableRecord;
  readonly table: TransactionTable;
  readonly draft: Draft | undefined;
  readonly date: Temporal.PlainDate | undefined;
  entries: readonly NewTransaction[];
  notes: readonly MoneyNote[];
  problem: RowProblem | undefined;
  /** Of one side of an exchange, whose entry stands on the line of the other. */
  effect: LegEffect | undefined;
  isSkipped: boolean;
}

interface FoundTables {
  readonly tables: readonly TransactionTable[];
  readonly stated: readonly StatedCash[];
}

const findTables = function* (sheets: readonly Sheet[]): Steps<FoundTables> {
  const tables: TransactionTable[] = [];
  const stated: StatedCash[] = [];
  for (const sheet of sheets) {
    if (isStatement(sheet)) {
      const statement = yield* statementTables(sheet);
      tables.push(...statement.tables);
      stated.push(...statement.cash);
    } else tables.push(...(yield* tablesIn(sheet)));
  }
  return { tables, stated };
};

const orderOf = (tables: readonly TransactionTable[]): DateOrder | undefined =>
  dateOrderOf(
    tables.flatMap(({ header, records }) => {
      const at = header.columns.get('date')?.[0] ?? 0;
      return records.map(({ cells }) => cells[at] ?? '');
    }),
    tables.some(({ header }) => header.isAmerican),
  );

/** The only money besides won that lines of the file name or are traded in. */
const foreignMoney = function* (drafts: readonly Draft[], find: MakeContext['find']): Steps<Currency | undefined> {
  const found = new Set<Currency>();
  for (const draft of drafts) {
    yield;
    const told = toldCurrency(draft);
    const isNamed = told === undefined && (draft.kind === 'buy' || draft.kind === 'sell' || draft.kind === 'dividend');
    const named = isNamed ? find({ code: draft.code, name: draft.name, currency: undefined }) : undefined;
    const currency = told ?? (named?.status === 'found' ? named.instrument.currency : undefined);
    if (currency !== undefined && currency !== 'KRW') found.add(currency);
  }
  return found.size === 1 ? [...found][0] : undefined;
};

interface Counts {
  voids: number;
  skipped: number;
}

const readItems = function* (
  tables: readonly TransactionTable[],
  order: DateOrder,
  context: FileContext,
  counts: Counts,
): Steps<Item[]> {
  const items: Item[] = [];
  for (const table of tables) {
    let date: Temporal.PlainDate | undefined;
    for (const record of table.records) {
      yield;
      const read = readRecord(record, table, order, context.baseCurrency);
      if (read.status === 'void') counts.voids += 1;
      if (read.status === 'sweep') counts.skipped += 1;
      const shared = { record, table, entries: [], notes: [], effect: undefined, isSkipped: false };
      if (read.status === 'problem')
        items.push({ ...shared, draft: undefined, date, problem: read.problem });
      if (read.status !== 'ok') continue;
      for (const draft of read.drafts) {
        ({ date } = draft);
        items.push({ ...shared, draft, date, problem: undefined });
      }
    }
  }
  return items;
};

const isOf = (item: Item, kind: Draft['kind']): boolean => item.draft?.kind === kind;

/** Makes entries of all but the lines that only tell of another line. */
const makeAll = function* (items: readonly Item[], context: MakeContext, counts: Counts): Steps<void> {
  const drafts = items.flatMap(({ draft }) => draft ?? []);
  const currencyOf = (draft: Draft): Currency | undefined => {
    try {
      return cashCurrency(draft, context);
    } catch {
      return undefined;
    }
  };
  const { whole, absorbed, effects } = yield* pairLegs(drafts, currencyOf);
  const hasShares = items.some((item) => isOf(item, 'buy') || isOf(item, 'sell'));
  for (const item of items) {
    yield;
    const { draft } = item;
    if (!draft) continue;
    item.effect = effects.get(draft);
    const isCashLeg = draft.kind === 'cash-leg' && hasShares;
    if (absorbed.has(draft) || isCashLeg) {
      item.isSkipped = true;
      if (isCashLeg) counts.skipped += 1;
      continue;
    }
    const made = makeEntries(whole.get(draft) ?? draft, context);
    if (made.status === 'entries') Object.assign(item, { entries: made.entries, notes: made.notes });
    else if (made.status === 'problem') item.problem = made.problem;
    else {
      item.isSkipped = true;
      counts.voids += 1;
    }
  }
};

const compareDates = (a: Item, b: Item): number =>
  a.date && b.date ? Temporal.PlainDate.compare(a.date, b.date) : 0;

const compareTimes = (a: Item, b: Item): number => {
  const [first, second] = [a.draft?.time, b.draft?.time];
  return first && second ? Temporal.PlainTime.compare(first, second) : 0;
};

const byDay = (items: readonly Item[]): readonly Item[] => {
  const sorted = items.toSorted(compareDates);
  const days = [...Map.groupBy(sorted, ({ date }) => date?.toString() ?? '').values()];
  return days.flatMap((day) => (day.every(({ draft }) => draft?.time) ? day.toSorted(compareTimes) : day));
};

/** The newest first, as most brokers of the United States have it. */
const isDescending = (items: readonly Item[]): boolean => {
  let steps = 0;
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before) steps += Math.sign(compareDates(before, item));
  }
  return steps > 0;
};

const pointOf = (item: Item, isLastOfDay: boolean): LedgerPoint => {
  const { draft, entries, effect, record, table, problem } = item;
  const told = entries[0]?.currency ?? effect?.currency ?? (draft && toldCurrency(draft));
  const currency = effect?.currency ?? told ?? (table.header.isKorean ? 'KRW' : undefined);
  const own = entries.map(instrumentOf).find((instrument): instrument is Instrument => instrument !== undefined);
  return {
    line: record.line,
    account: table.account,
    date: item.date,
    effects: effect ? [effect, ...entries.filter(({ kind }) => kind === 'fee').flatMap(cashEffects)] : entries.flatMap(cashEffects),
    isRead: problem === undefined,
    currency,
    balance: isLastOfDay ? draft?.balance : undefined,
    foreignBalance: isLastOfDay ? draft?.foreignBalance : undefined,
    instrument: own,
    change: (held) => {
      const pieces = new HeldPieces(own, held);
      for (const entry of entries) pieces.add(entry);
      return own ? pieces.of(own) : held;
    },
    held: draft?.held,
  };
};

const pointsOf = (items: readonly Item[]): readonly LedgerPoint[] => {
  // Shares and money of a trade on two lines: in between the balance is neither before nor after it.
  const hasCashLegs = items.some((item) => isOf(item, 'cash-leg'));
  const seen = new Set<TableRecord>();
  return items.map((item, index) => {
    const next = items[index + 1];
    const isLast = !hasCashLegs || !next || compareDates(item, next) !== 0;
    // Two transactions of one line share its balance, which is that after the second.
    const isOnly = next?.record !== item.record;
    seen.add(item.record);
    return pointOf(item, isLast && isOnly);
  });
};

/** In the order of time: what lies within one day runs down the file or up, as the balances or the days tell. */
const inOrder = (tables: readonly TransactionTable[], items: readonly Item[]): readonly Item[] => {
  const byTable = Map.groupBy(items, ({ table }) => table);
  const ordered = tables.flatMap((table) => {
    const own = byTable.get(table) ?? [];
    const down = byDay(own);
    const up = byDay(own.toReversed());
    const [downFits, upFits] = [misfits(pointsOf(down)), misfits(pointsOf(up))];
    if (downFits !== upFits) return downFits < upFits ? down : up;
    return isDescending(own) ? up : down;
  });
  return byDay(ordered);
};

const MAX_CASH_DAYS = 60;

/** Splits that tell neither their ratio nor both numbers: what was held before them gives it. */
const findRatios = function* (items: readonly Item[], context: FileContext & MakeContext): Steps<void> {
  const isWaiting = ({ problem }: Item): boolean => problem?.kind === 'no-ratio';
  if (!items.some(isWaiting)) return;
  const held = new HeldPieces();
  const counted = new Map<string, number>();
  const recorded = context.recorded.toSorted((a, b) => Temporal.PlainDate.compare(a.date, b.date));
  let next = 0;
  for (const item of items) {
    yield;
    const { date, draft } = item;
    for (; date && recorded[next] && Temporal.PlainDate.compare(recorded[next]?.date ?? date, date) < 0; next += 1) {
      const entry = recorded[next];
      if (!entry) break;
      held.add(entry);
      const key = contentKey(entry);
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    if (isWaiting(item) && draft?.quantity) {
      const found = context.find({ code: draft.code, name: draft.name, currency: toldCurrency(draft) });
      if (found.status !== 'found') continue;
      const { instrument } = found;
      const isSame = (other: Item): boolean =>
        other.entries.some((entry) => entry.kind === 'cash-in-lieu' && entry.instrument.symbol === instrument.symbol);
      const cash = items.find((other) => isSame(other) && date && other.date && Math.abs(date.until(other.date).total('days')) <= MAX_CASH_DAYS);
      const before = draft.held?.greaterThan(draft.quantity) ? draft.held.minus(draft.quantity) : held.of(instrument);
      const ratio = ratioBetween(before, draft.quantity, cash !== undefined);
      if (!ratio) continue;
      const made = makeEntries({ ...draft, ratio: ratio.ratio.toFixed() }, context);
      if (made.status !== 'entries') continue;
      Object.assign(item, { entries: made.entries, problem: undefined });
      if (cash && !ratio.fraction.isZero())
        cash.entries = cash.entries.map((entry) =>
          entry.kind === 'cash-in-lieu' && entry.quantity === undefined ? { ...entry, quantity: ratio.fraction } : entry,
        );
    }
    for (const entry of item.entries) {
      const key = contentKey(entry);
      const there = counted.get(key) ?? 0;
      if (there > 0) counted.set(key, there - 1);
      else held.add(entry);
    }
  }
};

const PIECE_PROBLEMS: ReadonlySet<Draft['kind']> = new Set(['buy', 'sell', 'split', 'split-in', 'split-out', 'rights', 'bonus', 'shares-in', 'shares-out', 'reorganisation']);

const lacksOf = ({ draft }: Item): FileError['lacks'] => {
  if (!draft) return undefined;
  const name = draft.name === '' ? draft.code : draft.name;
  return PIECE_PROBLEMS.has(draft.kind) && name !== '' ? { kind: 'pieces', name } : { kind: 'cash', name };
};

/** Points for what a statement says about its first and last day, and for the sum below a table. */
const statedChecks = (items: readonly Item[], { tables, stated }: FoundTables): Reconciliation['cash'] => {
  const sumFor = (currency: Currency, of: readonly Item[]): Decimal =>
    of
      .flatMap((item) => pointOf(item, true).effects)
      .reduce((sum, effect) => (effect.currency === currency ? sum.plus(effect.amount) : sum), new Decimal(0));
  const amountOf = (cell: string): Decimal | undefined => {
    const number = numberIn(cell);
    return typeof number === 'string' ? undefined : number.value;
  };
  const check = (currency: Currency, line: number, opening: Decimal, told: Decimal, of: readonly Item[]) => {
    const computed = opening.plus(sumFor(currency, of));
    const isSame = computed.minus(told).abs().lessThanOrEqualTo(new Decimal('0.005'));
    const first = isSame ? undefined : { line, told, computed };
    return [{ currency, compared: 1, opening, end: told, differences: isSame ? 0 : 1, first, unread: [] }];
  };
  const ends = stated.filter(({ kind }) => kind === 'ending');
  return [
    ...ends.flatMap(({ currency, amount }) => {
      const start = stated.find((each) => each.kind === 'starting' && each.currency === currency);
      const [opening, told] = [amountOf(start?.amount ?? '0'), amountOf(amount)];
      return opening && told ? check(currency, 0, opening, told, items) : [];
    }),
    ...tables.flatMap((table) => {
      const at = table.header.columns.get('amount')?.[0] ?? -1;
      const told = table.total && amountOf(table.total.cells[at] ?? '');
      const own = items.filter((item) => item.table === table);
      return table.total && told ? check('USD', table.total.line, new Decimal(0), told, own) : [];
    }),
  ];
};

/**
 * From the tables of a broker's file to entries, and to what is wrong line by line. Rates are not filled in. Throws on
 * abort alone.
 */
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
    const items = yield* readItems(tables, dateOrder, context, counts);
    const find = createInstrumentFinder(context.symbols);
    const drafts = items.flatMap(({ draft }) => draft ?? []);
    const making = { ...context, find, foreign: yield* foreignMoney(drafts, find) };
    yield* makeAll(items, making, counts);
    const ordered = inOrder(tables, items);
    yield;
    yield* findRatios(ordered, making);
    const checks = reconcile(pointsOf(ordered));
    yield;
    const stated = statedChecks(ordered, found);
    const at = ({ record: { line, cells } }: Item) => ({ line, cells });
    const entries = ordered.flatMap((item) =>
      item.entries.map((entry, index) => ({ ...at(item), entry, notes: index === 0 ? item.notes : [] })),
    );
    const errors = ordered.flatMap((item) =>
      item.problem ? [{ ...at(item), problem: item.problem, lacks: lacksOf(item) }] : [],
    );
    const lacksTaxes = ordered.some(
      (item) =>
        !item.table.header.tellsTaxes && item.entries.some((entry) => entry.kind === 'sell' && !entry.tax.isZero()),
    );
    return { entries, errors, ...counts, lacksTaxes, checks: { ...checks, cash: [...checks.cash, ...stated] } };
  };
  // A large file must not hold up the whole bot.
  return { status: 'ok', file: await byTime(read(order), signal) };
};
