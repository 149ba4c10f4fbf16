import type { AlertRecord } from '#src/kernel/alert.ts';
import type { PriceRange, Quote } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { AlertMemory } from './alert-memory.ts';
import { isUsualMove } from './usual-moves.ts';
import type { CurrentPrice } from './trading-window.ts';

/** The range of the day as one look sees it. A side that was never traded, or is not known, is absent. */
export interface DayRange extends Partial<PriceRange> {
  /** As of when, and when it was looked at: sources are delayed. */
  readonly at: Timestamp;
  readonly lookedAt: Timestamp;
  /** From when on prices are in it; undefined where nobody knows. */
  readonly opensAt: Timestamp | undefined;
  /** When it was last looked at on the same day. */
  readonly lastAt: Timestamp | undefined;
}

/** Where a condition begins to hold: at or above, at or below. */
export interface Levels {
  readonly up?: Decimal;
  readonly down?: Decimal;
}

/** A level that was reached between two looks. */
export interface Reached {
  readonly side: keyof PriceRange;
  readonly value: Decimal;
  readonly from: Timestamp | undefined;
  readonly to: Timestamp;
}

type Past = Pick<AlertRecord, 'createdAt' | 'lastFiredAt' | 'snoozedUntil'>;

/**
 * The day's range, without a side that is too far from the price and from the close before: one wrong trade stays in
 * it for all of the day. A range that the price is not in is of another day.
 */
export const dayRangeOf = (
  { dayRange, instrument: { assetClass } }: Quote,
  { price, at, dayBase }: CurrentPrice,
  times: Pick<DayRange, 'lookedAt' | 'opensAt' | 'lastAt'>,
): DayRange | undefined => {
  if (!dayRange || price.lessThan(dayRange.low) || price.greaterThan(dayRange.high)) return undefined;
  const { low, high } = dayRange;
  const wasTraded = (value: Decimal): boolean =>
    [price, dayBase ?? price].some((near) => isUsualMove(assetClass, value, near, 'range'));
  return { ...times, at, ...(wasTraded(low) && { low }), ...(wasTraded(high) && { high }) };
};

export const isPast = ({ up, down }: Levels, { low, high }: Partial<PriceRange>): boolean =>
  (up !== undefined && high !== undefined && high.greaterThanOrEqualTo(up)) ||
  (down !== undefined && low !== undefined && low.lessThanOrEqualTo(down));

const latest = (...moments: readonly (Timestamp | undefined)[]): Timestamp | undefined =>
  moments
    .filter((moment) => moment !== undefined)
    .toSorted((a, b) => Temporal.Instant.compare(a, b))
    .at(-1);

const isBefore = (a: Timestamp, b: Timestamp | undefined): boolean =>
  b !== undefined && Temporal.Instant.compare(a, b) < 0;

interface Counted extends PriceRange {
  readonly at: Timestamp;
}

/** What counts no more; undefined where there is nothing, or the alert was told or put off since. */
const countedIn = ({ range }: AlertMemory, { snoozedUntil, lastFiredAt }: Past): Counted | undefined => {
  if (!range) return undefined;
  const [at, low, high] = range;
  const counted = { at: Temporal.Instant.from(at), low: new Decimal(low), high: new Decimal(high) };
  return isBefore(counted.at, snoozedUntil) || isBefore(counted.at, lastFiredAt) ? undefined : counted;
};

/** The part of the range that came after the last look, after the alert was set, told or put off; `'unknown'` for none. */
const newPart = (day: DayRange, memory: AlertMemory, past: Past): Partial<PriceRange> | 'unknown' => {
  const { low, high, opensAt } = day;
  const counted = countedIn(memory, past);
  const begin = counted?.at ?? latest(past.createdAt, past.lastFiredAt, past.snoozedUntil);
  if (opensAt && begin && !isBefore(opensAt, begin)) return day;
  if (!counted) return 'unknown';
  // A range only grows in a day: where it did not, it began anew.
  const isAnew = high?.lessThan(counted.high) || low?.greaterThan(counted.low);
  if (isAnew) return day;
  return {
    ...(low?.lessThan(counted.low) && { low }),
    ...(high?.greaterThan(counted.high) && { high }),
  };
};

const asMemory = (
  { lookedAt, low, high }: Pick<DayRange, 'lookedAt' | 'low' | 'high'>,
  price: Decimal,
): NonNullable<AlertMemory['range']> => [
  lookedAt.toString(),
  (low ?? price).toFixed(),
  (high ?? price).toFixed(),
];

/** What counts when an alert is set: nothing of the day so far. */
export const firstRange = ({ dayRange, price }: Quote, now: Timestamp): AlertMemory['range'] =>
  dayRange && asMemory({ ...dayRange, lookedAt: now }, price);

/**
 * Whether a level was reached since the last look and left again, and what counts no more from now on. `range` is
 * renewed only where it has to be: thousands of alerts are looked at every minute.
 */
export const rangeFinding = (
  levels: Levels,
  day: DayRange | undefined,
  price: Decimal,
  memory: AlertMemory,
  past: Past,
): { readonly reached?: Reached; readonly range: AlertMemory['range'] } => {
  if (!day) return { range: memory.range };
  const part = newPart(day, memory, past);
  if (part === 'unknown') return { range: asMemory(day, price) };
  if (!isPast(levels, part)) return { range: memory.range };
  const bounds = [day.opensAt, countedIn(memory, past)?.at, past.createdAt, day.lastAt];
  const from = latest(...bounds.filter((bound) => bound && isBefore(bound, day.at)));
  const isUp = isPast({ ...(levels.up && { up: levels.up }) }, part);
  const value = isUp ? part.high : part.low;
  return {
    range: asMemory(day, price),
    ...(value && { reached: { side: isUp ? 'high' : 'low', value, from, to: day.at } }),
  };
};
