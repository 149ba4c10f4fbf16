import type { Locale } from '#src/kernel/locale.ts';
import { taxMessages } from '../messages/tax.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { joinInSteps, mapInSteps, type Steps } from '#src/platform/cooperative-tasks.ts';
import { BYTE_ORDER_MARK, csvLine } from '../import/csv.ts';
import type { ForeignSale, KoreanReport } from './korean-report.ts';
import type { TermReport } from './term-report.ts';

type Cell = string | Decimal;

/**
 * The decimals written, for numbers such as a third. Far below the smallest unit of any currency, so sums stay the
 * same.
 */
const DECIMALS = 8;
const written = (value: Decimal): Decimal => value.toDecimalPlaces(DECIMALS);

/** Text is never a formula. Numbers stay numbers, even negative ones, so that spreadsheets can add them. */
const tableLine = (cells: readonly Cell[]): string =>
  `${cells.map((cell) => (typeof cell === 'string' ? csvLine([cell]).trimEnd() : cell.toFixed())).join(',')}\r\n`;

const foreignRow = (sale: ForeignSale, isSample: boolean, locale: Locale): readonly Cell[] => {
  const t = taxMessages(locale);
  const { instrument, acquired, local, won, rate } = sale;
  const notes = [...(sale.isProvisional ? [t.provisionalMark] : []), ...(isSample ? [t.sampleMark] : [])];
  return [
    sale.portfolio,
    instrument.name[locale],
    instrument.ticker,
    written(sale.quantity),
    acquired.first.toString(),
    acquired.last.toString(),
    sale.sold.toString(),
    sale.settled.toString(),
    instrument.currency,
    written(local.proceeds),
    written(local.cost),
    written(local.charges),
    rate.rate.toDecimalPlaces(6),
    rate.day.toString(),
    won.proceeds,
    won.cost,
    won.charges,
    won.gain,
    notes.join(', '),
  ];
};

/**
 * Every sale of foreign shares. Gains in won add up to that of the answer. All rows are marked as sample data, because
 * a sample rate may affect the cost of any of them.
 */
export const koreanCsv = function* ({ sales, hasSampleRates }: KoreanReport, locale: Locale): Steps<string> {
  const { columns } = taxMessages(locale);
  const head = csvLine([
    columns.portfolio,
    columns.name,
    columns.symbol,
    columns.quantity,
    columns.acquiredFirst,
    columns.acquiredLast,
    columns.sold,
    columns.settled,
    columns.currency,
    columns.proceeds,
    columns.cost,
    columns.charges,
    columns.rate,
    columns.rateDay,
    columns.wonProceeds,
    columns.wonCost,
    columns.wonCharges,
    columns.wonGain,
    columns.note,
  ]);
  const lines = yield* mapInSteps(sales, (sale) => tableLine(foreignRow(sale, hasSampleRates, locale)));
  return yield* joinInSteps([BYTE_ORDER_MARK, head, ...lines]);
};

/** Every sold lot with its holding period. `isSample`: some numbers are sample data. */
export const termCsv = function* (
  { sales, currency }: TermReport,
  isSample: boolean,
  locale: Locale,
): Steps<string> {
  const { columns, terms, sampleMark } = taxMessages(locale);
  const head = csvLine([
    columns.name,
    columns.symbol,
    columns.quantity,
    columns.acquiredFirst,
    columns.sold,
    columns.term,
    columns.currency,
    columns.proceeds,
    columns.cost,
    columns.baseProceeds({ currency }),
    columns.baseCost({ currency }),
    columns.baseGain({ currency }),
    columns.note,
  ]);
  const lines = yield* mapInSteps(sales, ({ instrument, quantity, acquired, sold, term, local, base }) => {
    const [proceeds, cost] = [written(base.proceeds), written(base.cost)];
    return tableLine([
      instrument.name[locale],
      instrument.ticker,
      written(quantity),
      acquired.toString(),
      sold.toString(),
      terms[term],
      instrument.currency,
      written(local.proceeds),
      written(local.cost),
      proceeds,
      cost,
      proceeds.minus(cost),
      isSample ? sampleMark : '',
    ]);
  });
  return yield* joinInSteps([BYTE_ORDER_MARK, head, ...lines]);
};
