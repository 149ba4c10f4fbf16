import type { Currency, Decimal } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { DateOrder } from '#src/language/dates.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import type { TableRecord, TransactionTable } from '../tables/find-tables.ts';
import { type Column, type Header, NUMBER_COLUMNS } from '../tables/column-headings.ts';
import { isFormula, unmarked } from '../csv.ts';
import { isShareWord, type RowKind, rowKindIn, rowKindOf } from './row-kinds.ts';
import {
  type CellNumber,
  dateIn,
  nonZero,
  numberIn,
  timeIn,
  valueIn,
  withPoint,
  zoneIn,
  ZERO,
} from './cells.ts';

/** One transaction as the file states it, before instruments are looked up. */
export interface Draft {
  readonly record: TableRecord;
  readonly table: TransactionTable;
  readonly kind: RowKind;
  readonly date: Temporal.PlainDate;
  readonly time: Temporal.PlainTime | undefined;
  /** The zone beside the time. Without one, the time is that of the broker. */
  readonly timeZone: string | undefined;
  readonly code: string;
  readonly name: string;
  /** The currency in the file's own words. */
  readonly currency: string | undefined;
  /** Negative for sales of some brokers and for shares that leave in a split. */
  readonly quantity: Decimal | undefined;
  /** The coin after the quantity: `0.01BTC`. */
  readonly coin: Currency | undefined;
  readonly price: Decimal | undefined;
  /** The currency of the sign beside the price. */
  readonly priceCurrency: Currency | undefined;
  /** The signed total: before charges, or after them for brokers with a single amount column. */
  readonly amount: CellNumber | undefined;
  /** The total after charges in another currency, which the broker exchanged. */
  readonly settled: { readonly amount: Decimal; readonly currency: Currency } | undefined;
  /** The signed total after charges. */
  readonly net: CellNumber | undefined;
  readonly fee: Decimal;
  readonly tax: Decimal;
  /** Fees and taxes in one number. */
  readonly charges: Decimal;
  readonly feeCurrency: string | undefined;
  readonly ratio: string;
  readonly toAmount: Decimal | undefined;
  readonly toCurrency: string | undefined;
  readonly rate: Decimal | undefined;
  readonly toRate: Decimal | undefined;
  /** The rates are prices in the portfolio's currency. */
  readonly isRateInBase: boolean;
  readonly note: string;
  /** Everything the line says about what happened. */
  readonly words: string;
  readonly balance: Decimal | undefined;
  readonly foreignBalance: Decimal | undefined;
  readonly held: Decimal | undefined;
}

type ReadRecord =
  | { readonly status: 'ok'; readonly drafts: readonly Draft[] }
  | { readonly status: 'problem'; readonly problem: RowProblem }
  /** The file marks the line as cancelled or rejected, or it only moves cash into a cash fund. */
  | { readonly status: 'void' | 'sweep' };

const MAX_NOTE = 200;
/** Longer notes are sentences about the company and name no kind. */
const MAX_KIND_NOTE = 40;
/** `="005930"` is text: the formula keeps a spreadsheet program from dropping the zeros. */
const QUOTED_CODE = /^="([\p{L}\p{N}.\- ]{1,20})"$/u;
const DASHES = /^[-–—]+$/u;
const VOID: ReadonlySet<string> = new Set('reversed cancelled canceled rejected 취소 거부 취소됨'.split(' '));
/** Robinhood writes `10S` for shares that leave in a split. */
const LEAVING = /^([\d,.]{1,20})S$/u;

/** Undefined for an empty cell. */
const numberOf = (cell: string): CellNumber | undefined => {
  const number = numberIn(cell);
  if (number === 'wrong') throw new RowError({ kind: 'no-number', typed: cell });
  return number === 'none' ? undefined : number;
};

/** The text of a cell. Refuses formulas. */
const plain = (cell: string): string => {
  if (DASHES.test(cell)) return '';
  if (isFormula(cell)) throw new RowError({ kind: 'formula', typed: cell });
  return unmarked(cell);
};

/** Readers of a record's cells by column. */
const cellsOf = ({ cells }: TableRecord, { header: { columns }, hasCommaDecimals }: TransactionTable) => {
  const numbers = new Set(hasCommaDecimals ? NUMBER_COLUMNS : []);
  const all = (column: Column): readonly string[] =>
    (columns.get(column) ?? []).map((index) => {
      const cell = cells[index] ?? '';
      return numbers.has(column) ? withPoint(cell) : cell;
    });
  /** The first filled cell. */
  const raw = (column: Column): string => all(column).find((cell) => cell !== '') ?? '';
  const text = (column: Column): string => {
    const cell = raw(column);
    const code = column === 'code' || column === 'name' ? QUOTED_CODE.exec(cell)?.[1] : undefined;
    return code ?? plain(cell);
  };
  const number = (column: Column): CellNumber | undefined => numberOf(raw(column));
  /** The first number that is not zero. */
  const filled = (column: Column): CellNumber | undefined => {
    const found = all(column).flatMap((cell) => numberOf(cell) ?? []);
    return found.find(({ value }) => !value.isZero()) ?? found[0];
  };
  const sum = (column: Column): Decimal =>
    all(column).reduce((total, cell) => total.plus(numberOf(cell)?.value.abs() ?? 0), ZERO);
  /** Reads columns that may mean something else: a cell that is not a number is ignored. */
  const lenient = (column: Column): Decimal | undefined => valueIn(raw(column));
  const words = (column: Column): readonly string[] =>
    all(column)
      .filter((cell) => cell !== '')
      .map(plain);
  return { all, text, raw, number, filled, sum, lenient, words };
};
type Cells = ReturnType<typeof cellsOf>;

/** A total includes its parts, unless it is smaller than they are. */
const withParts = (total: Decimal, parts: Decimal): Decimal =>
  total.greaterThanOrEqualTo(parts) ? total : total.plus(parts);

const chargesOf = ({ number, sum }: Cells, isForeign: boolean, isTrade: boolean) => {
  const signed = number('signedFee')?.value ?? ZERO;
  const foreign = isForeign ? sum('foreignFee') : ZERO;
  const own = foreign.isZero() ? withParts(sum('fee'), sum('feePart')) : foreign;
  const foreignTax = isForeign ? sum('foreignTax') : ZERO;
  return {
    // A signed fee has a minus if it is a cost.
    fee: own.minus(signed).plus(isTrade ? sum('loanInterest') : ZERO),
    tax: foreignTax.isZero() ? withParts(sum('tax'), sum('taxPart')) : foreignTax,
    charges: sum('feeAndTax'),
  };
};

/** The kind of the lines in a section of a statement, by the sign of the amount. */
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
/** `10 for 1`, `1-for-10` or `3:2` anywhere in the text. */
const RATIO_WORDS = /(?<![\d.])(?<to>\d{1,4}) ?(?:for|-for-|:|대) ?(?<from>\d{1,4})(?![\d.])/iu;

const hasSides = ({ columns }: Header): boolean => columns.has('buyQuantity') && columns.has('sellQuantity');

const kindIn = (cells: Cells, { header, section }: TransactionTable): RowKind => {
  const { words, text, filled, number } = cells;
  // The line has both sides; `sidesOf` keeps those with a quantity.
  if (hasSides(header)) return 'buy';
  const amount = filled('amount')?.value ?? ZERO;
  if (section === 'Corporate Actions')
    return SPLIT_WORDS.test(text('description')) ? 'split' : 'reorganisation';
  const reported = section === undefined ? undefined : SECTION_KINDS[section];
  if (reported) return reported[amount.isNegative() ? 1 : 0];
  const typed = words('kind');
  const notes = [...words('note'), ...words('description')];
  // In our own export a note is free text and never names the kind.
  const kindNotes = header.isOwn
    ? []
    : notes.filter((note) => note.length <= MAX_KIND_NOTE || typed.length === 0);
  const known = rowKindIn([...typed, ...kindNotes]);
  if (known) return known;
  if (header.columns.has('kind') && typed.length > 0)
    throw new RowError({ kind: 'unknown-kind', typed: typed[0] ?? '' });
  const quantity = header.columns.has('kind') ? undefined : number('quantity');
  if (!quantity) throw new RowError({ kind: 'no-kind' });
  return quantity.value.isNegative() ? 'sell' : 'buy';
};

/** Drops a note that only names the kind. */
const noteIn = (typed: string, { isOwn }: Header): string =>
  !isOwn && rowKindOf(typed)
    ? ''
    : Array.from(typed.replaceAll(/\s+/gu, ' ')).slice(0, MAX_NOTE).join('').trim();

/** The symbol in `AAPL(US0378331005) Cash Dividend USD 0.26 per Share`. */
const SYMBOL_FIRST = /^(?<code>[A-Z0-9][A-Z0-9. ]{0,11}?) ?\((?:[A-Z]{2}[A-Z0-9]{9}\d|[A-Z0-9]{8,9})\)/u;
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

const isWon = (currency: string): boolean => ['KRW', '원', '원화', 'WON'].includes(currency.toUpperCase());

const CASH_KINDS: ReadonlySet<RowKind> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'fx',
  'fee',
  'interest',
]);

const CHARGES = ['fee', 'feePart', 'feeAndTax', 'tax', 'taxPart'] as const satisfies readonly Column[];

const quantityIn = ({ raw, number, text }: Cells, kind: RowKind): Pick<Draft, 'quantity' | 'coin'> => {
  const typed = raw('quantity');
  const leaving = kind === 'split' ? LEAVING.exec(typed)?.[1] : undefined;
  if (leaving !== undefined) return { quantity: numberOf(leaving)?.value.negated(), coin: undefined };
  const counted = number('quantity');
  const unit = counted?.currency;
  const coin = unit !== undefined && currencyNamed(unit)?.isCoin ? unit : undefined;
  // `0.01BTC` is a quantity; `$500` is not.
  if (unit !== undefined && coin === undefined && text('code').toUpperCase() !== unit)
    throw new RowError({ kind: 'no-number', typed });
  return { quantity: counted?.value, coin };
};

/** The currency of the charges, from its own column or from a sign beside the numbers. */
const chargesCurrency = ({ text, all }: Cells): string | undefined => {
  const named = text('feeCurrency');
  if (named !== '') return named;
  return CHARGES.flatMap(all).flatMap((cell) => numberOf(cell)?.currency ?? [])[0];
};

/** The signed amount if deposits and withdrawals have a column each. */
const movedIn = ({ filled }: Cells): CellNumber | undefined => {
  const deposited = filled('deposit');
  if (nonZero(deposited)) return deposited;
  const withdrawn = filled('withdrawal');
  return withdrawn && { ...withdrawn, value: withdrawn.value.abs().negated() };
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
  // A corporate action counts on the day of the report, which follows the day of its time.
  const typedDate = section === 'Corporate Actions' ? (words('date').at(-1) ?? '') : text('date');
  const date = dateIn(typedDate, order, hasSerialDates);
  if (!date) throw new RowError({ kind: 'no-date', typed: typedDate });
  // The order was not executed.
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
  const isForeign = hasForeign && (reported === undefined || !isWon(reported));
  const isExchange = kind === 'fx';
  const amount = isForeign && !isExchange ? foreignAmount : filled('amount');
  const foreignNet = isForeign && !isExchange ? filled('foreignNet') : undefined;
  const net = foreignNet ?? (isForeign && header.columns.has('foreignNet') ? undefined : filled('net'));
  const priceOrRate = lenient('priceOrRate');
  const typedTime = timeIn(text('time')) ? text('time') : typedDate;
  const money = currencyNamed(reported ?? '')?.code;

  const settleMoney = currencyNamed(text('settleCurrency'))?.code;
  const isSettled = settleMoney !== undefined && money !== undefined && settleMoney !== money;
  const isRateInBase = header.isOwn
    ? text('baseCurrency').toUpperCase() === base
    : header.isKorean && base === 'KRW';
  return {
    record,
    table,
    kind: isForex ? 'fx' : kind,
    date,
    time: timeIn(typedTime),
    timeZone: zoneIn(typedTime),
    code: symbol ?? text('code'),
    name: text('name'),
    currency: reported,
    ...quantityIn(cells, kind),
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
    toRate: isRateInBase ? number('toRate')?.value : undefined,
    isRateInBase,
    note: noteIn(note, header),
    words: [...words('kind'), ...(header.isOwn ? [] : [note]), ...words('description')].join(' '),
    balance: lenient('balance'),
    foreignBalance: money !== undefined && money !== 'KRW' ? lenient('foreignBalance') : undefined,
    held: lenient('held'),
  };
};

/** The ratio that a text about a split states. */
export const ratioInText = (words: string): string | undefined => {
  const { to, from } = (SPLIT_WORDS.exec(words) ?? RATIO_WORDS.exec(words))?.groups ?? {};
  return to === undefined || from === undefined ? undefined : `${to}:${from}`;
};

/** Turns a line with a purchase and a sale side by side into one draft for each. */
const sidesOf = (draft: Draft): readonly Draft[] => {
  const { header } = draft.table;
  if (!hasSides(header)) return [draft];
  const { number } = cellsOf(draft.record, draft.table);
  const side = (kind: 'buy' | 'sell'): readonly Draft[] => {
    const quantity = number(`${kind}Quantity`)?.value;
    if (!quantity || quantity.isZero()) return [];
    const amount = number(`${kind}Amount`);
    // The price beside the amount may be the average of the whole holding.
    const price = amount ? undefined : number(`${kind}Price`)?.value;
    return [{ ...draft, kind, quantity, price, amount, net: undefined }];
  };
  const [bought, sold] = [side('buy'), side('sell')];
  if (bought.length === 0 || sold.length === 0) return [...bought, ...sold];
  // The charges belong to both: the tax to the sale, the fee in proportion to the amounts.
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
