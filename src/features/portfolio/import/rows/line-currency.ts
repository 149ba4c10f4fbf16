import { type Currency, Decimal } from '#src/kernel/money.ts';
import { RowError } from '../problems.ts';
import { type Header, headingCurrency } from '../columns/column-headings.ts';
import type { TransactionTable } from '../columns/find-tables.ts';
import { type CellNumber, nonZero } from '../columns/cells.ts';
import { isCoinCode } from '#src/reading/currencies.ts';
import { type Money, moneyNamed } from '../columns/money-names.ts';
import type { Cells } from './record-cells.ts';
import type { RowKind } from '../columns/row-kinds.ts';
import type { TradeWords } from './trade-words.ts';

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

export const codeIn = (typed: string, { isJapanese }: Header): MarketCode => {
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
export const moneyOfLine = (cells: Cells, { header, title }: TransactionTable, parts: LineParts) => {
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
