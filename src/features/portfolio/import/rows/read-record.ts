import type { MovedLot } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { currencyNamed, isCoinCode } from '#src/reading/currencies.ts';
import type { DateOrder } from '#src/reading/dates.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import type { TableRecord, TransactionTable } from '../columns/find-tables.ts';
import { type Header, headingCurrency, type Column } from '../columns/column-headings.ts';
import { isEarly } from '#src/features/portfolio/checks/anomalies.ts';
import { readLots } from '#src/features/portfolio/ledger/moved-lots.ts';
import { moneyNamed, type Money } from '../columns/money-names.ts';
import { type Cells, cellsOf, numberOf, type OtherMoney } from './record-cells.ts';
import { cancels, isShareWord, type RowKind, rowKindIn, rowKindOf } from '../columns/row-kinds.ts';
import {
  type CellNumber,
  dateIn,
  nonZero,
  timeIn,
  zoneIn,
  ZERO,
  withPoint,
  type Decimals,
} from '../columns/cells.ts';

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

/** The code of an instrument, and the currency that the mark of its market names. */
interface MarketCode {
  readonly code: string;
  readonly currency: Currency | undefined;
}

/** Marks of markets in codes: `AAPL.US` (XTB), `NVDA:xnas` (Saxo), `NKE/USD` (eToro). */
const MARKETS: Readonly<Record<string, readonly [suffix: string, currency?: Currency]>> = {
  '.US': ['', 'USD'],
  '/USD': ['', 'USD'],
  ':XNAS': ['', 'USD'],
  ':XNYS': ['', 'USD'],
  ':XASE': ['', 'USD'],
  ':ARCX': ['', 'USD'],
  '.UK': ['.L'],
  ':XLON': ['.L'],
  ':XTKS': ['.T', 'JPY'],
  ':XHKG': ['.HK', 'HKD'],
};
const MARKED = /^(.{1,12}?)([./:][A-Z]{2,4})$/u;
const TOKYO = /^\d[0-9A-Z]{3}$/u;

const codeIn = (typed: string, { isJapanese }: Header): MarketCode => {
  const text = typed.trim();
  const [, code = '', mark = ''] = MARKED.exec(text.toUpperCase()) ?? [];
  const market = MARKETS[mark];
  if (market) return { code: `${code}${market[0]}`, currency: market[1] };
  return { code: isJapanese && TOKYO.test(text) ? `${text}.T` : text, currency: undefined };
};

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

/** The signed amount if deposits and withdrawals have a column each. */
const movedIn = ({ filled }: Cells): CellNumber | undefined => {
  const deposited = filled('deposit');
  if (nonZero(deposited)) return deposited;
  const withdrawn = filled('withdrawal');
  return withdrawn && { ...withdrawn, value: withdrawn.value.abs().negated() };
};

interface LineParts {
  readonly kind: RowKind;
  readonly told: TradeWords | undefined;
  readonly code: MarketCode;
  readonly quantity: Decimal | undefined;
}

const HUNDRED = new Decimal(100);
/** Fees and taxes are a small part of the amount. */
const MAX_CHARGE = new Decimal('0.02');

const isNear = (amount: Decimal, whole: Decimal): boolean =>
  amount.minus(whole).abs().lessThanOrEqualTo(whole.times(MAX_CHARGE));

/**
 * Whether amounts beside a price in pence are in pence too. Only their own arithmetic can tell: a line without it is
 * refused.
 */
const divisorOf = (paid: CellNumber | undefined, whole: Decimal | undefined): Decimal => {
  const amount = nonZero(paid);
  if (!amount || !whole || whole.isZero()) throw new RowError({ kind: 'no-currency' });
  if (isNear(amount, whole)) return new Decimal(1);
  if (isNear(amount.dividedBy(HUNDRED), whole)) return HUNDRED;
  throw new RowError({ kind: 'no-currency' });
};

const scaled = (number: CellNumber | undefined, divisor: Decimal): CellNumber | undefined =>
  number && { ...number, value: number.value.dividedBy(divisor) };

/** A deposit of a currency that stands in the column of what is traded: `deposit,EUR,10`. */
const cashOf = (
  { kind, code, quantity }: LineParts,
  amount: CellNumber | undefined,
  { isOwn }: Header,
): (CellNumber & { readonly currency: Currency }) | undefined => {
  if (amount || isOwn || !quantity || (kind !== 'deposit' && kind !== 'withdrawal')) return undefined;
  const money = moneyNamed(code.code);
  // Coins that come from a wallet are no cash; neither is a code that is no currency.
  if (!money || isCoinCode(money.currency))
    throw new RowError({ kind: kind === 'deposit' ? 'shares-in' : 'shares-out' });
  return { value: quantity, currency: money.currency };
};

/** The price, the amounts and their currencies, as the columns, signs, headings and the title state them. */
const moneyOfLine = (cells: Cells, { header, title }: TransactionTable, parts: LineParts) => {
  const { text, number, filled } = cells;
  const { kind, told, code, quantity } = parts;
  const isTrade = kind === 'buy' || kind === 'sell';
  const [line, settle] = [moneyNamed(text('currency')), moneyNamed(text('settleCurrency'))?.currency];
  const ofPrice: Money | undefined =
    moneyNamed(text('priceCurrency')) ??
    told?.money ??
    (code.currency === undefined ? undefined : { currency: code.currency, isHundredth: false });
  const ofHeading = header.isKorean ? undefined : headingCurrency(header, 'price');
  const typed = text('currency') || (ofPrice?.currency ?? ofHeading) || text('settleCurrency');
  const reported = typed === '' ? titleMoney(title) : (moneyNamed(typed)?.currency ?? typed);

  const foreignAmount = filled('foreignAmount');
  const isForeign = nonZero(foreignAmount) !== undefined && (reported === undefined || !isWon(reported));
  const hasOwn = isForeign && kind !== 'fx';
  const paid = nonZero(filled('net')) ? filled('net') : filled('amount');
  const paidIn = header.isKorean || header.money.size === 0 ? undefined : paid?.currency;
  const settleIn = paidIn ?? settle;
  const isSettled = settleIn !== undefined && reported !== undefined && settleIn !== reported;

  const price = told ? { value: told.price, currency: undefined } : number('price');
  const isHundredth = (line ?? ofPrice)?.isHundredth === true && price?.currency === undefined;
  const each = price && isHundredth ? price.value.dividedBy(HUNDRED) : price?.value;
  const whole = each && quantity?.abs().times(each);

  const amount = hasOwn ? foreignAmount : (filled('amount') ?? movedIn(cells));
  const ownNet = hasOwn ? filled('foreignNet') : undefined;
  const net = ownNet ?? (hasOwn && header.columns.has('foreignNet') ? undefined : filled('net'));
  const isInHundredths = line?.isHundredth === true && !isSettled && paid?.currency === undefined;
  const divisor = isInHundredths && (paid || isTrade) ? divisorOf(paid, whole) : new Decimal(1);

  const rate = number('accountRate')?.value;
  const isSaid = text('currency') !== '' || settleIn !== undefined || paid?.currency !== undefined;
  const isPriceMoneyOnly = !isSaid && ofPrice !== undefined && rate?.equals(1) !== true;
  const isProven = isTrade && whole !== undefined && paid !== undefined && isNear(paid.value.abs(), whole);
  if (isPriceMoneyOnly && paid && (rate !== undefined || !isProven))
    throw new RowError({ kind: 'no-currency' });

  const cash = cashOf(parts, amount ?? net, header);
  return {
    isForeign,
    isForeignMoney: reported !== undefined && moneyNamed(reported) !== undefined && reported !== 'KRW',
    /** The code was that of the money moved. */
    isCashCode: cash !== undefined,
    chargesPer: divisor,
    own: {
      currency: cash?.currency ?? reported,
      price: each,
      priceCurrency: price?.currency,
      amount: isSettled && !hasOwn ? undefined : scaled(cash ?? amount, divisor),
      net: isSettled && !hasOwn ? undefined : scaled(net, divisor),
      settled: isSettled && paid ? { amount: paid.value.abs(), currency: settleIn } : undefined,
    },
  };
};

/** A trade that a single cell tells. */
interface TradeWords {
  readonly kind: 'buy' | 'sell';
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly money: Money | undefined;
}

const SIDES: ReadonlyMap<string, TradeWords['kind']> = new Map([
  ...'buy,bought,open buy,kauf,koop,achat,compra,acquisto,köp'
    .split(',')
    .map((word) => [word, 'buy'] as const),
  ...'sell,sold,close buy,verkauf,verkoop,vente,venta,vendita,sälj'
    .split(',')
    .map((word) => [word, 'sell'] as const),
]);

/**
 * `Buy 3 @ 134.85 USD` (Saxo), `OPEN BUY 2/3.5 @ 11.7480` (XTB), `Kauf 5 zu je 180,5 USD` (DEGIRO). Between quantity and
 * price there may be the name: `Koop 5 Apple Inc@180 USD`.
 */
const TOLD =
  /^(?<side>\p{L}{3,8}(?: buy)?) (?<quantity>-?[\d.,]{1,20})(?:\/[\d.,]{1,20})?(?<name>[^@\d][^@]{0,60})?(?:@|\bzu je|\bà) ?(?<price>[\d.,]{1,20})(?: ?(?<money>[A-Za-z]{3}))?(?![\p{L}\d])/iu;

/** Numbers in such cells have no groups, and often other decimals than the columns. */
const numberIn = (text: string, decimals: Decimals): Decimal | undefined => {
  const isComma = text.includes(',') && !text.includes('.') && decimals !== 'point';
  const plain = isComma ? text.replace(',', '.') : withPoint(text, 'point');
  return plain !== undefined && /^-?\d+(?:\.\d+)?$/u.test(plain) ? new Decimal(plain) : undefined;
};

/** Reads a trade that the words of a line tell, where it has no columns for it. */
const toldTrade = (words: readonly string[], decimals: Decimals): TradeWords | undefined => {
  for (const text of words) {
    const { side, quantity, price, money } = TOLD.exec(text)?.groups ?? {};
    const kind = SIDES.get((side ?? '').toLowerCase());
    const [count, each] = [numberIn(quantity ?? '', decimals), numberIn(price ?? '', decimals)];
    if (kind && count && each)
      return { kind, quantity: count.abs(), price: each, money: moneyNamed(money ?? '') };
  }
  return undefined;
};
