import type { Selectable } from 'kysely';
import type { Instrument } from '#src/kernel/finance.ts';
import { asId, type PortfolioId, type TransactionId } from '#src/kernel/ids.ts';
import { type NewTransaction, SAMPLE_RATE_NOTE, type Transaction } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { byTime, createPause, type Steps } from '#src/platform/steps.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Ledger } from './store-ledger-cache.ts';
import type { Database } from '#src/platform/storage/schema.ts';

/** What is read of a ledger: all but the portfolio, which is the same for all of it. */
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
/** What is an amount in any kind of entry. */
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
};
const AMOUNT_NAMES: ReadonlySet<string> = new Set(Object.keys(AMOUNTS));

/** Without exponents, which the decimals' own text may have. */
const textOf = (entry: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(entry).map(([name, value]) => [
        name,
        Decimal.isDecimal(value) ? value.toFixed() : value,
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

/** Many entries have a day, a time or an instrument in common. */
const remembering = <T>(read: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = read(text);
    known.set(text, value);
    return value;
  };
};

/** Invented rates that older versions stored are read as none. */
const forgetSampleRate = (entry: Record<string, unknown>, note: string): void => {
  const written = note.replace(SAMPLE_RATE_NOTE, '').replaceAll(/^ · | · $/g, '');
  delete entry['rate'];
  delete entry['toRate'];
  if (written === '') delete entry['note'];
  else entry['note'] = written;
};

/** The entries among the rows, those that were taken back marked; the rows that take back are not among them. */
export const toLedger = function* (rows: readonly Row[], portfolioId: PortfolioId): Steps<Ledger> {
  const reversals = new Map<string, TransactionId>();
  for (const { client_id, reverses } of rows)
    if (reverses !== null) reversals.set(client_id, asId<TransactionId>(reverses));
  const reversed: ReadonlySet<string> = new Set(reversals.values());
  const dayOf = remembering((text) => Temporal.PlainDate.from(text));
  const timeOf = remembering((text) => Temporal.PlainTime.from(text));
  const instantOf = remembering((text) => Temporal.Instant.from(text));
  const instrumentOf = remembering((text) => JSON.parse(text) as Instrument);
  const decimalOf = remembering((text) => new Decimal(text));
  // What `entryRow` has written is one of the kinds, whole.
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
      else entry[name] = AMOUNT_NAMES.has(name) ? decimalOf(value) : value;
    }
    if (details['note']?.includes(SAMPLE_RATE_NOTE)) forgetSampleRate(entry, details['note']);
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

/** A page at a time: rows are only ever added, so that all pages up to a number belong together. */
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
