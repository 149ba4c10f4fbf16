import type { MovedLot } from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { DateOrder } from '#src/reading/dates.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import type { TableRecord, TransactionTable } from '../columns/find-tables.ts';
import type { Header } from '../columns/column-headings.ts';
import type { Column } from '../columns/headings.ts';
import { isEarly } from '#src/features/portfolio/checks/anomalies.ts';
import { readLots } from '#src/features/portfolio/ledger/moved-lots.ts';
import { codeIn, moneyOfLine } from './line-currency.ts';
import { moneyNamed } from '../columns/money-names.ts';
import { type Cells, cellsOf, numberOf, type OtherMoney } from './record-cells.ts';
import { cancels, isShareWord, type RowKind, rowKindIn, rowKindOf } from '../columns/row-kinds.ts';
import { type TradeWords, toldTrade } from './trade-words.ts';
import { type CellNumber, dateIn, nonZero, timeIn, zoneIn, ZERO } from '../columns/cells.ts';

/** One transaction as the file states it, before instruments are looked up. */
export interface RecordDraft {
  readonly record: TableRecord;
  readonly table: TransactionTable;
  readonly kind: RowKind;
  readonly date: Temporal.PlainDate;
  readonly time: Temporal.PlainTime | undefined;
  /** The zone beside the time. Without one, the time is that of the broker. */
  readonly timeZone: string | undefined;
  readonly code: string;
  readonly isin: string;
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
  readonly otherMoney: readonly OtherMoney[];
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
  /** Whose shares a spin-off or a merger brought, where the file says all about it. */
  readonly received: Pick<RecordDraft, 'code' | 'isin' | 'name'> | undefined;
  readonly toQuantity: Decimal | undefined;
  /** Of a transfer in our own export. */
  readonly otherPortfolio: string;
  readonly lots: readonly MovedLot[] | undefined;
  readonly costPercent: Decimal | undefined;
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
  | { readonly status: 'ok'; readonly drafts: readonly RecordDraft[] }
  | { readonly status: 'problem'; readonly problem: RowProblem }
  /** The file marks the line as cancelled or rejected, or it only moves cash into a cash fund. */
  | { readonly status: 'void' | 'sweep' };

const MAX_NOTE = 200;
/** Of a portfolio. */
const MAX_NAME = 24;
/** Longer notes are sentences about the company and name no kind. */
const MAX_KIND_NOTE = 40;
const VOID: ReadonlySet<string> = new Set(
  'reversed cancelled canceled rejected failed expired 취소 거부 취소됨 storniert abgelehnt annulé annulée geannuleerd 取消 失効'.split(
    ' ',
  ),
);
/** Robinhood writes `10S` for shares that leave in a split. */
const LEAVING = /^([\d,.]{1,20})S$/u;

/** A total includes its parts, unless it is smaller than they are. */
const withParts = (total: Decimal, parts: Decimal): Decimal =>
  total.greaterThanOrEqualTo(parts) ? total : total.plus(parts);

const chargesOf = ({ number, sum }: Cells, isForeign: boolean, isTrade: boolean, divisor: Decimal) => {
  const signed = number('signedFee')?.value ?? ZERO;
  const foreign = isForeign ? sum('foreignFee') : ZERO;
  const own = foreign.isZero() ? withParts(sum('fee'), sum('feePart')) : foreign;
  const foreignTax = isForeign ? sum('foreignTax') : ZERO;
  return {
    // A signed fee has a minus if it is a cost.
    fee: own
      .minus(signed)
      .plus(isTrade ? sum('loanInterest') : ZERO)
      .dividedBy(divisor),
    tax: (foreignTax.isZero() ? withParts(sum('tax'), sum('taxPart')) : foreignTax).dividedBy(divisor),
    charges: sum('feeAndTax').dividedBy(divisor),
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

/** A merger for cash alone is a sale. */
const CASH_MERGER = /\bmerged ?\(acquisition\) {1,3}for [a-z]{3} [\d.]{1,20} per share/iu;
const SPLIT_WORDS = /\bsplit (?<to>\d{1,6}(?:\.\d{1,6})?) (?:for|:) (?<from>\d{1,6}(?:\.\d{1,6})?)/iu;
/** `10 for 1`, `1-for-10` or `3:2` anywhere in the text. */
const RATIO_WORDS = /(?<![\d.])(?<to>\d{1,4}) ?(?:for|-for-|:|대) ?(?<from>\d{1,4})(?![\d.])/iu;

const hasSides = ({ columns }: Header): boolean => columns.has('buyQuantity') && columns.has('sellQuantity');

const kindIn = (
  cells: Cells,
  { header, section }: TransactionTable,
  told: TradeWords | undefined,
): RowKind => {
  const { words, text, filled, number, all } = cells;
  // Interactive Brokers marks a cancellation in its last column of codes.
  if ([...words('kind'), ...words('status'), ...all('code').slice(1)].some(cancels)) return 'cancelled';
  if (told) return told.kind;
  // The line has both sides; `sidesOf` keeps those with a quantity.
  if (hasSides(header)) return 'buy';
  const amount = filled('amount')?.value ?? ZERO;
  if (section === 'Corporate Actions') {
    if (CASH_MERGER.test(text('description')) && amount.greaterThan(0)) return 'sell';
    return SPLIT_WORDS.test(text('description')) ? 'split' : 'reorganisation';
  }
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
/** The shares of a corporate action: `… Spinoff 1 for 4 (SOLV, SOLVENTUM CORP, US83444M1018)`. */
const SHARES_LAST = /\((?<code>[A-Z0-9][A-Z0-9. ]{0,15}), (?<name>[^()]{1,100}), (?<isin>[A-Z0-9]{9,12})\)$/u;
const CASH_KINDS: ReadonlySet<RowKind> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'fx',
  'fee',
  'interest',
]);

const CHARGES = ['fee', 'feePart', 'feeAndTax', 'tax', 'taxPart'] as const satisfies readonly Column[];

const quantityIn = ({ raw, number, text }: Cells, kind: RowKind): Pick<RecordDraft, 'quantity' | 'coin'> => {
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
const chargesCurrency = ({ text, numbersIn }: Cells): string | undefined => {
  const named = text('feeCurrency');
  if (named !== '') return moneyNamed(named)?.currency ?? named;
  return CHARGES.flatMap(numbersIn).find(({ value, currency }) => currency !== undefined && !value.isZero())
    ?.currency;
};

const read = (
  record: TableRecord,
  table: TransactionTable,
  order: DateOrder,
  base: Currency,
): RecordDraft | 'void' | 'sweep' => {
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
  if (isEarly(date)) throw new RowError({ kind: 'early-date', typed: date.toString() });
  // The order was not executed.
  if (header.columns.has('ordered') && (lenient('quantity') ?? ZERO).isZero()) return 'void';
  const spoken = [...words('kind'), ...words('note'), ...words('description')];
  const told = header.columns.has('price') ? undefined : toldTrade(spoken, table.decimals);
  const kind = kindIn(cells, table, told);
  if (kind === 'sweep') return 'sweep';
  const asset = text('asset');
  const isForex = /^forex$/iu.test(asset);
  if (!isForex && !CASH_KINDS.has(kind) && !isShareWord(asset))
    throw new RowError({ kind: 'asset', typed: asset });

  const note = text('note');
  const symbol = section === undefined ? undefined : SYMBOL_FIRST.exec(text('description'))?.groups?.['code'];
  const shares = kind === 'reorganisation' ? SHARES_LAST.exec(text('description'))?.groups : undefined;
  const code = codeIn(shares?.['code'] ?? symbol ?? text('code'), header);
  const toSymbol = text('toSymbol');
  const counted = told ? { quantity: told.quantity, coin: undefined } : quantityIn(cells, kind);
  const money = moneyOfLine(cells, table, { kind, told, code, quantity: counted.quantity });
  const { isForeign } = money;
  const isExchange = kind === 'fx';
  const foreignAmount = filled('foreignAmount');
  const priceOrRate = lenient('priceOrRate');
  const typedTime = timeIn(text('time')) ? text('time') : typedDate;
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
    code: money.isCashCode ? '' : code.code,
    isin: shares?.['isin'] ?? text('isin'),
    name: shares?.['name'] ?? text('name'),
    ...counted,
    ...money.own,
    price: money.own.price ?? (isExchange ? undefined : priceOrRate),
    otherMoney: cells.otherMoney(),
    ...chargesOf(cells, isForeign, kind === 'buy' || kind === 'sell', money.chargesPer),
    feeCurrency: chargesCurrency(cells),
    ratio: text('ratio'),
    toAmount: number('toAmount')?.value ?? (isExchange ? nonZero(foreignAmount) : undefined),
    toCurrency: text('toCurrency') === '' ? undefined : text('toCurrency'),
    received: header.isOwn && toSymbol !== '' ? { code: toSymbol, isin: '', name: '' } : undefined,
    toQuantity: number('toQuantity')?.value,
    otherPortfolio: header.isOwn ? text('otherPortfolio').slice(0, MAX_NAME) : '',
    lots: header.isOwn ? readLots(text('lots')) : undefined,
    costPercent: number('costPercent')?.value,
    rate: number('rate')?.value ?? (isExchange ? priceOrRate : undefined),
    toRate: isRateInBase ? number('toRate')?.value : undefined,
    isRateInBase,
    note: noteIn(note, header),
    words: [...words('kind'), ...(header.isOwn ? [] : [note]), ...words('description')].join(' '),
    balance: lenient('balance'),
    foreignBalance: money.isForeignMoney ? lenient('foreignBalance') : undefined,
    held: lenient('held'),
  };
};

/** The ratio that a text about a split states. */
export const ratioInText = (words: string): string | undefined => {
  const { to, from } = (SPLIT_WORDS.exec(words) ?? RATIO_WORDS.exec(words))?.groups ?? {};
  return to === undefined || from === undefined ? undefined : `${to}:${from}`;
};

/** Turns a line with a purchase and a sale side by side into one draft for each. */
const sidesOf = (draft: RecordDraft): readonly RecordDraft[] => {
  const { header } = draft.table;
  if (!hasSides(header)) return [draft];
  const { number } = cellsOf(draft.record, draft.table);
  const side = (kind: 'buy' | 'sell'): readonly RecordDraft[] => {
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
