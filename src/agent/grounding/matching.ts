import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { characterTest } from '#src/language/characters.ts';
import type { Binding } from './binding.ts';
import type { EvidenceFact, FigureKind } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { isSamePeriod } from './periods.ts';

const EPSILON = 1e-9;
const HALF = 0.5;
/** The most that "about" may be away. */
const ABOUT_SHARE = 0.05;
const OVER_SHARE = 0.1;
const UNDER_SHARE = 0.05;

const OVER_BEFORE = /(?:over|above|more than|at least|exceeding|north of|upwards of)\s?[₩$€£¥]?$/iu;
const LEVEL_AFTER = /^\s?(?:선(?!\p{L})|선[을에이까은도마]|대(?!\p{L})|대[에로를가의])/u;
const OVER_AFTER = /^\s?(?:이상|을?를?\s?(?:넘|웃도|웃돌|상회|돌파)|여(?=\s?[원달주])|선을?\s?(?:넘|돌파))/u;
const UNDER_BEFORE = /(?:under|below|less than|nearly|almost|just short of|거의)\s?[₩$€£¥]?$/iu;
const UNDER_AFTER = /^\s?(?:미만|이하|에\s?(?:육박|못\s?미치|근접|가까)|을?를?\s?(?:밑도|밑돌|하회))/u;
const LONGEST_LIMIT = 20;

/** `over`: the value is at least what is written. `under`: at most. `level`: it starts with these digits. */
export type Limit = 'over' | 'under' | 'level' | undefined;

const isBlankOrSign = characterTest(/[\s₩$€£¥]/u);
const isBlank = characterTest(/\s/u);
/** The last characters of the words before a limit, and the first ones of those after it. */
const mayEndLimit = characterTest(/[rentgfwy의]/iu);
const mayStartLimit = characterTest(/[선대이을를넘웃상돌여미에밑하]/u);

/** A cheap test, because most numbers are no limits. */
const mayBeLimit = (text: string, start: number, end: number): boolean => {
  let before = start - 1;
  while (before >= start - 2 && isBlankOrSign(text.charCodeAt(before))) before -= 1;
  if (mayEndLimit(text.charCodeAt(before))) return true;
  let after = end;
  while (after < end + 2 && isBlank(text.charCodeAt(after))) after += 1;
  return mayStartLimit(text.charCodeAt(after));
};

export const limitOf = (text: string, { start, end }: Figure): Limit => {
  if (!mayBeLimit(text, start, end)) return undefined;
  const before = text.slice(Math.max(0, start - LONGEST_LIMIT), start);
  const after = text.slice(end, end + LONGEST_LIMIT);
  if (LEVEL_AFTER.test(after)) return 'level';
  if (OVER_BEFORE.test(before) || OVER_AFTER.test(after)) return 'over';
  return UNDER_BEFORE.test(before) || UNDER_AFTER.test(after) ? 'under' : undefined;
};

/** The power of ten of the last digit that is not zero: 5 for 100,000. */
export const lastTellingPower = (value: number, lastPower: number): number => {
  let power = lastPower;
  let digits = Math.round(value / 10 ** lastPower);
  while (digits !== 0 && digits % 10 === 0 && power < 30) {
    digits /= 10;
    power += 1;
  }
  return power;
};

const MOST_DECIMALS = 30;
const POWERS = Array.from({ length: 2 * MOST_DECIMALS + 1 }, (_, place) => 10 ** (place - MOST_DECIMALS));
/** A power of ten. Each number asks for its own many times. */
const powerOf = (exponent: number): number => POWERS[exponent + MOST_DECIMALS] ?? 10 ** exponent;

/** How far the exact value may be from what is written. */
const toleranceOf = (value: number, { lastPower, isApproximate }: Figure): number => {
  const half = HALF * powerOf(lastPower);
  if (!isApproximate) return half;
  const coarse = HALF * powerOf(lastTellingPower(value, lastPower));
  return Math.max(2 * half, Math.min(coarse, ABOUT_SHARE * value));
};

/** From here on, whole amounts are also cut off: 10,012,829 for 10,012,829.56. */
const CUT_FROM = 100_000;
const mayBeCut = (stated: number, { lastPower }: Figure): boolean =>
  lastPower > 0 || (lastPower === 0 && stated >= CUT_FROM);

const isWrittenAs = (written: number, wanted: number, figure: Figure, limit: Limit): boolean => {
  const stated = Math.abs(written);
  const away = wanted - stated;
  const slack = EPSILON * Math.max(1, wanted);
  if (Math.abs(away) <= toleranceOf(stated, figure) + slack) return true;
  if (mayBeCut(stated, figure) && away > 0 && away < powerOf(figure.lastPower)) return true;
  if (limit === undefined) return false;
  if (limit === 'level') return Math.abs(away) < powerOf(lastTellingPower(stated, figure.lastPower));
  if (limit === 'over') return away >= 0 && away <= OVER_SHARE * stated;
  return away <= 0 && -away <= UNDER_SHARE * stated;
};

/**
 * Whether an exact value, without its sign, is written like this. Scaled numbers may be cut off: 10.2만 for
 * 102,930.
 */
export const isWritten = (exact: number, figure: Figure, limit: Limit): boolean =>
  isWrittenAs(figure.value, Math.abs(exact), figure, limit) ||
  (figure.alternatives.length > 0 &&
    figure.alternatives.some((written) => isWrittenAs(written, Math.abs(exact), figure, limit)));

/** The values that `isWritten` can accept, and some more. */
export const writtenRange = (
  figure: Figure,
  written: number,
  limit: Limit,
): readonly [from: number, to: number] => {
  const stated = Math.abs(written);
  const near = Math.max(
    toleranceOf(stated, figure),
    mayBeCut(stated, figure) ? powerOf(figure.lastPower) : 0,
    limit === 'level' ? powerOf(lastTellingPower(stated, figure.lastPower)) : 0,
    limit === undefined ? 0 : OVER_SHARE * stated,
  );
  const slack = 2 * EPSILON * Math.max(1, stated);
  return [stated - near - slack, stated + near + slack];
};

const COMPARABLE: Readonly<Record<FigureKind, readonly FigureKind[]>> = {
  money: ['money'],
  percent: ['percent'],
  percentPoints: ['percentPoints'],
  points: ['points', 'money', 'plain'],
  multiple: ['multiple', 'plain'],
  count: ['count'],
  plain: ['money', 'percent', 'percentPoints', 'points', 'multiple', 'count', 'plain'],
  date: ['date'],
};

/** Facts without a reliable unit. */
const isUntyped = ({ metric, kind }: EvidenceFact): boolean =>
  kind === 'plain' && (metric === 'calculation' || metric === 'other');

/** Whether a number with this unit can state the fact. */
export const hasUnitOf = (figure: Figure, fact: EvidenceFact): boolean => {
  if (figure.kind === 'date' || fact.kind === 'date') return figure.kind === fact.kind;
  if (isUntyped(fact)) return true;
  if (!COMPARABLE[figure.kind].includes(fact.kind)) return false;
  return figure.kind !== 'money' || fact.currency === figure.currency;
};

/** Metrics whose sign is said by "up" and "down". */
const MOVES: ReadonlySet<MetricId> = new Set<MetricId>([
  'change',
  'changePercent',
  'revenueGrowth',
  'distanceFromSma',
  'distanceFromEma',
  'fromYearHigh',
  'fromYearLow',
  'kimchiPremium',
  'unrealisedGain',
  'unrealisedGainPercent',
  'unrealisedGainBase',
  'unrealisedGainBasePercent',
  'unrealisedFromPrice',
  'unrealisedFromFx',
  'dayChange',
  'dayChangePercent',
  'realisedGain',
  'realisedFromPrice',
  'realisedFromFx',
  'cashFxGain',
  'timeWeightedReturn',
  'timeWeightedReturnAnnual',
  'moneyWeightedReturn',
  'benchmarkChange',
  'taxableGain',
]);

/** Metrics of which only the size is usually written. */
const SIZES: ReadonlySet<MetricId> = new Set<MetricId>([
  'maxDrawdown',
  'fromYearHigh',
  'fromYearLow',
  'distanceFromSma',
  'distanceFromEma',
  'tradeQuantity',
  'tradeAmount',
  'calculation',
  'other',
]);

/** Whether sign and direction words agree with the fact. */
export const hasSignOf = (figure: Figure, fact: EvidenceFact, binding: Binding): boolean => {
  const sign = Math.sign(fact.value);
  if (sign === 0) return true;
  const { direction, directionAfter, directionsLater } = binding;
  if (!MOVES.has(fact.metric)) {
    if (SIZES.has(fact.metric))
      return figure.sign === undefined || fact.metric === 'maxDrawdown' || figure.sign === sign;
    return (figure.sign ?? direction ?? 1) === sign || (figure.sign === undefined && sign > 0);
  }
  if (figure.sign !== undefined)
    return figure.sign === sign && (directionAfter === undefined || directionAfter === sign);
  if (direction !== undefined) return direction === sign;
  if (figure.isBracketed) return true;
  return sign > 0 || SIZES.has(fact.metric) || directionsLater[0] === sign;
};

/** Days on which a relative word may mean the fact: "yesterday" on Monday is Friday. */
const RELATIVE_DAYS = 3;
const WEEK_DAYS = 7;

/** The previous trading day is before the weekend on a Sunday and a Monday. Day 0 was a Thursday. */
const daysToPrevious = (day: number): number => {
  const weekday = (day + 4) % 7;
  return weekday <= 1 ? 2 + weekday : 1;
};

export const hasDayOf = (fact: EvidenceFact, { days, isDayRelative }: Binding): boolean => {
  if (!days || fact.days.length === 0) return true;
  if (fact.metric === 'previousClose')
    return days.some((day) =>
      fact.days.slice(0, 1).some((own) => day < own && own - day <= daysToPrevious(own)),
    );
  if (fact.since !== undefined && days.includes(fact.since)) return true;
  return days.some((day) =>
    fact.days.some(
      (own) =>
        own === day ||
        // "Monday" is of this week or of the last one.
        (isDayRelative && own < day && (day - own <= RELATIVE_DAYS || day - own === WEEK_DAYS)),
    ),
  );
};

/** Gains since the purchase, which are not those of a day. */
const GAINS: ReadonlySet<MetricId> = new Set<MetricId>([
  'unrealisedGain',
  'unrealisedGainPercent',
  'unrealisedGainBase',
  'unrealisedGainBasePercent',
]);

/** Facts of a span of time. Others have one value at a time, however long the span that the words name. */
const spans = (fact: EvidenceFact): boolean => fact.periodDays !== undefined || fact.since !== undefined;

/** Whether the fact spans what the words name; `isKnownSpan` tells spans named anywhere in the conversation. */
export const hasPeriodOf = (
  fact: EvidenceFact,
  { periods, days }: Binding,
  isKnownSpan: (days: number) => boolean,
): boolean => {
  if (!spans(fact))
    return !(GAINS.has(fact.metric) && periods.length > 0 && periods.every((span) => span === 1));
  if (fact.since !== undefined) return true;
  const own = fact.periodDays ?? 0;
  if (periods.length > 0) return periods.some((named) => isSamePeriod(named, own));
  if (fact.metric !== 'change' && fact.metric !== 'changePercent') return true;
  return own === 1 || days !== undefined || isKnownSpan(own);
};

/** Metrics of which the parameter is a number of days. */
const WITH_PARAMETER: ReadonlySet<MetricId> = new Set<MetricId>([
  'sma',
  'ema',
  'rsi',
  'atr',
  'atrPercent',
  'distanceFromSma',
  'distanceFromEma',
  'alertRsi',
]);

/** Metrics of which the parameter is a currency. */
const OF_CURRENCY: ReadonlySet<MetricId> = new Set<MetricId>(['currencyShare', 'cashBalance']);

/** `USD/KRW`, `USDKRW=X`. */
const RATE = /^(?<priced>[A-Z]{3})\/?(?<in>[A-Z]{3})(?:=X)?$/u;

/** Whether the words name the currency of which the fact is the price. */
const pricesNamed = ({ entity }: EvidenceFact, currencyNamed: string | undefined): boolean => {
  const pair = currencyNamed === undefined ? undefined : RATE.exec(entity)?.groups;
  return !pair || pair['priced'] === currencyNamed || pair['in'] === currencyNamed;
};

export const hasParameterOf = (fact: EvidenceFact, { parameters, currencyNamed }: Binding): boolean => {
  const { parameter, metric } = fact;
  if (!pricesNamed(fact, currencyNamed)) return false;
  if (parameter === undefined) return true;
  if (OF_CURRENCY.has(metric)) return currencyNamed === undefined || currencyNamed === parameter;
  return (
    parameters.length === 0 ||
    !WITH_PARAMETER.has(metric) ||
    !/^\d+$/u.test(parameter) ||
    parameters.includes(parameter)
  );
};
