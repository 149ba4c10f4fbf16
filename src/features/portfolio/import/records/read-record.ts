import { type Currency, Decimal } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { DateOrder } from '#src/language/dates.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import type { TableRecord, TransactionTable } from '../tables/find-tables.ts';
import { type Column, type Header, NUMBER_COLUMNS } from '../tables/column-headings.ts';
import { isFormula, unmarked } from '../csv.ts';
import { isShareWord, type RowKind, rowKindIn, rowKindOf } from './row-kinds.ts';
import { type CellNumber, dateIn, numberIn, timeIn, withPoint, zoneIn } from './cells.ts';

/** One transaction as the file tells it: numbers and words, before anything is looked up. */
export interface Draft {
  readonly record: TableRecord;
  readonly table: TransactionTable;
  readonly kind: RowKind;
  readonly date: Temporal.PlainDate;
  readonly time: Temporal.PlainTime | undefined;
  /** The zone that stands beside the time; without one it is on the clock of the file. */
  readonly timeZone: string | undefined;
  /** What is traded: the code of a broker, the name of a company. */
  readonly code: string;
  readonly name: string;
  /** As it is called in the file; undefined where nothing says it. */
  readonly currency: string | undefined;
  /** Above zero, but of a split, where what goes is below. */
  readonly quantity: Decimal | undefined;
  /** The coin that stands behind the number: `0.01BTC`. */
  readonly coin: Currency | undefined;
  readonly price: Decimal | undefined;
  /** The money whose sign stands beside the price. */
  readonly priceCurrency: Currency | undefined;
  /** Of the whole, with its sign. */
  readonly amount: CellNumber | undefined;
  /** The whole after charges, where the broker exchanged other money for it. */
  readonly settled: { readonly amount: Decimal; readonly currency: Currency } | undefined;
  /** What was paid or received, with its sign. */
  readonly net: CellNumber | undefined;
  readonly fee: Decimal;
  readonly tax: Decimal;
  /** Fees and taxes that the file does not tell apart. */
  readonly charges: Decimal;
  readonly feeCurrency: string | undefined;
  readonly ratio: string;
  readonly toAmount: Decimal | undefined;
  readonly toCurrency: string | undefined;
  readonly rate: Decimal | undefined;
  readonly toRate: Decimal | undefined;
  readonly isRefund: boolean;
  readonly note: string;
  /** All words of the line about what happened. */
  readonly words: string;
  readonly balance: Decimal | undefined;
  readonly foreignBalance: Decimal | undefined;
  readonly held: Decimal | undefined;
}

export type ReadRecord =
  | { readonly status: 'ok'; readonly drafts: readonly Draft[] }
  | { readonly status: 'problem'; readonly problem: RowProblem }
  /** It was taken back, or changes nothing: it is there to be seen, not to be recorded. */
  | { readonly status: 'void' }
  | { readonly status: 'sweep' };

const MAX_NOTE = 200;
/** Longer notes are sentences about the company. */
const MAX_TELLING = 40;
/** `="005930"` keeps a spreadsheet program from taking the zeros off: it is text, and says so. */
const QUOTED_CODE = /^="([\p{L}\p{N}.\- ]{1,20})"$/u;
const DASHES = /^[-–—]+$/u;
const VOID: ReadonlySet<string> = new Set('reversed cancelled canceled rejected 취소 거부 취소됨'.split(' '));
const ZERO = new Decimal(0);
/** Robinhood: pieces that go in a split. */
const TAKEN = /^([\d,.]{1,20})S$/u;

/** Undefined for an empty cell. */
const numberOf = (cell: string): CellNumber | undefined => {
  const number = numberIn(cell);
  if (number === 'wrong') throw new RowError({ kind: 'no-number', typed: cell });
  return number === 'none' ? undefined : number;
};

/** Words as they are meant; formulas are none. */
const plain = (cell: string): string => {
  if (DASHES.test(cell)) return '';
  if (isFormula(cell)) throw new RowError({ kind: 'formula', typed: cell });
  return unmarked(cell);
};

/** The cells of a record, by what they tell. */
const cellsOf = ({ cells }: TableRecord, { header: { columns }, hasCommaDecimals }: TransactionTable) => {
  const numbers = new Set(hasCommaDecimals ? NUMBER_COLUMNS : []);
  const all = (column: Column): readonly string[] =>
    (columns.get(column) ?? []).map((index) => {
      const cell = cells[index] ?? '';
      return numbers.has(column) ? withPoint(cell) : cell;
    });
  /** Of several the first that says anything. */
  const raw = (column: Column): string => all(column).find((cell) => cell !== '') ?? '';
  const text = (column: Column): string => {
    const cell = raw(column);
    const code = column === 'code' || column === 'name' ? QUOTED_CODE.exec(cell)?.[1] : undefined;
    return code ?? plain(cell);
  };
  const number = (column: Column): CellNumber | undefined => numberOf(raw(column));
  /** Zero says as little as nothing. */
  const filled = (column: Column): CellNumber | undefined => {
    const found = all(column).flatMap((cell) => numberOf(cell) ?? []);
    return found.find(({ value }) => !value.isZero()) ?? found[0];
  };
  const sum = (column: Column): Decimal =>
    all(column).reduce((total, cell) => total.plus(numberOf(cell)?.value.abs() ?? 0), ZERO);
  /** For columns that may be about something else: what is no number there is no problem. */
  const lenient = (column: Column): Decimal | undefined => {
    const found = numberIn(raw(column));
    return typeof found === 'string' ? undefined : found.value;
  };
  const words = (column: Column): readonly string[] =>
    all(column)
      .filter((cell) => cell !== '')
      .map(plain);
  return { all, text, raw, number, filled, sum, lenient, words };
};
type Cells = ReturnType<typeof cellsOf>;

/** A sum, and parts that it contains or that are told of beside it. */
const withParts = (total: Decimal, parts: Decimal): Decimal =>
  total.greaterThanOrEqualTo(parts) ? total : total.plus(parts);

interface Charges {
  readonly fee: Decimal;
  readonly tax: Decimal;
  readonly charges: Decimal;
}

const chargesOf = ({ number, sum }: Cells, isForeign: boolean, isTrade: boolean): Charges => {
  const signed = number('signedFee')?.value ?? ZERO;
  const foreign = isForeign ? sum('foreignFee') : ZERO;
  const own = foreign.isZero() ? withParts(sum('fee'), sum('feePart')) : foreign;
  const foreignTax = isForeign ? sum('foreignTax') : ZERO;
  return {
    // A cost has a minus there; what is paid back is no fee.
    fee: own.minus(signed).plus(isTrade ? sum('loanInterest') : ZERO),
    tax: foreignTax.isZero() ? withParts(sum('tax'), sum('taxPart')) : foreignTax,
    charges: sum('feeAndTax'),
  };
};

/** What every line of a section of a statement is; the sign of its amount tells the rest. */
const SECTION_KINDS: Readonly<Record<string, readonly [plus: RowKind, minus: RowKind]>> = {
  Dividends: ['dividend', 'dividend'],
  'Withholding Tax': ['tax-refund', 'tax'],
  'Deposits & Withdrawals': ['deposit', 'withdrawal'],
  Fees: ['fee', 'fee'],
  'Other Fees': ['fee', 'fee'],
  'Transaction Fees': ['fee', 'fee'],
  'Sales Tax Details': ['tax-refund', 'tax'],
  Interest: ['interest', 'fee'],
  Transfers: ['shares-in', 'shares-out'],
};

const SPLIT_WORDS = /\bsplit (?<to>\d{1,6}(?:\.\d{1,6})?) (?:for|:) (?<from>\d{1,6}(?:\.\d{1,6})?)/iu;
/** `10 for 1`, `1-for-10`, `3:2`, behind or before the word. */
const RATIO_WORDS = /(?<![\d.])(?<to>\d{1,4}) ?(?:for|-for-|:|대) ?(?<from>\d{1,4})(?![\d.])/iu;

const hasSides = ({ columns }: Header): boolean => columns.has('buyQuantity') && columns.has('sellQuantity');

const kindIn = (cells: Cells, { header, section }: TransactionTable): RowKind => {
  const { words, text, filled, number } = cells;
  // Both sides stand on the line, and their quantities say which of them there was.
  if (hasSides(header)) return 'buy';
  const amount = filled('amount')?.value ?? ZERO;
  if (section === 'Corporate Actions')
    return SPLIT_WORDS.test(text('description')) ? 'split' : 'reorganisation';
  const reported = section === undefined ? undefined : SECTION_KINDS[section];
  if (reported) return reported[amount.isNegative() ? 1 : 0];
  const typed = words('kind');
  const notes = [...words('note'), ...words('description')];
  // With us a note says what a person wanted, and never what happened.
  const telling = header.isOwn
    ? []
    : notes.filter((note) => note.length <= MAX_TELLING || typed.length === 0);
  const known = rowKindIn([...typed, ...telling]);
  if (known) return known;
  if (header.columns.has('kind') && typed.length > 0)
    throw new RowError({ kind: 'unknown-kind', typed: typed[0] ?? '' });
  const quantity = header.columns.has('kind') ? undefined : number('quantity');
  if (!quantity) throw new RowError({ kind: 'no-kind' });
  return quantity.value.isNegative() ? 'sell' : 'buy';
};

/** Only what tells more than the kind does. */
const noteIn = (typed: string, { isOwn }: Header): string =>
  !isOwn && rowKindOf(typed)
    ? ''
    : Array.from(typed.replaceAll(/\s+/gu, ' ')).slice(0, MAX_NOTE).join('').trim();

/** `AAPL(US0378331005) Cash Dividend USD 0.26 per Share`. */
const SYMBOL_FIRST = /^(?<code>[A-Z0-9][A-Z0-9. ]{0,11}?) ?\((?:[A-Z]{2}[A-Z0-9]{9}\d|[A-Z0-9]{8,9})\)/u;
/** Of the other money in the columns that are named so. */
const IN_WON: ReadonlySet<string> = new Set(['KRW', '원', '원화', 'WON']);

const TITLE_MONEY: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/달러|\busd\b|\$/iu, 'USD'],
  [/원화|국내|\bkrw\b/iu, 'KRW'],
  [/엔화|\bjpy\b/iu, 'JPY'],
  [/홍콩|\bhkd\b/iu, 'HKD'],
  [/유로|\beur\b/iu, 'EUR'],
];

const titleMoney = (title: string): string | undefined => {
  const found = TITLE_MONEY.filter(([pattern]) => pattern.test(title));
  return found.length === 1 ? found[0]?.[1] : undefined;
};

const isWon = (currency: string): boolean => IN_WON.has(currency.toUpperCase());

const CASH_KINDS: ReadonlySet<RowKind> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'fx',
  'fee',
  'interest',
]);

const CHARGES = ['fee', 'feePart', 'feeAndTax', 'tax', 'taxPart'] as const satisfies readonly Column[];

const quantityIn = ({ raw, number, text }: Cells, kind: RowKind): Decimal | undefined => {
  const typed = raw('quantity');
  const taken = kind === 'split' ? TAKEN.exec(typed)?.[1] : undefined;
  if (taken !== undefined) return numberOf(taken)?.value.negated();
  const counted = number('quantity');
  const unit = counted?.currency;
  // `0.01BTC` counts coins; `$500` is no number of pieces.
  const isCount = unit === undefined || currencyNamed(unit)?.isCoin || text('code').toUpperCase() === unit;
  if (!isCount) throw new RowError({ kind: 'no-number', typed });
  return counted?.value;
};

const coinIn = ({ raw }: Cells): Currency | undefined => {
  const counted = numberIn(raw('quantity'));
  const unit = typeof counted === 'string' ? undefined : counted.currency;
  return unit !== undefined && currencyNamed(unit)?.isCoin ? unit : undefined;
};

/** The money that is named for the charges, in a column of its own or beside the numbers. */
const chargesCurrency = ({ text, all }: Cells): string | undefined => {
  const named = text('feeCurrency');
  if (named !== '') return named;
  return CHARGES.flatMap(all).flatMap((cell) => numberOf(cell)?.currency ?? [])[0];
};

/** What went in or out: of columns for each the one that is filled. */
const movedIn = ({ filled }: Cells): CellNumber | undefined => {
  const came = filled('deposit');
  if (came && !came.value.isZero()) return came;
  const went = filled('withdrawal');
  return went && { ...went, value: went.value.abs().negated() };
};

const read = (
  record: TableRecord,
  table: TransactionTable,
  order: DateOrder,
  base: Currency,
): Draft | 'void' | 'sweep' => {
  const { header, hasSerialDates, section } = table;
  const cells = cellsOf(record, table);
  const { text, words, number, filled, lenient } = cells;
  if (VOID.has(text('status').toLowerCase())) return 'void';
  if (table.width !== undefined && record.cells.length !== table.width)
    throw new RowError({ kind: 'columns', count: record.cells.length, expected: table.width });
  // A corporate action takes place after the day that its time names, on the day of the report.
  const typedDate = section === 'Corporate Actions' ? (words('date').at(-1) ?? '') : text('date');
  const date = dateIn(typedDate, order, hasSerialDates);
  if (!date) throw new RowError({ kind: 'no-date', typed: typedDate });
  // An order that nobody took.
  if (header.columns.has('ordered') && (lenient('quantity') ?? ZERO).isZero()) return 'void';
  const kind = kindIn(cells, table);
  if (kind === 'sweep') return 'sweep';
  const asset = text('asset');
  const isForex = /^forex$/iu.test(asset);
  if (!isForex && !CASH_KINDS.has(kind) && !isShareWord(asset))
    throw new RowError({ kind: 'asset', typed: asset });

  const note = text('note');
  const symbol = section === undefined ? undefined : SYMBOL_FIRST.exec(text('description'))?.groups?.['code'];
  const typedCurrency = text('currency') || text('settleCurrency');
  const reported = typedCurrency === '' ? titleMoney(table.title) : typedCurrency;
  const foreignAmount = filled('foreignAmount');
  const hasForeign = foreignAmount !== undefined && !foreignAmount.value.isZero();
  const isForeign = reported === undefined ? hasForeign : !isWon(reported) && hasForeign;
  const isExchange = kind === 'fx';
  const amount = isForeign && !isExchange ? foreignAmount : filled('amount');
  const foreignNet = isForeign && !isExchange ? filled('foreignNet') : undefined;
  const net = foreignNet ?? (isForeign && header.columns.has('foreignNet') ? undefined : filled('net'));
  const priceOrRate = lenient('priceOrRate');
  const money = currencyNamed(reported ?? '')?.code;

  const settleMoney = currencyNamed(text('settleCurrency'))?.code;
  const isSettled = settleMoney !== undefined && money !== undefined && settleMoney !== money;
  const isOurRate = header.isOwn
    ? text('baseCurrency').toUpperCase() === base
    : header.isKorean && base === 'KRW';
  return {
    record,
    table,
    kind: isForex ? 'fx' : kind,
    date,
    time: timeIn(text('time')) ?? timeIn(typedDate),
    timeZone: zoneIn(timeIn(text('time')) ? text('time') : typedDate),
    code: symbol ?? text('code'),
    name: text('name'),
    currency: reported,
    quantity: quantityIn(cells, kind),
    coin: coinIn(cells),
    price: number('price')?.value ?? (isExchange ? undefined : priceOrRate),
    priceCurrency: number('price')?.currency,
    amount: isSettled ? undefined : (amount ?? movedIn(cells)),
    settled: isSettled && amount ? { amount: amount.value.abs(), currency: settleMoney } : undefined,
    net,
    ...chargesOf(cells, isForeign, kind === 'buy' || kind === 'sell'),
    feeCurrency: chargesCurrency(cells),
    ratio: text('ratio'),
    toAmount: number('toAmount')?.value ?? (isExchange && hasForeign ? foreignAmount.value : undefined),
    toCurrency: text('toCurrency') === '' ? undefined : text('toCurrency'),
    rate: number('rate')?.value ?? (isExchange ? priceOrRate : undefined),
    toRate: isOurRate ? number('toRate')?.value : undefined,
    isRefund: kind === 'tax-refund',
    note: noteIn(note, header),
    words: [...words('kind'), ...(header.isOwn ? [] : [note]), ...words('description')].join(' '),
    balance: lenient('balance'),
    foreignBalance: money !== undefined && money !== 'KRW' ? lenient('foreignBalance') : undefined,
    held: lenient('held'),
  };
};

/** The ratio that the words of a split tell, if any. */
export const ratioInText = (words: string): string | undefined => {
  const { to, from } = (SPLIT_WORDS.exec(words) ?? RATIO_WORDS.exec(words))?.groups ?? {};
  return to === undefined || from === undefined ? undefined : `${to}:${from}`;
};

/** Purchases and sales that stand side by side become one each. */
const sidesOf = (draft: Draft): readonly Draft[] => {
  const { header } = draft.table;
  if (!hasSides(header)) return [draft];
  const { number } = cellsOf(draft.record, draft.table);
  const side = (kind: 'buy' | 'sell'): readonly Draft[] => {
    const quantity = number(`${kind}Quantity`)?.value;
    if (!quantity || quantity.isZero()) return [];
    const amount = number(`${kind}Amount`);
    // The price beside it may be the average of all that is held.
    const price = amount ? undefined : number(`${kind}Price`)?.value;
    return [{ ...draft, kind, quantity, price, amount, net: undefined }];
  };
  const [bought, sold] = [side('buy'), side('sell')];
  if (bought.length === 0 || sold.length === 0) return [...bought, ...sold];
  // The charges are those of both: taxes are of sales, and fees by what was traded.
  const [buying, selling] = [bought, sold].map(
    ([one]) => one?.amount?.value ?? one?.quantity?.times(one.price ?? 0) ?? ZERO,
  );
  const total = (buying ?? ZERO).plus(selling ?? ZERO);
  const share = total.isZero() ? ZERO : (buying ?? ZERO).dividedBy(total);
  const part = draft.fee.times(share).toDecimalPlaces(2);
  return [
    ...bought.map((one) => ({ ...one, fee: part, tax: ZERO, charges: ZERO })),
    ...sold.map((one) => ({ ...one, fee: draft.fee.minus(part) })),
  ];
};

/** Reads one record of a broker's table. Pure: formulas are refused, never computed. */
export const readRecord = (
  record: TableRecord,
  table: TransactionTable,
  order: DateOrder,
  base: Currency,
): ReadRecord =>
  orProblem(() => {
    const draft = read(record, table, order, base);
    return draft === 'void' || draft === 'sweep'
      ? { status: draft }
      : { status: 'ok', drafts: sidesOf(draft) };
  });
