import type { TransactionKind } from '#src/core/ledger.ts';
import { type Currency, Decimal } from '#src/core/money.ts';
import type { RecordRequest } from '#src/core/personal-desk.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { DateOrder } from '#src/language/dates.ts';
import { isShareWord, type RowKind, rowKindOf } from './broker-words.ts';
import { type CsvRow, isFormula, unmarked } from './csv.ts';
import { dateIn, numberIn } from './csv-cells.ts';
import type { Column, Header } from './csv-columns.ts';
import type { RowProblem } from './csv-problems.ts';

/** A line in the words in which a person would have told of it. */
export interface RowDraft {
  readonly request: RecordRequest;
  /** What is traded: the code of a broker, the name of a company. */
  readonly code: string;
  readonly name: string;
  /** Of an exchange of currencies, in our own export. */
  readonly toRate: Decimal | undefined;
  /** Of a split, where it has more digits than people write: a third. */
  readonly ratio: Decimal | undefined;
}

export type ReadRow =
  | { readonly status: 'ok'; readonly draft: RowDraft }
  | { readonly status: 'problem'; readonly problem: RowProblem }
  /** It was taken back: it is there to be seen, not to be recorded. */
  | { readonly status: 'void' };

/** Thrown and caught inside of this file alone: the first thing that is wrong ends the reading. */
class Unreadable extends Error {
  readonly problem: RowProblem;

  constructor(problem: RowProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

const MAX_NOTE = 200;
/** `="005930"` keeps a spreadsheet program from taking the zeros off: it is text, and says so. */
const QUOTED_CODE = /^="([\p{L}\p{N}.\- ]{1,20})"$/u;
const TYPED_DECIMALS = 6;
const LONG_RATIO = /^\d{1,6}\.\d{7,30}$/u;
const DASHES = /^[-–—]+$/u;
const VOID: ReadonlySet<string> = new Set('reversed cancelled canceled rejected 취소 거부 취소됨'.split(' '));
const CASH_KINDS: ReadonlySet<RowKind> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'fx',
  'fee',
  'interest',
  'tax',
  'tax-refund',
]);
/** Of these an amount below zero means something else. */
const GIVES: ReadonlySet<RowKind> = new Set(['dividend', 'deposit', 'fx', 'interest', 'cash-in-lieu']);
/** Of these the tax is told beside the amount before it. */
const TAXED: ReadonlySet<RowKind> = new Set(['dividend', 'interest']);
/** Korean banks tell the price of a hundred of these. */
const BY_THE_HUNDRED: ReadonlySet<Currency> = new Set(['JPY', 'VND', 'IDR']);
const ZERO = new Decimal(0);

/** Undefined for an empty cell. */
const numberOf = (cell: string) => {
  const number = numberIn(cell);
  if (number === 'wrong') throw new Unreadable({ kind: 'no-number', typed: cell });
  return number === 'none' ? undefined : number;
};

/** The cells of a line, by what they tell. */
const cellsOf = ({ cells }: CsvRow, { columns }: Header) => {
  /** Of several the first that says anything. */
  const raw = (column: Column): string =>
    (columns.get(column) ?? []).map((index) => cells[index] ?? '').find((cell) => cell !== '') ?? '';
  const text = (column: Column): string => {
    const cell = raw(column);
    if (DASHES.test(cell)) return '';
    const code = column === 'code' || column === 'name' ? QUOTED_CODE.exec(cell)?.[1] : undefined;
    if (code !== undefined) return code;
    if (isFormula(cell)) throw new Unreadable({ kind: 'formula', typed: cell });
    return unmarked(cell);
  };
  const number = (column: Column) => numberOf(raw(column));
  const sum = (column: Column): Decimal =>
    (columns.get(column) ?? []).reduce(
      (total, index) => total.plus(numberOf(cells[index] ?? '')?.value.abs() ?? 0),
      ZERO,
    );
  return { text, number, sum };
};
type Cells = ReturnType<typeof cellsOf>;

/** A sum, and parts that it contains or that are told of beside it. */
const withParts = (total: Decimal, parts: Decimal): Decimal =>
  total.greaterThanOrEqualTo(parts) ? total : total.plus(parts);

const chargesOf = ({ number, sum }: Cells) => {
  const own = withParts(sum('fee'), sum('feePart')).plus(sum('feeAndTax'));
  const signed = number('signedFee')?.value ?? ZERO;
  // A cost has a minus there; what is paid back is no fee.
  return { fee: own.minus(signed), tax: withParts(sum('tax'), sum('taxPart')) };
};

const kindIn = ({ text, number }: Cells, { columns }: Header): RowKind => {
  const typed = text('kind');
  const note = text('note');
  const told = rowKindOf(typed);
  const noted = rowKindOf(note);
  if (told === 'deposit' && noted === 'dividend') return 'dividend';
  if (told) return told;
  if (columns.has('kind') && typed !== '') {
    if (noted) return noted;
    throw new Unreadable({ kind: 'unknown-kind', typed });
  }
  const quantity = columns.has('kind') ? undefined : number('quantity');
  const kind = noted ?? (quantity && (quantity.value.isNegative() ? 'sell' : 'buy'));
  if (!kind) throw new Unreadable({ kind: 'no-kind' });
  return kind;
};

/** Only what tells more than the kind does. */
const noteIn = (typed: string, { isOwn }: Header): string =>
  !isOwn && rowKindOf(typed)
    ? ''
    : Array.from(typed.replaceAll(/\s+/gu, ' ')).slice(0, MAX_NOTE).join('').trim();

/** What went in or out, above or below zero. */
const moneyIn = ({ number }: Cells, tax: Decimal) => {
  const gross = number('amount');
  if (gross) return gross;
  const net = number('net') ?? number('deposit');
  if (net && !net.value.isZero()) return { ...net, value: net.value.plus(tax) };
  const taken = number('withdrawal');
  return taken && { ...taken, value: taken.value.abs().negated() };
};

const plain = (value: Decimal | undefined): string | undefined => value?.toFixed();

const read = (row: CsvRow, header: Header, order: DateOrder, base: Currency): RowDraft | undefined => {
  const cells = cellsOf(row, header);
  const { text, number } = cells;
  if (VOID.has(text('status').toLowerCase())) return undefined;
  const typedDate = text('date');
  const date = dateIn(typedDate, order);
  if (!date) throw new Unreadable({ kind: 'no-date', typed: typedDate });
  const told = kindIn(cells, header);
  const { fee, tax } = chargesOf(cells);
  const isCash = CASH_KINDS.has(told);
  const asset = text('asset');
  if (!isCash && !isShareWord(asset)) throw new Unreadable({ kind: 'asset', typed: asset });

  const quantity = number('quantity');
  const price = number('price');
  const money = moneyIn(cells, TAXED.has(told) ? tax : ZERO);
  const kind: TransactionKind =
    told === 'transfer'
      ? money?.value.isNegative()
        ? 'withdrawal'
        : 'deposit'
      : told === 'tax-refund'
        ? 'tax'
        : told;
  const isTrade = kind === 'buy' || kind === 'sell' || kind === 'rights';
  const turned = kind === 'buy' ? quantity : GIVES.has(kind) ? money : undefined;
  if (turned?.value.isNegative()) throw new Unreadable({ kind: 'sign', of: kind });
  if (price?.value.isNegative() || fee.isNegative()) throw new Unreadable({ kind: 'sign', of: kind });
  const hasCharge = kind === 'fee' ? money && !fee.isZero() : !fee.isZero();
  if (!isTrade && (hasCharge || (!TAXED.has(kind) && !tax.isZero())))
    throw new Unreadable({ kind: 'charge', of: kind });

  const typedCurrency = text('currency');
  const signed = (isTrade ? price : money)?.currency;
  const assumed = header.isOwn ? undefined : header.isAmerican ? 'USD' : header.isKorean ? 'KRW' : undefined;
  const currency = typedCurrency === '' ? (signed ?? assumed) : typedCurrency;
  const code = currency === undefined ? undefined : (currencyNamed(currency)?.code ?? currency);
  const feeCurrency = text('feeCurrency');
  if (feeCurrency !== '' && !fee.isZero() && code !== undefined && feeCurrency.toUpperCase() !== code)
    throw new Unreadable({ kind: 'fee-currency', typed: feeCurrency });

  const isOurRate = header.isOwn
    ? text('baseCurrency').toUpperCase() === base
    : header.isKorean && base === 'KRW' && code !== undefined && !BY_THE_HUNDRED.has(code);
  const rate = isOurRate && code !== base ? number('rate')?.value : undefined;
  const ratio = LONG_RATIO.test(text('ratio')) ? new Decimal(text('ratio')) : undefined;
  const note = noteIn(text('note'), header);
  return {
    code: text('code'),
    name: text('name'),
    toRate: isOurRate ? number('toRate')?.value : undefined,
    ratio,
    request: {
      kind,
      date: date.toString(),
      ...(text('time') !== '' && { time: text('time') }),
      ...(told === 'tax-refund' && { isRefund: true }),
      currency,
      ...(isTrade && {
        quantity: plain(quantity?.value.abs()),
        price: plain(price?.value),
        fee: plain(fee),
        // Where a file tells of no taxes at all, that of Korean sales is computed, as for what a person types.
        tax: header.tellsTaxes ? plain(tax) : undefined,
      }),
      ...(kind === 'dividend' && { amount: plain(money?.value), tax: plain(tax) }),
      ...(kind === 'split' && { ratio: plain(ratio?.toDecimalPlaces(TYPED_DECIMALS)) ?? text('ratio') }),
      ...(kind === 'interest' && { tax: plain(tax) }),
      ...(kind === 'cash-in-lieu' && { amount: plain(money?.value), quantity: plain(quantity?.value.abs()) }),
      ...(isCash && { amount: plain(money?.value.abs() ?? (kind === 'fee' ? fee : undefined)) }),
      ...(kind === 'fx' && { toAmount: plain(number('toAmount')?.value), toCurrency: text('toCurrency') }),
      ...(rate && !rate.isZero() && { rate: plain(rate) }),
      ...(note !== '' && { note }),
    },
  };
};

/** One line of a broker's table. Pure; nothing in it is computed that a spreadsheet program would compute. */
export const readRow = (row: CsvRow, header: Header, order: DateOrder, base: Currency): ReadRow => {
  try {
    const draft = read(row, header, order, base);
    return draft ? { status: 'ok', draft } : { status: 'void' };
  } catch (error) {
    if (error instanceof Unreadable) return { status: 'problem', problem: error.problem };
    throw error;
  }
};
