import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { instrumentOf, type Transaction, type TransactionKind } from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { readAmount } from '#src/reading/amounts.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { portionOf } from '#src/reading/portions.ts';
import { coinIn, isSameCoin } from '#src/markets/symbols/coin-pairs.ts';
import { isNone, quantityChange } from '../ledger/share-count.ts';
import { readEntryNumber } from './entry-problems.ts';
import { ZERO } from '../ledger/fixed-point.ts';

/** The currency that the request names by itself or beside an amount; undefined if it names none. */
export const namedCurrency = ({ currency, price, total, amount }: RecordRequest): Currency | undefined =>
  currencyNamed(currency ?? '')?.code ??
  readEntryNumber(price ?? '')?.currency ??
  readEntryNumber(total ?? '')?.currency ??
  readEntryNumber(amount ?? '')?.currency;

/**
 * The pair of a coin without a currency: the held one, else the last traded one, else that of the portfolio's
 * currency.
 */
export const usualCoinPair = (
  instrument: Instrument,
  entries: readonly Transaction[],
  baseCurrency: Currency,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument => {
  if (instrument.assetClass !== 'crypto') return instrument;
  const traded: Instrument[] = [];
  const left = new Map<string, Decimal>();
  for (const entry of entries) {
    const own = entry.isReversed ? undefined : instrumentOf(entry);
    if (!own || !isSameCoin(own, instrument)) continue;
    traded.push(own);
    left.set(own.symbol, quantityChange(entry).plus(left.get(own.symbol) ?? 0));
  }
  const held = traded.findLast(({ symbol }) => !isNone(left.get(symbol) ?? ZERO));
  return held ?? traded.at(-1) ?? coinIn(instrument, baseCurrency, symbols);
};

/** The verbs that are no names of kinds. */
const VERBS: Partial<Record<TransactionKind, string>> = {
  buy: 'add',
  withdrawal: 'withdraw',
  'transfer-out': 'transfer',
  'transfer-in': 'transfer',
};

/** One line, in quotation marks if it contains spaces. */
const quoted = (typed: string): string => {
  const value = typed.replaceAll(/\s+/gu, ' ').trim().replaceAll('"', "'");
  return /^[^\s'“‘]+$/u.test(value) ? value : `"${value}"`;
};

type Place = 'quantity' | 'price' | 'amount' | 'ratio';

const UNITS: Readonly<Record<Exclude<Place, 'ratio'>, readonly string[]>> = {
  quantity: ['none', 'pieces'],
  price: ['none', 'money'],
  amount: ['none', 'money'],
};

/** Whether a value is read back correctly by its position alone, without the name of its field. */
const isPlain = (typed: string, place: Place, kind: TransactionKind): boolean => {
  if (/\s/u.test(typed)) return false;
  if (place === 'ratio') return /^\d{1,6}(?::\d{1,6})?$/u.test(typed);
  if (place === 'quantity' && kind === 'sell' && portionOf(typed)) return /^\p{L}+$/u.test(typed);
  const amount = readAmount(typed)?.value;
  return amount !== undefined && amount.basis === undefined && UNITS[place].includes(amount.unit);
};

/** Formats the request as a command, with a code for the name, that is read back as the same request. */
export const recordCommand = (request: RecordRequest, code: string): string => {
  const given = (['quantity', 'price', 'amount', 'ratio'] as const).flatMap((place) => {
    const value = request[place]?.trim() ?? '';
    return value === '' ? [] : [{ place, value }];
  });
  // After a value that needs the name of its field, the next one would take its position.
  const first = given.findIndex(({ place, value }) => !isPlain(value, place, request.kind));
  const isPriceFirst = given[0]?.place === 'price';
  const isNamedApart = request.toName !== undefined;
  const plain = isPriceFirst || isNamedApart ? [] : given.slice(0, first === -1 ? given.length : first);
  const flags = [
    ...given.slice(plain.length).map(({ place, value }) => [place, value] as const),
    ['total', request.total],
    ['currency', request.currency],
    ['date', request.date],
    ['time', request.time],
    ['fee', request.fee],
    ['tax', request.tax],
    ['rate', request.rate],
    ['to-name', request.toName],
    ['to-quantity', request.toQuantity],
    ['percent', request.percent],
    ['to', request.toPortfolio],
    ['to-amount', request.toAmount],
    ['to-currency', request.toCurrency],
    ['in', request.portfolio],
    ['note', request.note],
  ] as const;
  return [
    '/portfolio',
    request.isRefund ? 'refund' : request.isOpening ? 'hold' : (VERBS[request.kind] ?? request.kind),
    code,
    ...plain.map(({ value }) => value),
    ...flags.map(([name, value = '']) => (value.trim() === '' ? '' : `--${name}=${quoted(value)}`)),
    request.isSure ? '--yes' : '',
  ]
    .filter((word) => word !== '')
    .join(' ');
};
