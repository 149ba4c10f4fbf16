import type { Locale } from '#src/kernel/locale.ts';
import type { Transaction } from '#src/kernel/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { joinInSteps, mapInSteps, type Steps } from '#src/platform/steps.ts';
import { BYTE_ORDER_MARK, csvLine } from './write-csv.ts';

/** The names that `tables/headings.ts` knows for each: what is written here is read there. */
const COLUMNS = [
  'number',
  'date',
  'time',
  'kind',
  'symbol',
  'name',
  'quantity',
  'price',
  'amount',
  'currency',
  'fee',
  'tax',
  'ratio',
  'to_amount',
  'to_currency',
  'rate',
  'to_rate',
  'base_currency',
  'note',
  'status',
] as const;
type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

const ownCells = (entry: Transaction): Row => {
  switch (entry.kind) {
    case 'buy':
    case 'sell':
    case 'rights':
      return {
        quantity: entry.quantity.toFixed(),
        price: entry.price.toFixed(),
        fee: entry.fee.toFixed(),
        tax: entry.tax.toFixed(),
      };
    case 'dividend':
    case 'interest':
      return { amount: entry.amount.toFixed(), tax: entry.tax.toFixed() };
    case 'cash-in-lieu':
      return { amount: entry.amount.toFixed(), quantity: entry.quantity?.toFixed() ?? '' };
    case 'split':
      return { ratio: entry.ratio.toFixed() };
    case 'fee':
    case 'deposit':
    case 'withdrawal':
    case 'tax':
      return { amount: entry.amount.toFixed() };
    case 'fx':
      return {
        amount: entry.amount.toFixed(),
        to_amount: entry.toAmount.toFixed(),
        to_currency: entry.toCurrency,
        to_rate: entry.toRate?.toFixed() ?? '',
      };
  }
  return entry satisfies never;
};

const rowOf = (entry: Transaction, baseCurrency: Currency, locale: Locale): Row => ({
  ...ownCells(entry),
  number: String(entry.number),
  date: entry.date.toString(),
  time: entry.time?.toString() ?? '',
  kind: entry.kind === 'tax' && entry.isRefund ? 'tax-refund' : entry.kind,
  ...('instrument' in entry && { symbol: entry.instrument.symbol, name: entry.instrument.name[locale] }),
  currency: entry.currency,
  rate: entry.rate?.toFixed() ?? '',
  base_currency: baseCurrency,
  note: entry.note ?? '',
  status: entry.isReversed ? 'reversed' : '',
});

/** A file outlives the answer that says what is sample data or provisional in it, and read again it would fix that rate. */
const withoutOpenRate = (entry: Transaction): Transaction => {
  if (entry.rateFrom !== 'sample' && entry.rateFrom !== 'provisional') return entry;
  const { rate: _rate, ...rest } = entry;
  if (rest.kind !== 'fx') return rest;
  const { toRate: _toRate, ...exchange } = rest;
  return exchange;
};

/** A whole ledger as a table that spreadsheet programs open, and that `/portfolio import` reads again. */
export const ledgerCsv = function* (
  transactions: readonly Transaction[],
  baseCurrency: Currency,
  locale: Locale,
): Steps<string> {
  const lines = yield* mapInSteps(transactions, (entry) => {
    const row = rowOf(withoutOpenRate(entry), baseCurrency, locale);
    return csvLine(COLUMNS.map((column) => row[column] ?? ''));
  });
  return yield* joinInSteps([BYTE_ORDER_MARK, csvLine(COLUMNS), ...lines]);
};
