import type { Locale } from '#src/kernel/locale.ts';
import { taxTexts } from '../texts/tax.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { joinInSteps, mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv.ts';
import type { KoreanReport } from './korean-report.ts';
import type { TermReport } from './term-report.ts';

/** Text is never a formula. Numbers stay numbers, even negative ones, so that spreadsheets can add them. */
const cellText = (cell: string | Decimal): string =>
  typeof cell === 'string' ? csvLine([cell]).trimEnd() : cell.toFixed();

type Column<Row> = readonly [heading: string, cell: (row: Row) => string | Decimal];

const table = function* <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Steps<string> {
  const head = csvLine(columns.map(([heading]) => heading));
  const lines = yield* mapInSteps(
    rows,
    (row) => `${columns.map(([, cell]) => cellText(cell(row))).join(',')}\r\n`,
  );
  return yield* joinInSteps([BYTE_ORDER_MARK, head, ...lines]);
};

/**
 * The decimals written, for numbers such as a third. Far below the smallest unit of any currency, so sums stay the
 * same.
 */
const DECIMALS = 8;
const written = (value: Decimal): Decimal => value.toDecimalPlaces(DECIMALS);

/**
 * Every sale of foreign shares. Gains in won add up to that of the answer. All rows are marked as sample data, because
 * a sample rate may affect the cost of any of them.
 */
export const koreanCsv = ({ sales, hasSampleRates }: KoreanReport, locale: Locale): Steps<string> => {
  const { columns: c, provisionalMark, sampleMark } = taxTexts(locale);
  return table(
    [
      [c.portfolio, ({ portfolio }) => portfolio],
      [c.name, ({ instrument }) => instrument.name[locale]],
      [c.symbol, ({ instrument }) => instrument.ticker],
      [c.quantity, ({ quantity }) => written(quantity)],
      [c.acquiredFirst, ({ acquired }) => acquired.first.toString()],
      [c.acquiredLast, ({ acquired }) => acquired.last.toString()],
      [c.sold, ({ sold }) => sold.toString()],
      [c.settled, ({ settled }) => settled.toString()],
      [c.currency, ({ instrument }) => instrument.currency],
      [c.proceeds, ({ local }) => written(local.proceeds)],
      [c.cost, ({ local }) => written(local.cost)],
      [c.charges, ({ local }) => written(local.charges)],
      [c.rate, ({ rate }) => rate.rate.toDecimalPlaces(6)],
      [c.rateDay, ({ rate }) => rate.day.toString()],
      [c.wonProceeds, ({ won }) => won.proceeds],
      [c.wonCost, ({ won }) => won.cost],
      [c.wonCharges, ({ won }) => won.charges],
      [c.wonGain, ({ won }) => won.gain],
      [
        c.note,
        ({ isProvisional }) =>
          [...(isProvisional ? [provisionalMark] : []), ...(hasSampleRates ? [sampleMark] : [])].join(', '),
      ],
    ],
    sales,
  );
};

/** Every sold lot with its holding period. `isSample`: some numbers are sample data. */
export const termCsv = (
  { sales, currency }: TermReport,
  isSample: boolean,
  locale: Locale,
): Steps<string> => {
  const { columns: c, terms, sampleMark } = taxTexts(locale);
  return table(
    [
      [c.name, ({ instrument }) => instrument.name[locale]],
      [c.symbol, ({ instrument }) => instrument.ticker],
      [c.quantity, ({ quantity }) => written(quantity)],
      [c.acquiredFirst, ({ acquired }) => acquired.toString()],
      [c.sold, ({ sold }) => sold.toString()],
      [c.term, ({ term }) => terms[term]],
      [c.currency, ({ instrument }) => instrument.currency],
      [c.proceeds, ({ local }) => written(local.proceeds)],
      [c.cost, ({ local }) => written(local.cost)],
      [c.baseProceeds({ currency }), ({ base }) => written(base.proceeds)],
      [c.baseCost({ currency }), ({ base }) => written(base.cost)],
      [c.baseGain({ currency }), ({ base }) => written(base.proceeds).minus(written(base.cost))],
      [c.note, () => (isSample ? sampleMark : '')],
    ],
    sales,
  );
};
