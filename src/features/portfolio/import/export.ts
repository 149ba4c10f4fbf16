import type { Locale } from '#src/kernel/locale.ts';
import {
  isOpening,
  isShareExchange,
  isShareTransfer,
  isTransfer,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import { type Currency, formatCount } from '#src/kernel/money.ts';
import { byTime, joinInSteps, mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import type { WriteExport } from '#src/platform/storage/export-file.ts';
import type { Uses } from '#src/platform/services.ts';
import type { PortfolioStore } from '../store/store.ts';
import type { EntryNumbers } from './entry-content.ts';
import { BYTE_ORDER_MARK, csvAttachment, csvLine } from '../csv.ts';
import { importTexts } from '../texts/import.ts';
import { gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { dismissedSplitLines, historyOffers } from '../corporate-actions/offers.ts';
import { lotsText } from '../ledger/moved-lots.ts';
import type { FilledRates } from '../rates/rated-portfolios.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { rateNotes } from '../rates/rate-text.ts';
import type { InPortfolio } from '../requests.ts';

/** Column names that `tables/column-headings.ts` reads back. */
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
  'to_symbol',
  'to_quantity',
  'cost_percent',
  'other_portfolio',
  'lots',
] as const;
type Row = Partial<Record<(typeof COLUMNS)[number], string | undefined>>;

const kindOf = (entry: Transaction): string => {
  if (entry.kind === 'tax' && entry.isRefund) return 'tax-refund';
  // `transfer` means money in the files of brokers.
  if (isTransfer(entry)) return entry.kind === 'transfer-in' ? 'moved-in' : 'moved-out';
  return isOpening(entry) ? 'opening' : entry.kind;
};

const rowOf = (entry: Transaction, baseCurrency: Currency, locale: Locale): Row => {
  const numbers: EntryNumbers = entry;
  return {
    number: String(entry.number),
    date: entry.date.toString(),
    time: entry.time?.toString(),
    kind: kindOf(entry),
    ...('instrument' in entry && { symbol: entry.instrument.symbol, name: entry.instrument.name[locale] }),
    quantity: numbers.quantity?.toFixed(),
    price: numbers.price?.toFixed(),
    amount: numbers.amount?.toFixed(),
    currency: entry.currency,
    fee: numbers.fee?.toFixed(),
    tax: numbers.tax?.toFixed(),
    ratio: numbers.ratio?.toFixed(),
    to_amount: numbers.toAmount?.toFixed(),
    ...(entry.kind === 'fx' && { to_currency: entry.toCurrency }),
    ...(isShareExchange(entry) && {
      to_symbol: entry.toInstrument.symbol,
      to_quantity: entry.toQuantity.toFixed(),
      cost_percent: entry.percent?.toFixed(),
    }),
    ...(isTransfer(entry) && { other_portfolio: entry.otherName }),
    ...(isShareTransfer(entry) && { lots: lotsText(entry.lots) }),
    rate: numbers.rate?.toFixed(),
    to_rate: numbers.toRate?.toFixed(),
    base_currency: baseCurrency,
    note: entry.note,
    status: entry.isReversed ? 'reversed' : '',
  };
};

/**
 * Drops sample and provisional rates: a file outlives the answer that marks them, and importing it would make them
 * final.
 */
const withoutOpenRate = (entry: Transaction): Transaction => {
  if (entry.rateFrom !== 'sample' && entry.rateFrom !== 'provisional') return entry;
  const { rate: _rate, ...rest } = entry;
  if (rest.kind !== 'fx') return rest;
  const { toRate: _toRate, ...exchange } = rest;
  return exchange;
};

/** The whole ledger as a table that spreadsheets open and `/portfolio import` reads back. */
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

interface ExportDeps extends GatherDeps, PickDeps, Uses<'symbols.resolve'> {
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'dismissed'> & FilledRates;
  readonly writeExport: WriteExport;
}

/** Characters that a file name must not contain. */
const UNFIT = /[^\p{L}\p{N}_-]+/gu;

/** Sends the whole ledger as a file, in direct chats only, because a file outlives its message. */
export const exportAnswer =
  (deps: ExportDeps): AccountQuery<InPortfolio> =>
  async ({ portfolio: named }, requester, signal) => {
    const { store, writeExport, clock, symbols } = deps;
    const { locale, timeZone } = requester;
    const t = importTexts(locale).export;
    if (!requester.isDirect) return refusedAnswer(t.directOnly());
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, locale);
    const { id, name, baseCurrency } = picked.portfolio;
    const transactions = await store.transactions(picked.ownerId, id, signal);
    if (transactions.length === 0) return refusedAnswer(t.nothing({ name }));
    const today = clock.now().toZonedDateTimeISO(timeZone).toPlainDate().toString();
    const csv = await byTime(ledgerCsv(transactions, baseCurrency, locale), signal);
    const file = await csvAttachment(
      writeExport,
      { kind: 'portfolio', subject: `${picked.ownerId}\0${id}` },
      `${name.replaceAll(UNFIT, '-')}-${today}.csv`,
      csv,
    );
    const entries = transactions.filter(({ isReversed }) => !isReversed);
    const reversed = transactions.length - entries.length;
    // The summary counts unrecorded splits too, which are not in the file.
    const context = { portfolio: picked.portfolio, audience: requester, symbols };
    const found = await gatherActions({ portfolio: picked.portfolio, entries }, deps, signal);
    const offers = historyOffers(found, context);
    return {
      content: [
        t.done({
          name,
          count: formatCount(transactions.length, locale),
          reversed: reversed === 0 ? '' : formatCount(reversed, locale),
        }),
        ...offers.lines,
        ...dismissedSplitLines(found, context),
        ...rateNotes(transactions, store.takeFilled?.(id), baseCurrency, locale),
      ].join('\n'),
      facts: [],
      found: 1,
      media: [file],
      ...(offers.choices.length > 0 && { choices: offers.choices }),
      ...(offers.typed !== undefined && { typed: offers.typed }),
    };
  };
