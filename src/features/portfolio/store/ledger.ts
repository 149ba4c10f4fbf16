import { LRUCache } from 'lru-cache';
import { asId, type PortfolioId, type TransactionId } from '#src/kernel/ids.ts';
import type { MovedLot, NewTransaction, Transaction } from '#src/kernel/market/ledger.ts';
import type { Selectable } from 'kysely';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { byTime, createPause, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import { lotsText, readLots } from '../ledger/moved-lots.ts';

/** A ledger as it was when its newest row was `lastNumber`, reversals included. */
export interface Ledger {
  /** 0: there is no row. */
  readonly lastNumber: number;
  readonly entries: readonly Transaction[];
  /** The reversed entry, by the client id of its reversal. */
  readonly reversals: ReadonlyMap<string, TransactionId>;
}

/** Cache entries whose ledger was garbage-collected are small, but must not pile up. */
const MAX_CACHED = 200;

/**
 * Ledgers as they were last read. A long ledger takes longer to read than to calculate with, and is often read several
 * times within a minute. The cache holds weak references only.
 */
export const createLedgerCache = () => {
  const known = new LRUCache<PortfolioId, { readonly lastNumber: number; readonly ledger: WeakRef<Ledger> }>({
    max: MAX_CACHED,
  });
  return {
    /** A last number identifies one state of a ledger for ever. */
    get: (id: PortfolioId, lastNumber: number): Ledger | undefined => {
      const found = known.get(id);
      return found?.lastNumber === lastNumber ? found.ledger.deref() : undefined;
    },
    /** Cache only committed ledgers: a number that is rolled back is given to another entry. */
    set: (id: PortfolioId, ledger: Ledger) => {
      known.set(id, { lastNumber: ledger.lastNumber, ledger: new WeakRef(ledger) });
    },
  };
};

/** All columns but the portfolio, which is the same for the whole ledger. */
const ROW_COLUMNS = [
  'transactions.id',
  'transactions.number',
  'transactions.client_id',
  'transactions.kind',
  'transactions.reverses',
  'transactions.trade_date',
  'transactions.instrument',
  'transactions.details',
  'transactions.recorded_at',
] as const;

type Row = Omit<Selectable<Database['transactions']>, 'portfolio_id'>;

type KeyOf<Entry> = Entry extends unknown ? keyof Entry : never;
type ValueOf<Entry, Key> = Entry extends unknown ? (Key extends keyof Entry ? Entry[Key] : never) : never;
/** The properties that hold an amount in any kind of entry. */
type AmountName = {
  [Key in KeyOf<NewTransaction>]: Decimal extends ValueOf<NewTransaction, Key> ? Key : never;
}[KeyOf<NewTransaction>];

/** Amounts are text in the JSON: no float ever touches them. */
const AMOUNTS: Readonly<Record<AmountName, true>> = {
  rate: true,
  quantity: true,
  price: true,
  fee: true,
  tax: true,
  amount: true,
  ratio: true,
  toAmount: true,
  toRate: true,
  toQuantity: true,
  percent: true,
};
const AMOUNT_NAMES: ReadonlySet<string> = new Set(Object.keys(AMOUNTS));

const isLots = (name: string, value: unknown): value is readonly MovedLot[] =>
  name === 'lots' && Array.isArray(value);

/** Writes decimals without exponents. */
const textOf = (entry: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(entry).map(([name, value]) => [
        name,
        Decimal.isDecimal(value) ? value.toFixed() : isLots(name, value) ? lotsText(value) : value,
      ]),
    ),
  );

export interface NewRow {
  readonly id: TransactionId;
  readonly portfolioId: PortfolioId;
  readonly number: number;
  readonly recordedAt: string;
}

export const entryRow = (entry: NewTransaction, row: NewRow): Selectable<Database['transactions']> => {
  const { kind, clientId, date, ...others } = entry;
  const { instrument, ...details } = { instrument: undefined, ...others };
  return {
    id: row.id,
    portfolio_id: row.portfolioId,
    number: row.number,
    client_id: clientId,
    kind,
    reverses: null,
    trade_date: date.toString(),
    instrument: instrument === undefined ? null : JSON.stringify(instrument),
    details: textOf(details),
    recorded_at: row.recordedAt,
  };
};

export const reversalRow = (
  reverses: TransactionId,
  clientId: string,
  row: NewRow,
): Selectable<Database['transactions']> => ({
  id: row.id,
  portfolio_id: row.portfolioId,
  number: row.number,
  client_id: clientId,
  kind: 'reversal',
  reverses,
  trade_date: null,
  instrument: null,
  details: '{}',
  recorded_at: row.recordedAt,
});

const ROWS_A_STEP = 32;

/** Parses each text once: many entries share a day, a time or an instrument. */
const memoized = <T>(read: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => known.getOrInsertComputed(text, read);
};

/** Rows become entries. Entries that were reversed are marked; the reversing rows are no entries of their own. */
export const toLedger = function* (rows: readonly Row[], portfolioId: PortfolioId): Steps<Ledger> {
  const reversals = new Map<string, TransactionId>();
  for (const { client_id, reverses } of rows)
    if (reverses !== null) reversals.set(client_id, asId<TransactionId>(reverses));
  const reversed: ReadonlySet<string> = new Set(reversals.values());
  const dayOf = memoized((text) => Temporal.PlainDate.from(text));
  const timeOf = memoized((text) => Temporal.PlainTime.from(text));
  const instantOf = memoized((text) => Temporal.Instant.from(text));
  const instrumentOf = memoized((text) => JSON.parse(text) as Instrument);
  const decimalOf = memoized((text) => new Decimal(text));
  // The cast is safe: `entryRow` wrote every property of its kind.
  const toEntry = (row: Row, tradeDate: string): Transaction => {
    const details = JSON.parse(row.details) as Record<string, string>;
    const entry: Record<string, unknown> = {
      kind: row.kind,
      clientId: row.client_id,
      date: dayOf(tradeDate),
      id: row.id,
      portfolioId,
      number: row.number,
      recordedAt: instantOf(row.recorded_at),
      isReversed: reversed.size > 0 && reversed.has(row.id),
    };
    if (row.instrument !== null) entry['instrument'] = instrumentOf(row.instrument);
    for (const name in details) {
      const value = details[name] ?? '';
      if (name === 'time') entry[name] = timeOf(value);
      else if (name === 'rateDay') entry[name] = dayOf(value);
      else if (name === 'lots') entry[name] = readLots(value) ?? [];
      else entry[name] = AMOUNT_NAMES.has(name) ? decimalOf(value) : value;
    }
    return entry as unknown as Transaction;
  };
  const entries: Transaction[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.trade_date !== null) entries.push(toEntry(row, row.trade_date));
    if (index % ROWS_A_STEP === 0) yield;
  }
  return { lastNumber: rows.at(-1)?.number ?? 0, entries, reversals };
};

const ROWS_A_PAGE = 250;

/** Reads a page at a time. Rows are only ever added, so all pages up to a number are consistent. */
export const readLedger = async (
  db: Pick<Storage['db'], 'selectFrom'>,
  portfolioId: PortfolioId,
  lastNumber: number,
  signal: AbortSignal,
): Promise<Ledger> => {
  const pause = createPause(signal);
  const rows: Row[] = [];
  for (let from = 0, size = ROWS_A_PAGE; size === ROWS_A_PAGE && from < lastNumber;) {
    await pause();
    const page = await db
      .selectFrom('transactions')
      .select(ROW_COLUMNS)
      .where('portfolio_id', '=', portfolioId)
      .where('number', '>', from)
      .where('number', '<=', lastNumber)
      .orderBy('number')
      .limit(ROWS_A_PAGE)
      .execute();
    rows.push(...page);
    from = page.at(-1)?.number ?? from;
    size = page.length;
  }
  return byTime(toLedger(rows, portfolioId), signal);
};
