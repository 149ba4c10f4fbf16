import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import type { TransactionKind } from '#src/core/ledger.ts';
import type { Currency } from '#src/core/money.ts';
import type { RecordRequest } from '#src/core/personal-desk.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { readEntryNumber } from './entries/read-entry-number.ts';

const OF_INSTRUMENTS: ReadonlySet<TransactionKind> = new Set(['buy', 'sell', 'dividend', 'split']);

export const isOfInstrument = (kind: TransactionKind): boolean => OF_INSTRUMENTS.has(kind);

/** The money that was named, by itself or beside the price; undefined where none was. */
export const namedCurrency = ({ currency, price, total, amount }: RecordRequest): Currency | undefined =>
  currencyNamed(currency ?? '')?.code ??
  readEntryNumber(price ?? '')?.currency ??
  readEntryNumber(total ?? '')?.currency ??
  readEntryNumber(amount ?? '')?.currency;

/** A coin is traded in several kinds of money: the same coin in this one, or what was found where there is none. */
export const coinIn = (
  instrument: Instrument,
  currency: Currency | undefined,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument => {
  const isOther = currency !== undefined && currency !== instrument.currency;
  if (instrument.assetClass !== 'crypto' || !isOther) return instrument;
  const symbol = `${instrument.ticker}-${currency}`;
  const match = symbols.resolve(symbol);
  return match.status === 'found' && match.instrument.symbol === symbol ? match.instrument : instrument;
};

/** Who writes `BTC-USD` has said in which money. */
export const isPairNamed = ({ name = '' }: RecordRequest, { symbol }: Instrument): boolean =>
  name.normalize('NFKC').trim().replace(/^\$/u, '').toUpperCase() === symbol;

/** Longer ones cannot be pressed. */
export const MAX_COMMAND = 80;

const ACTIONS: Readonly<Record<TransactionKind, string>> = {
  buy: 'add',
  sell: 'sell',
  dividend: 'dividend',
  fee: 'fee',
  split: 'split',
  deposit: 'deposit',
  withdrawal: 'withdraw',
  fx: 'fx',
};

/** As words behind a command: no blanks that would part them. */
const compact = (typed: string | undefined): string => (typed ?? '').replaceAll(/\s+/gu, '');

/** The whole request once more, as a command, with a code in the place of the name. */
export const recordCommand = (request: RecordRequest, code: string): string => {
  const flags = [
    ['total', request.total],
    ['currency', request.currency],
    ['date', request.date],
    ['fee', request.fee],
    ['tax', request.tax],
    ['rate', request.rate],
    ['in', request.portfolio],
  ] as const;
  return [
    '/portfolio',
    ACTIONS[request.kind],
    code,
    ...[request.quantity, request.price, request.amount, request.ratio].map(compact),
    ...[request.toAmount, request.toCurrency].map(compact),
    ...flags.map(([name, value]) => (compact(value) === '' ? '' : `--${name}=${compact(value)}`)),
    request.note === undefined ? '' : `--note="${request.note.replaceAll('"', "'")}"`,
    request.isSure ? '--yes' : '',
  ]
    .filter((word) => word !== '')
    .join(' ');
};
