import type { AlertCondition, AlertRecord, AlertSide } from '#src/core/alert.ts';
import type { Quote } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import { Decimal } from '#src/core/money.ts';
import { dayOf } from '../answers/bar-dates.ts';
import { timeZoneOf } from '../calendar/calendar.ts';
import { type AlertMemory, readMemory, writeMemory } from './alert-memory.ts';
import { averageNow, type DailySeries, daysOver, rsiNow, usualVolume } from './daily-series.ts';
import type { CurrentPrice } from './trading-window.ts';

/** What is known of an instrument at one look. */
export interface Observation {
  readonly quote: Quote;
  readonly regular: CurrentPrice | undefined;
  readonly extended: CurrentPrice | undefined;
  readonly daily: DailySeries | undefined;
  /** The exchange's date of a price. All alerts on it ask for the same. */
  readonly dayAt: (at: Timestamp) => string;
  /** How many days of `daily` are over at that price. */
  readonly overAt: (at: Timestamp) => number;
}

const remembered = <T>(reckon: (at: Timestamp) => T): ((at: Timestamp) => T) => {
  let known: { readonly at: Timestamp; readonly value: T } | undefined;
  return (at) => (known?.at === at ? known : (known = { at, value: reckon(at) })).value;
};

export const observationOf = (
  quote: Quote,
  regular: CurrentPrice | undefined,
  extended: CurrentPrice | undefined,
  daily: DailySeries | undefined,
): Observation => ({
  quote,
  regular,
  extended,
  daily,
  dayAt: remembered((at) => dayOf(at, timeZoneOf(quote.instrument))),
  overAt: remembered((at) => (daily ? daysOver(daily, at) : 0)),
});

/** What an alert is, as far as judging goes: never changes once it was set. */
export type AlertTerms = Pick<
  AlertRecord,
  'instrument' | 'condition' | 'isRepeating' | 'cooldownMinutes' | 'usesExtendedHours'
>;

type AlertState = Pick<AlertRecord, 'side' | 'memory' | 'lastFiredAt'>;

/** `quiet`: nothing to tell, but something to remember. `same`: nothing changed, or nobody can tell. */
export type Outcome =
  | { readonly kind: 'fires'; readonly memory: string }
  | { readonly kind: 'quiet'; readonly side: AlertSide; readonly memory: string }
  | { readonly kind: 'same' };

interface Finding {
  readonly isMet: boolean;
  readonly memory: AlertMemory;
}

const SAME: Outcome = { kind: 'same' };
const PRICE_KINDS: ReadonlySet<AlertCondition['kind']> = new Set([
  'above',
  'below',
  'crosses-above',
  'crosses-below',
  'change',
]);

/** Only what is about the price itself is judged outside of regular hours. */
export const countsExtendedHours = ({
  condition,
  usesExtendedHours,
}: Pick<AlertTerms, 'condition' | 'usesExtendedHours'>): boolean =>
  usesExtendedHours && PRICE_KINDS.has(condition.kind);

/** Not to be judged by a quote alone. */
export const needsHistory = ({ kind }: AlertCondition, quote: Quote | undefined): boolean =>
  kind === 'rsi' ||
  kind === 'ma-cross' ||
  kind === 'volume' ||
  ((kind === 'year-high' || kind === 'year-low') && quote !== undefined && !quote.yearRange);

const PERCENT = 100;

const isMoved = (
  { percent, direction }: Extract<AlertCondition, { readonly kind: 'change' }>,
  price: Decimal,
  base: Decimal,
): boolean => {
  const moved = price.minus(base).times(PERCENT);
  const limit = base.times(percent);
  return (
    (direction !== 'down' && moved.greaterThanOrEqualTo(limit)) ||
    (direction !== 'up' && moved.negated().greaterThanOrEqualTo(limit))
  );
};

/**
 * A new high is above the highest so far. What was highest between two looks counts where the source says that it was
 * today; the oldest days fall out of the range.
 */
const judgeYear = (
  isHigh: boolean,
  { quote, daily }: Observation,
  price: Decimal,
  memory: AlertMemory,
): Finding | undefined => {
  const [name, further] = isHigh
    ? (['high', (a: Decimal, b: Decimal) => a.greaterThan(b)] as const)
    : (['low', (a: Decimal, b: Decimal) => a.lessThan(b)] as const);
  const furthest = (a: Decimal, b: Decimal): Decimal => (further(b, a) ? b : a);
  const year = quote.yearRange?.[name] ?? (daily && new Decimal(daily[name]));
  const today = quote.dayRange?.[name];
  const known = memory.extreme === undefined ? undefined : new Decimal(memory.extreme);
  if (!year && !known) return undefined;
  const reached = today && year && !further(year, today) ? furthest(price, today) : price;
  const extreme = furthest(year ?? known ?? price, reached).toFixed();
  return { isMet: known !== undefined && further(reached, known), memory: { extreme } };
};

const plain = (isMet: boolean): Finding => ({ isMet, memory: {} });

/** What a condition is at this moment; undefined where nobody can tell. */
const findingOf = (
  { condition }: AlertTerms,
  seen: Observation,
  { price, at, dayBase }: CurrentPrice,
  memory: AlertMemory,
): Finding | undefined => {
  const { daily, quote } = seen;
  const onDay = (isMet: boolean): Finding => ({
    isMet,
    memory: isMet ? { metOn: seen.dayAt(at) } : {},
  });
  switch (condition.kind) {
    case 'above':
    case 'crosses-above':
      return plain(price.greaterThanOrEqualTo(condition.price));
    case 'below':
    case 'crosses-below':
      return plain(price.lessThanOrEqualTo(condition.price));
    case 'change': {
      const isOfDay = condition.since === 'day';
      const base = isOfDay ? dayBase : condition.basePrice;
      if (!base || base.isZero()) return undefined;
      const isMet = isMoved(condition, price, base);
      return isOfDay ? onDay(isMet) : plain(isMet);
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
      return judgeYear(condition.kind === 'year-high', seen, price, memory);
    case 'news':
      break;
  }
  return undefined;
};

/** It holds at once where it is so already; everything else waits for the change. */
export const holdsAtOnce = ({ kind }: AlertCondition): boolean => kind === 'above' || kind === 'below';

/** A repeating one that was told too short a time ago. */
export const isCoolingDown = (
  { isRepeating, cooldownMinutes }: AlertTerms,
  { lastFiredAt }: AlertState,
  now: Timestamp,
): boolean =>
  isRepeating &&
  lastFiredAt !== undefined &&
  now.epochMilliseconds < lastFiredAt.epochMilliseconds + cooldownMinutes * 60_000;

/** Whether it is so at this moment, whatever was before. Undefined where nobody can tell. */
export const isSoNow = (terms: AlertTerms, seen: Observation): boolean | undefined => {
  const current = (countsExtendedHours(terms) ? seen.extended : undefined) ?? seen.regular;
  return current && findingOf(terms, seen, current, {})?.isMet;
};

/**
 * One look at one alert: edge-triggered, so that it is told when it turns true and not while it stays so. What cannot
 * be judged changes nothing. While it cools down it stays as it was, and is told afterwards if it still holds.
 */
export const judge = (terms: AlertTerms, state: AlertState, seen: Observation, now: Timestamp): Outcome => {
  const { quote, daily } = seen;
  const current = (countsExtendedHours(terms) ? seen.extended : undefined) ?? seen.regular;
  if (!current || quote.instrument.currency !== terms.instrument.currency) return SAME;
  const memory = readMemory(state.memory);
  const isSample = quote.isSample;
  // Made-up prices never take the place of real ones, nor stand beside them.
  if (isSample && state.side !== 'unknown' && !memory.isSample) return SAME;
  if (daily && daily.isSample !== isSample && needsHistory(terms.condition, quote)) return SAME;
  const isFirst = state.side === 'unknown' || (memory.isSample === true && !isSample);
  const finding = findingOf(terms, seen, current, isFirst ? {} : memory);
  if (!finding) return SAME;
  const next = writeMemory({ ...finding.memory, ...(isSample && { isSample }) });
  const quiet = (side: AlertSide): Outcome =>
    side === state.side && next === state.memory ? SAME : { kind: 'quiet', side, memory: next };
  if (!finding.isMet) return quiet('unmet');
  if (isFirst && !holdsAtOnce(terms.condition)) return quiet('met');
  // The day's change begins anew every day.
  const isNewDay = memory.metOn !== undefined && memory.metOn !== finding.memory.metOn;
  if (!isFirst && state.side === 'met' && !isNewDay) return quiet('met');
  return isCoolingDown(terms, state, now) ? SAME : { kind: 'fires', memory: next };
};
