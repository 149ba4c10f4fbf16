import type { Currency, Decimal } from '#src/kernel/money.ts';
import { readAmount } from '#src/language/amounts.ts';
import { dateAt, type DateOrder } from '#src/language/dates.ts';
import { resolveTimeZone } from '#src/language/time-zone.ts';

/** Schwab: entered on the first day, but of the second. */
const AS_OF = /^.* as of (?=\d)/iu;

const DAY_SHAPE =
  /^(?:\d{4}\s?[-./년]\s?\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2}|(?:19|20)\d{6}(?!\d)|[A-Z][a-z]{2,8} \d{1,2}, \d{4})/u;

const written = (cell: string): string => cell.normalize('NFKC').trim().replace(AS_OF, '');

/** Whether a cell has the shape of a day: enough to tell the lines of a record apart. */
export const looksLikeDate = (cell: string): boolean => DAY_SHAPE.test(written(cell));

/** A spreadsheet program counts the days from here on. */
const FIRST_DAY = Temporal.PlainDate.from('1899-12-30');
const SERIAL = /^[2-6]\d{4}(?:\.\d{1,12})?$/u;

/** A day as a spreadsheet program counts it. */
export const isSerial = (cell: string): boolean => SERIAL.test(cell.trim());

const serialDay = (cell: string): Temporal.PlainDate | undefined =>
  isSerial(cell) ? FIRST_DAY.add({ days: Math.floor(Number(cell)) }) : undefined;

/** A day with its year; times behind it are left out. Undefined for what is none. */
export const dateIn = (
  cell: string,
  order: DateOrder,
  hasSerialDates = false,
): Temporal.PlainDate | undefined => {
  const serial = hasSerialDates ? serialDay(cell) : undefined;
  if (serial) return serial;
  const found = dateAt(written(cell), 0, { order, allowsCompact: true })?.value;
  return found?.status === 'date' && found.said === 'full' ? found.first : undefined;
};

const TIME = /(?<!\d)(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d))?/u;
const COMPACT_TIME = /(?:^|;)(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d)(?<second>[0-5]\d)$/u;
const AFTERNOON = /오후|\bpm\b/iu;
const MORNING = /오전|\bam\b/iu;

/** The time of day in a cell of its own or behind the day: `10:30:01`, `오후 3:20`, `20260302;103000`. */
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

/** The zone that is written behind a time: `14:31:00.000Z`, `09:31:00+09:00`, `09:31 EST`. */
export const zoneIn = (cell: string): string | undefined => {
  const { utc, zone } = ZONED.exec(cell.normalize('NFKC').slice(0, 60))?.groups ?? {};
  return utc === undefined ? resolveTimeZone(zone ?? '') : 'UTC';
};

const ORDERS: readonly DateOrder[] = ['month-first', 'day-first', 'year-first'];

/** By order, for a cell in which the order matters. */
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
 * By all dates of a file together. Undefined where they do not tell, or contradict each other. `isContinental`: decimals
 * have a comma; then dates with points begin with the day.
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
  // `03/03/2026` is the same either way.
  if (others.every((order) => daysIn(order).join() === daysIn(first).join())) return first;
  // `26.03.02`, `26.04.15`: the trades of a file lie in few years, the days of a month do not look like years.
  const years = (order: DateOrder): number => new Set(daysIn(order).map((day) => day.slice(0, 4))).size;
  const fewest = Math.min(...possible.map(years));
  const [likeliest, ...asLikely] = possible.filter((order) => years(order) === fewest);
  return asLikely.length === 0 ? likeliest : undefined;
};

export interface CellNumber {
  readonly value: Decimal;
  /** Where a sign of money stood beside it. */
  readonly currency: Currency | undefined;
}

/** `1.234,50`, `180,5`: only where commas part decimals. */
const COMMA_DECIMALS = /^\D{0,5}(?:\d{1,3}(?:\.\d{3})+|\d{1,15}),(?:\d{1,2}|\d{4,18})\D{0,5}$/u;
/** `1,234.50`, `180.5`: only where points do. */
const POINT_DECIMALS = /^\D{0,5}(?:\d{1,3}(?:,\d{3})+|\d{1,15})\.(?:\d{1,2}|\d{4,18})\D{0,5}$/u;

/** Whether numbers are written as in Germany, by all of a table together: `1.000` alone says nothing. */
export const hasCommaDecimals = (cells: readonly string[]): boolean =>
  cells.some((cell) => COMMA_DECIMALS.test(cell)) && !cells.some((cell) => POINT_DECIMALS.test(cell));

/** `1.234,50` as `1234.50`. */
export const withPoint = (cell: string): string => cell.replaceAll('.', '').replace(',', '.');

const NOTHING = /^(?:|[-–—]+|n\/?a|null|none)$/iu;

/**
 * `1,234.50`, `(1,234.50)`, `$1,234.50`, `₩71,000`, `500-`. `none` for an empty cell or a dash, `wrong` for what is no
 * number: `1,5` and `1.234,50` are not guessed at.
 */
export const numberIn = (cell: string): CellNumber | 'none' | 'wrong' => {
  const whole = cell.normalize('NFKC').trim();
  if (NOTHING.test(whole)) return 'none';
  // Some brokers pad their numbers with zeros; in a sentence such a number is a code.
  const { value, unit, currency } = readAmount(whole.replace(/^0+(?=\d)/u, ''))?.value ?? {};
  const isCounted = unit === 'none' || unit === 'money' || unit === 'pieces';
  return value && isCounted ? { value, currency } : 'wrong';
};
