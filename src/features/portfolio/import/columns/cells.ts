import { type Currency, Decimal } from '#src/kernel/money.ts';
import { readAmount } from '#src/reading/amounts.ts';
import { dateAt, type DateOrder } from '#src/reading/dates.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

/** Schwab writes `11/16/2026 as of 11/13/2026`; the second date counts. */
const AS_OF = /^.* as of (?=\d)/iu;

const DAY_SHAPE =
  /^(?:\d{4}\s?[-./년]\s?\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2}|(?:19|20)\d{6}(?!\d)|[A-Z][a-z]{2,8} \d{1,2}, \d{4})/u;

const written = (cell: string): string => cell.normalize('NFKC').trim().replace(AS_OF, '');

/** Whether a cell has the shape of a date, which tells the lines of a record apart. */
export const looksLikeDate = (cell: string): boolean => DAY_SHAPE.test(written(cell));

/** Spreadsheet programs count days from this date. */
const FIRST_DAY = Temporal.PlainDate.from('1899-12-30');
const SERIAL = /^[2-6]\d{4}(?:\.\d{1,12})?$/u;

/** Whether a cell is a date as spreadsheet programs count it. */
export const isSerial = (cell: string): boolean => SERIAL.test(cell.trim());

/** Reads a date with its year and ignores a time after it. Undefined if the cell is not a date. */
export const dateIn = (
  cell: string,
  order: DateOrder,
  hasSerialDates = false,
): Temporal.PlainDate | undefined => {
  if (hasSerialDates && isSerial(cell)) return FIRST_DAY.add({ days: Math.floor(Number(cell)) });
  const found = dateAt(written(cell), 0, { order, allowsCompact: true })?.value;
  return found?.status === 'date' && found.said === 'full' ? found.first : undefined;
};

const TIME = /(?<!\d)(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d))?/u;
const COMPACT_TIME = /(?:^|;)(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d)(?<second>[0-5]\d)$/u;
const AFTERNOON = /오후|\bpm\b/iu;
const MORNING = /오전|\bam\b/iu;

/** Reads the time of day, alone or after a date: `10:30:01`, `오후 3:20`, `20260302;103000`. */
export const timeIn = (cell: string): Temporal.PlainTime | undefined => {
  const text = cell.normalize('NFKC').slice(0, 60);
  const { hour, minute, second } = (TIME.exec(text) ?? COMPACT_TIME.exec(text))?.groups ?? {};
  if (hour === undefined || minute === undefined) return undefined;
  const half = Number(hour) % 12;
  const reported = AFTERNOON.test(text) ? half + 12 : MORNING.test(text) ? half : Number(hour);
  return new Temporal.PlainTime(reported, Number(minute), Number(second ?? 0));
};

const ZONED =
  /(?<!\d)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)? ?(?:[ap]m )?(?:(?<utc>z)|\(?(?<zone>[+-]\d{2}:?\d{2}|(?:utc|gmt)[+-]\d{1,2}|[a-z]{2,4})\)?)(?![\p{L}\d:])/iu;

/** Reads the time zone after a time: `14:31:00.000Z`, `09:31:00+09:00`, `09:31 EST`. */
export const zoneIn = (cell: string): string | undefined => {
  const { utc, zone } = ZONED.exec(cell.normalize('NFKC').slice(0, 60))?.groups ?? {};
  return utc === undefined ? resolveTimeZone(zone ?? '') : 'UTC';
};

const ORDERS: readonly DateOrder[] = ['month-first', 'day-first', 'year-first'];

/** The possible dates by order; empty if the order does not matter. */
const choicesIn = (cell: string): ReadonlyMap<DateOrder, Temporal.PlainDate> => {
  const found = dateAt(written(cell), 0, { allowsCompact: true });
  return new Map(
    (found ? [found.value, ...found.alternatives] : []).flatMap((value) =>
      value.status === 'date' ? (value.orders ?? []).map((order) => [order, value.first] as const) : [],
    ),
  );
};

const WITH_POINTS = /^\d{1,2}\.\d{1,2}\.\d{2}/u;

/**
 * Infers the order from all dates of a file. Undefined if it stays unclear or the dates contradict each other. With
 * `isContinental`, decimals have a comma, and dates with points begin with the day.
 */
export const dateOrderOf = (
  cells: readonly string[],
  isAmerican: boolean,
  isContinental = false,
): DateOrder | undefined => {
  const unclear = [...new Set(cells)].filter((cell) => choicesIn(cell).size > 0);
  const choices = unclear.map(choicesIn);
  const possible = ORDERS.filter((order) => choices.every((choice) => choice.has(order)));
  const [first, ...others] = possible;
  if (first === undefined || others.length === 0 || isAmerican) return first;
  const isDayFirst = isContinental && unclear.every((cell) => WITH_POINTS.test(written(cell)));
  if (isDayFirst && possible.includes('day-first')) return 'day-first';
  const daysIn = (order: DateOrder): readonly string[] =>
    choices.map((choice) => choice.get(order)?.toString() ?? '');
  // All orders give the same days, as for `03/03/2026`.
  if (others.every((order) => daysIn(order).join() === daysIn(first).join())) return first;
  // The trades of a file lie in few years: `26.03.02` and `26.04.15` are of 2026, not of 2002 and 2015.
  const years = (order: DateOrder): number => new Set(daysIn(order).map((day) => day.slice(0, 4))).size;
  const fewest = Math.min(...possible.map(years));
  const [likeliest, ...asLikely] = possible.filter((order) => years(order) === fewest);
  return asLikely.length === 0 ? likeliest : undefined;
};

export const ZERO = new Decimal(0);

export interface CellNumber {
  readonly value: Decimal;
  /** The currency of the sign beside the number. */
  readonly currency: Currency | undefined;
}

/** `1.234,50` or `180,5`, where the comma must be the decimal separator. */
const COMMA_DECIMALS = /^\D{0,5}(?:\d{1,3}(?:\.\d{3})+|\d{1,15}),(?:\d{1,2}|\d{4,18})\D{0,5}$/u;
/** `1,234.50` or `180.5`, where the point must be the decimal separator. */
const POINT_DECIMALS = /^\D{0,5}(?:\d{1,3}(?:,\d{3})+|\d{1,15})\.(?:\d{1,2}|\d{4,18})\D{0,5}$/u;

/** How the numbers of a table are written. */
export type Decimals = 'point' | 'comma' | 'mixed';

/** Blanks and apostrophes group digits in France and Switzerland: `1 000,00`, `1'000.00`. */
const GROUP_MARK = /(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))/gu;
const ungrouped = (cell: string): string => cell.replaceAll(GROUP_MARK, '');

/** All numbers decide, because `1.000` alone is ambiguous. */
export const decimalsOf = (cells: readonly string[]): Decimals => {
  const plain = cells.map(ungrouped);
  if (!plain.some((cell) => COMMA_DECIMALS.test(cell))) return 'point';
  return plain.some((cell) => POINT_DECIMALS.test(cell)) ? 'mixed' : 'comma';
};

const EITHER = /^\D{0,5}\d{1,3}[.,]\d{3}\D{0,5}$/u;

/** Turns `1.234,50` into `1234.50`. Undefined if the table leaves the cell ambiguous. */
export const withPoint = (typed: string, decimals: Decimals): string | undefined => {
  const cell = ungrouped(typed);
  if (decimals === 'mixed' && EITHER.test(cell)) return undefined;
  return decimals === 'comma' ? cell.replaceAll('.', '').replace(',', '.') : cell;
};

/** The absolute value, or undefined for zero. */
export const nonZero = (number: CellNumber | undefined): Decimal | undefined =>
  number?.value.isZero() ? undefined : number?.value.abs();

/** The value of a cell. Undefined if it is not a number. */
export const valueIn = (cell: string): Decimal | undefined => {
  const number = numberIn(cell);
  return typeof number === 'string' ? undefined : number.value;
};

const NOTHING = /^(?:|[-–—]+|n\/?a|null|none)$/iu;

/**
 * Reads `1,234.50`, `(1,234.50)`, `$1,234.50`, `₩71,000` or `500-`. `none` for an empty cell or a dash. `wrong` for
 * anything else; `1,5` and `1.234,50` are not guessed at.
 */
export const numberIn = (cell: string): CellNumber | 'none' | 'wrong' => {
  const whole = cell.normalize('NFKC').trim();
  if (NOTHING.test(whole)) return 'none';
  // Some brokers pad numbers with zeros, which the reader of sentences takes for a code.
  const { value, unit, currency } = readAmount(whole.replace(/^0+(?=\d)/u, ''))?.value ?? {};
  const isCounted = unit === 'none' || unit === 'money' || unit === 'pieces';
  return value && isCounted ? { value, currency } : 'wrong';
};
