import type { AlertCondition, AlertRecord, AlertSide } from '#src/kernel/people/alerts.ts';
import type { Quote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { type AlertMemory, memoryOf, writeMemory } from './alert-memory.ts';
import { type DayRange, isPast, type Levels, rangeFinding, type Reached } from './day-range.ts';
import { averageNow, type DailySeries, daysOver, rsiNow, usualVolume } from './daily-series.ts';
import { apart, differsLikeSplit } from '#src/markets/sources/split-doubt.ts';
import type { Confirmed } from './price-checks.ts';
import type { CurrentPrice } from './trading-window.ts';

/** The data of an instrument in one evaluation. */
export interface Observation {
  readonly quote: Quote;
  readonly regular: CurrentPrice | undefined;
  readonly extended: CurrentPrice | undefined;
  readonly daily: DailySeries | undefined;
  /** The range of the regular session; undefined if it is unknown, or from another day. */
  readonly day: DayRange | undefined;
  /** A price to remember; set once the splits up to its day are known. */
  readonly sight: NonNullable<AlertMemory['seen']> | undefined;
  /** The price had moved so far that it needed a second observation. */
  readonly confirmed?: Confirmed;
  /** The exchange's date of a price. Memoized, because all alerts on the instrument ask for it. */
  readonly dayAt: (at: Timestamp) => string;
  /** The number of days in `daily` before the day of that price. */
  readonly overAt: (at: Timestamp) => number;
}

const memoized = <T>(compute: (at: Timestamp) => T): ((at: Timestamp) => T) => {
  let known: { readonly at: Timestamp; readonly value: T } | undefined;
  return (at) => (known?.at === at ? known : (known = { at, value: compute(at) })).value;
};

export const observationOf = (
  quote: Quote,
  regular: CurrentPrice | undefined,
  extended: CurrentPrice | undefined,
  daily: DailySeries | undefined,
  more?: Pick<Observation, 'day' | 'sight' | 'confirmed'>,
): Observation => ({
  quote,
  regular,
  extended,
  daily,
  day: undefined,
  sight: undefined,
  ...more,
  dayAt: memoized((at) => dayOf(at, timeZoneOf(quote.instrument))),
  overAt: memoized((at) => (daily ? daysOver(daily, at) : 0)),
});

/** The parts of an alert that an evaluation needs. Only a split changes them. */
export type AlertTerms = Pick<
  AlertRecord,
  'instrument' | 'condition' | 'split' | 'isRepeating' | 'cooldownMinutes' | 'usesExtendedHours'
>;

type AlertState = Pick<AlertRecord, 'side' | 'memory' | 'lastFiredAt' | 'createdAt' | 'snoozedUntil'>;

/** `quiet`: nothing fires, but the state changed. `same`: nothing changed, or the condition cannot be evaluated. */
export type Outcome =
  | {
      readonly kind: 'fires';
      readonly memory: string;
      /** The condition was met between two evaluations, and is not met any more. */
      readonly reached?: Reached;
      readonly confirmed?: Confirmed;
    }
  | { readonly kind: 'quiet'; readonly side: AlertSide; readonly memory: string }
  | { readonly kind: 'same' };

interface Finding {
  readonly isMet: boolean;
  readonly memory: AlertMemory;
  /** The levels that the day's range is compared with. */
  readonly levels?: Levels;
  /** The condition was met by the day's range, not by the price. */
  readonly reached?: Reached;
}

const SAME: Outcome = { kind: 'same' };
const PRICE_KINDS: ReadonlySet<AlertCondition['kind']> = new Set([
  'above',
  'below',
  'crosses-above',
  'crosses-below',
  'change',
]);

/** Only conditions about the price itself are evaluated outside regular hours. */
export const countsExtendedHours = ({
  condition,
  usesExtendedHours,
}: Pick<AlertTerms, 'condition' | 'usesExtendedHours'>): boolean =>
  usesExtendedHours && PRICE_KINDS.has(condition.kind);

/** Whether a quote alone is not enough to evaluate the condition. */
export const needsHistory = ({ kind }: AlertCondition, quote: Quote | undefined): boolean =>
  kind === 'rsi' ||
  kind === 'ma-cross' ||
  kind === 'volume' ||
  ((kind === 'year-high' || kind === 'year-low') && quote !== undefined && !quote.yearRange);

const PERCENT = 100;

const changeLevels = (
  { percent, direction }: Extract<AlertCondition, { readonly kind: 'change' }>,
  base: Decimal,
): Levels => ({
  ...(direction !== 'down' && { up: base.times(percent.plus(PERCENT)).dividedBy(PERCENT) }),
  ...(direction !== 'up' && { down: base.times(percent.negated().plus(PERCENT)).dividedBy(PERCENT) }),
});

/** For this long after a split, a source may give the range of the year unadjusted. */
const UNADJUSTED_DAYS = 10;
const SAME_NUMBER = 0.02;

/** Whether the source has adjusted the range of the year to the last split. */
const isAdjusted = (
  year: Decimal,
  known: Decimal | undefined,
  split: AlertTerms['split'],
  day: string,
): boolean => {
  if (!split || !known) return true;
  const days = Temporal.PlainDate.from(split.date).until(Temporal.PlainDate.from(day)).days;
  return days > UNADJUSTED_DAYS || apart(year, known.times(split.ratio)) > SAME_NUMBER;
};

/**
 * A new high is above the highest price so far and above the range of the source. A high between two evaluations counts
 * if the source dates it today: a range also changes when its oldest days drop out.
 */
const evaluateYear = (
  isHigh: boolean,
  { quote, daily, day, dayAt }: Observation,
  { price, at }: CurrentPrice,
  memory: AlertMemory,
  split: AlertTerms['split'],
): Finding | undefined => {
  const [name, further] = isHigh
    ? (['high', (a: Decimal, b: Decimal) => a.greaterThan(b)] as const)
    : (['low', (a: Decimal, b: Decimal) => a.lessThan(b)] as const);
  const furthest = (a: Decimal, b: Decimal): Decimal => (further(b, a) ? b : a);
  const known = memory.extreme === undefined ? undefined : new Decimal(memory.extreme);
  const given = quote.yearRange?.[name] ?? (daily && new Decimal(daily[name]));
  // A wrong trade of today is also in the range of the year.
  const isWrong =
    quote.dayRange !== undefined && day?.[name] === undefined && given?.equals(quote.dayRange[name]);
  const year = given && !isWrong && isAdjusted(given, known, split, dayAt(at)) ? given : undefined;
  const today = day?.[name];
  if (!year && !known) return undefined;
  const isOfToday = today !== undefined && year !== undefined && !further(year, today);
  const value = isOfToday ? furthest(price, today) : price;
  const extreme = furthest(year ?? known ?? price, value).toFixed();
  const isMet = known !== undefined && further(value, known) && !(year && further(year, value));
  const isOver = isMet && day && further(value, price);
  const reached = isOver ? { side: name, value, from: day.lastAt ?? day.opensAt, to: day.at } : undefined;
  return { isMet, memory: { extreme }, ...(reached && { reached }) };
};

const plain = (isMet: boolean): Finding => ({ isMet, memory: {} });

const byLevels = (levels: Levels, price: Decimal): Finding => ({
  ...plain(isPast(levels, { low: price, high: price })),
  levels,
});

/** Evaluates a condition at this moment; undefined if the data is missing. */
const findingOf = (
  { condition, split }: AlertTerms,
  seen: Observation,
  current: CurrentPrice,
  memory: AlertMemory,
): Finding | undefined => {
  const { daily, quote } = seen;
  const { price, at, dayBase } = current;
  const onDay = (isMet: boolean): Finding => ({
    isMet,
    memory: isMet ? { metOn: seen.dayAt(at) } : {},
  });
  switch (condition.kind) {
    case 'above':
    case 'crosses-above':
      return byLevels({ up: condition.price }, price);
    case 'below':
    case 'crosses-below':
      return byLevels({ down: condition.price }, price);
    case 'change': {
      const isOfDay = condition.since === 'day';
      const base = isOfDay ? dayBase : condition.basePrice;
      if (!base?.greaterThan(0)) return undefined;
      const finding = byLevels(changeLevels(condition, base), price);
      return isOfDay ? { ...finding, ...onDay(finding.isMet) } : finding;
    }
    case 'rsi': {
      const value = daily && rsiNow(daily, seen.overAt(at), condition.period, price.toNumber());
      if (value === undefined) return undefined;
      const level = condition.level.toNumber();
      return plain(condition.side === 'above' ? value >= level : value <= level);
    }
    case 'ma-cross': {
      const fast = daily && averageNow(daily, seen.overAt(at), condition.fast, price.toNumber());
      const slow = daily && averageNow(daily, seen.overAt(at), condition.slow, price.toNumber());
      if (fast === undefined || slow === undefined) return undefined;
      return plain(condition.direction === 'up' ? fast > slow : fast < slow);
    }
    case 'volume': {
      const usual = daily && usualVolume(daily, seen.overAt(at));
      if (usual === undefined || !quote.volume) return undefined;
      return onDay(quote.volume.toNumber() >= usual * condition.multiple.toNumber());
    }
    case 'year-high':
    case 'year-low':
      return evaluateYear(condition.kind === 'year-high', seen, current, memory, split);
    case 'news':
      break;
  }
  return undefined;
};

/** These conditions fire at once where they are met already; all others wait for a change. */
export const holdsAtOnce = ({ kind }: AlertCondition): boolean => kind === 'above' || kind === 'below';

/** Whether a repeating alert fired within its cooldown. */
export const isCoolingDown = (
  { isRepeating, cooldownMinutes }: AlertTerms,
  { lastFiredAt }: AlertState,
  now: Timestamp,
): boolean =>
  isRepeating &&
  lastFiredAt !== undefined &&
  now.epochMilliseconds < lastFiredAt.epochMilliseconds + cooldownMinutes * 60_000;

/** Whether the condition is met now, whatever its state. Undefined if the data is missing. */
export const isSoNow = (terms: AlertTerms, seen: Observation): boolean | undefined => {
  const current = (countsExtendedHours(terms) ? seen.extended : undefined) ?? seen.regular;
  return current && findingOf(terms, seen, current, {})?.isMet;
};

/** A price that moved this far from the remembered one replaces it before the day ends. */
const MOVED = 0.08;

/** For this long, a split may still explain a jump of the price. */
const JUMP_DAYS = 7;

/**
 * The remembered price changes once a day, and when the price has moved far. Where it was held back for a split that was not
 * reported, the price from before stays: the split may be reported later.
 */
const nextSeen = (
  { seen: before, unfit }: AlertMemory,
  sight: Observation['sight'],
): Pick<AlertMemory, 'seen' | 'unfit'> => {
  if (!sight || !before) return { seen: sight ?? before };
  const days = Temporal.PlainDate.from(before[0]).until(sight[0]).days;
  if (unfit && days <= JUMP_DAYS && differsLikeSplit(new Decimal(sight[1]), new Decimal(before[1])))
    return { seen: before, unfit };
  const isNewDay = sight[0] > before[0];
  return { seen: isNewDay || apart(Number(sight[1]), Number(before[1])) > MOVED ? sight : before };
};

/**
 * Evaluates one alert. It is edge-triggered: it fires when its condition becomes true, not while it stays true. Without
 * data nothing changes. During the cooldown the state is kept, and the alert fires afterwards if the condition still
 * holds; a level that only the day's range shows does not count then.
 */
export const evaluateCondition = (
  terms: AlertTerms,
  state: AlertState,
  seen: Observation,
  now: Timestamp,
): Outcome => {
  const { quote, daily, day } = seen;
  const isExtended = countsExtendedHours(terms) && seen.extended !== undefined;
  const current = isExtended ? seen.extended : seen.regular;
  if (!current || quote.instrument.currency !== terms.instrument.currency) return SAME;
  const memory = memoryOf(state);
  const isSample = quote.isSample;
  // Sample prices never replace live ones, and never mix with them.
  if (isSample && state.side !== 'unknown' && !memory.isSample) return SAME;
  if (daily && daily.isSample !== isSample && needsHistory(terms.condition, quote)) return SAME;
  const isReplaced = memory.isSample === true && !isSample;
  const isFirst = state.side === 'unknown' || isReplaced;
  const kept = isReplaced ? {} : memory;
  const { range: rangeBefore, extreme, metOn } = kept;
  const lasting: AlertMemory = {
    unfit: undefined,
    ...nextSeen(kept, seen.sight),
    range: rangeBefore,
    ...(isSample && { isSample }),
  };
  const quiet = (side: AlertSide, next: AlertMemory): Outcome => {
    const text = writeMemory(next);
    return side === state.side && text === state.memory ? SAME : { kind: 'quiet', side, memory: text };
  };
  const finding = findingOf(terms, seen, current, isFirst ? {} : { extreme });
  if (!finding) return isReplaced ? SAME : quiet(state.side, { ...memory, ...lasting });
  // A daily condition starts over every day.
  const isNewDay = metOn !== undefined && metOn !== seen.dayAt(current.at);
  const wasMet = !isFirst && state.side === 'met' && !isNewDay;
  const ranged =
    finding.levels && !isExtended
      ? rangeFinding(finding.levels, day, current.price, lasting, state)
      : { range: rangeBefore };
  const isCooling = isCoolingDown(terms, state, now);
  const reached = finding.reached ?? (finding.isMet || wasMet || isCooling ? undefined : ranged.reached);
  const next = { ...finding.memory, ...lasting };
  const confirmed = seen.confirmed && { confirmed: seen.confirmed };
  if (!finding.isMet) {
    if (!reached) return quiet('unmet', { ...next, range: ranged.range });
    const { condition } = terms;
    const isOfDay = condition.kind === 'change' && condition.since === 'day';
    const met = isOfDay ? { metOn: seen.dayAt(current.at) } : {};
    const memoryNow = writeMemory({ ...next, ...met, range: ranged.range });
    return { kind: 'fires', memory: memoryNow, reached, ...confirmed };
  }
  if (isFirst && !holdsAtOnce(terms.condition)) return quiet('met', next);
  if (wasMet) return quiet('met', next);
  if (isCooling) return SAME;
  const memoryNow = writeMemory({ ...next, range: ranged.range });
  return { kind: 'fires', memory: memoryNow, ...(reached && { reached }), ...confirmed };
};
