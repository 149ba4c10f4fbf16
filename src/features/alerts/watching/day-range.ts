import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { PriceRange, Quote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { AlertMemory } from './alert-memory.ts';
import { isUsualMove } from './usual-moves.ts';
import type { CurrentPrice } from './trading-window.ts';

/** The range of the day in one evaluation. A side that was never traded, or is unknown, is absent. */
export interface DayRange extends Partial<PriceRange> {
  /** The time of the price. Sources are delayed, so it is before `observedAt`. */
  readonly at: Timestamp;
  readonly observedAt: Timestamp;
  /** When the range began; undefined if that is unknown. */
  readonly opensAt: Timestamp | undefined;
  /** The last evaluation on the same day. */
  readonly lastAt: Timestamp | undefined;
}

/** A condition holds at or above `up`, or at or below `down`. */
export interface Levels {
  readonly up?: Decimal;
  readonly down?: Decimal;
}

/** A level that was reached between two evaluations. */
export interface Reached {
  readonly side: keyof PriceRange;
  readonly value: Decimal;
  readonly from: Timestamp | undefined;
  readonly to: Timestamp;
}

type Past = Pick<AlertRecord, 'createdAt' | 'lastFiredAt' | 'snoozedUntil'>;

/**
 * The day's range, without a side that is too far from both the price and the previous close: a wrong trade stays in the
 * range all day. A range without the price in it is from another day.
 */
export const dayRangeOf = (
  { dayRange, instrument: { assetClass } }: Quote,
  { price, at, dayBase }: CurrentPrice,
  times: Pick<DayRange, 'observedAt' | 'opensAt' | 'lastAt'>,
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

/** The range that was evaluated already; undefined if there is none, or the alert fired or was snoozed since. */
const countedIn = ({ range }: AlertMemory, { snoozedUntil, lastFiredAt }: Past): Counted | undefined => {
  if (!range) return undefined;
  const [at, low, high] = range;
  const counted = { at: Temporal.Instant.from(at), low: new Decimal(low), high: new Decimal(high) };
  return isBefore(counted.at, snoozedUntil) || isBefore(counted.at, lastFiredAt) ? undefined : counted;
};

/** The part of the range since the last evaluation, or since the alert was set, fired or snoozed. */
const newPart = (day: DayRange, memory: AlertMemory, past: Past): Partial<PriceRange> | 'unknown' => {
  const { low, high, opensAt } = day;
  const counted = countedIn(memory, past);
  const begin = counted?.at ?? latest(past.createdAt, past.lastFiredAt, past.snoozedUntil);
  if (opensAt && begin && !isBefore(opensAt, begin)) return day;
  if (!counted) return 'unknown';
  // A day's range only grows. A smaller one belongs to a new day.
  const isAnew = high?.lessThan(counted.high) || low?.greaterThan(counted.low);
  if (isAnew) return day;
  return {
    ...(low?.lessThan(counted.low) && { low }),
    ...(high?.greaterThan(counted.high) && { high }),
  };
};

const asMemory = (
  { observedAt, low, high }: Pick<DayRange, 'observedAt' | 'low' | 'high'>,
  price: Decimal,
): NonNullable<AlertMemory['range']> => [
  observedAt.toString(),
  (low ?? price).toFixed(),
  (high ?? price).toFixed(),
];

/** The day's range when an alert is set does not count for it. */
export const firstRange = ({ dayRange, price }: Quote, now: Timestamp): AlertMemory['range'] =>
  dayRange && asMemory({ ...dayRange, observedAt: now }, price);

/**
 * Whether a level was reached since the last evaluation and left again, and the range that counts as evaluated from now on.
 * `range` changes only where it has to, because thousands of alerts are evaluated every minute.
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
