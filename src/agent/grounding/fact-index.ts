import { isMetricId, METRICS, type MetricId } from '#src/kernel/fact-metrics.ts';
import { isDigit } from '#src/language/characters.ts';
import { isWordEnd } from '#src/language/particles.ts';
import type { Evidence, KnownFact } from './verdict.ts';
import { periodDaysOf } from './periods.ts';
import type { Hit, Phrases } from './phrases.ts';
import { SubjectNames } from './subject-names.ts';

/** How a number is written. `plain` has no unit; `points` are those of an index. */
export type FigureKind =
  | 'money'
  | 'percent'
  | 'percentPoints'
  | 'points'
  | 'multiple'
  | 'count'
  | 'plain'
  | 'date';

/** A fact prepared for comparison. */
export interface EvidenceFact {
  readonly known: KnownFact;
  readonly entity: string;
  /** `other` for metrics that are not in the list. */
  readonly metric: MetricId;
  readonly kind: FigureKind;
  readonly isSigned: boolean;
  /** A day number for dates. */
  readonly value: number;
  readonly currency: string | undefined;
  /** Days on which the value holds, as day numbers. Empty if it belongs to no day. */
  readonly days: readonly number[];
  /** What the value spans, in days; `YEAR_TO_DATE` or `ALL_TIME`. Undefined if it spans nothing. */
  readonly periodDays: number | undefined;
  /** The first day of a span that starts on a date. */
  readonly since: number | undefined;
  readonly parameter: string | undefined;
  /** The oldest close of its subject, where a span starts. */
  readonly isFirst: boolean;
  /** False for a value of an earlier day than the newest of its subject. */
  readonly isNewest: boolean;
}

export const dayNumber = (date: Temporal.PlainDate): number =>
  Math.round(Date.UTC(date.year, date.month - 1, date.day) / 86_400_000);

const ZERO = 48;
const MINUS = 45;
/** The number of so many digits at this position. NaN if there are other characters. */
const digitsAt = (text: string, at: number, count: number): number => {
  let value = 0;
  for (let place = at; place < at + count; place += 1) {
    const code = text.charCodeAt(place);
    if (!isDigit(code)) return Number.NaN;
    value = value * 10 + code - ZERO;
  }
  return value;
};

/** The number of the day that an ISO date starts with, without making a date object. */
const isoDayNumber = (iso: string): number | undefined => {
  if (iso.charCodeAt(4) !== MINUS || iso.charCodeAt(7) !== MINUS) return undefined;
  const at = Date.UTC(digitsAt(iso, 0, 4), digitsAt(iso, 5, 2) - 1, digitsAt(iso, 8, 2));
  return Number.isNaN(at) ? undefined : Math.round(at / 86_400_000);
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Answers name the day of the exchange or of the person, who may be in Seoul. */
const ZONE_HOURS = [0, 9] as const;

/** Most facts of a result are of the same moment. */
let lastInstant: { readonly iso: string; readonly days: readonly number[] } = { iso: '', days: [] };

const daysOfInstant = (iso: string): readonly number[] => {
  if (iso !== lastInstant.iso) lastInstant = { iso, days: readInstant(iso) };
  return lastInstant.days;
};

const readInstant = (iso: string): readonly number[] => {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return [];
  return [...new Set(ZONE_HOURS.map((hours) => Math.floor((ms + hours * HOUR_MS) / DAY_MS)))];
};

const UNIT_KINDS: ReadonlyMap<string, FigureKind> = new Map<string, FigureKind>([
  ['', 'plain'],
  ['%', 'percent'],
  ['%p', 'percentPoints'],
  ['points', 'plain'],
  ['ratio', 'plain'],
  ['number', 'plain'],
  ['x', 'multiple'],
  ['units', 'count'],
  ['shares', 'count'],
  ['pieces', 'count'],
  ['count', 'count'],
  ['rows', 'count'],
  ['days', 'count'],
  ['date', 'date'],
]);

const CURRENCY = /^[A-Z]{3,5}$/;
const kindOfUnit = (unit: string): FigureKind | undefined =>
  UNIT_KINDS.get(unit) ?? (CURRENCY.test(unit) ? 'money' : undefined);

/** The kinds as bits, so that a number holds those of a metric. */
const KIND_BITS: Readonly<Record<FigureKind, number>> = {
  money: 1,
  percent: 2,
  percentPoints: 4,
  points: 8,
  multiple: 16,
  count: 32,
  plain: 64,
  date: 128,
};

/** Metrics that hold for a moment, so that another day named beside them is wrong. */
const OF_A_DAY: ReadonlySet<MetricId> = new Set<MetricId>([
  'price',
  'close',
  'previousClose',
  'dayLow',
  'dayHigh',
  'change',
  'changePercent',
  'volume',
  'open',
  'exchangeRate',
  'periodHigh',
  'periodLow',
  'rsi',
  'sma',
  'ema',
]);

/** What a metric spans if its fact does not say it. */
const OWN_SPANS: Readonly<Partial<Record<MetricId, number>>> = {
  dayLow: 1,
  dayHigh: 1,
  yearLow: 365,
  yearHigh: 365,
};

interface MetricTraits {
  readonly metric: MetricId;
  readonly isSigned: boolean;
  readonly isDated: boolean;
  readonly ownSpan: number | undefined;
}

const traitsOf = (metric: MetricId): MetricTraits => ({
  metric,
  isSigned: 'isSigned' in METRICS[metric],
  isDated: OF_A_DAY.has(metric),
  ownSpan: OWN_SPANS[metric],
});

const OTHER = traitsOf('other');
const TRAITS: ReadonlyMap<string, MetricTraits> = new Map(
  Object.keys(METRICS)
    .filter(isMetricId)
    .map((metric) => [metric, traitsOf(metric)]),
);

/** A fact of which the rank among the others of its subject is not known yet. */
type ParsedFact = Omit<EvidenceFact, 'isFirst' | 'isNewest'> & {
  isFirst: boolean;
  isNewest: boolean;
  /** It says its day itself. */
  readonly hasOwnDay: boolean;
  /** It is of a bar that is shorter than a day. */
  readonly isWithinDay: boolean;
};

/** The period of a bar that is shorter than a day. */
const WITHIN_DAY = /^\d{1,3}(?:m|h)$/u;
const NO_DAYS: readonly number[] = [];

const factOf = (known: KnownFact): ParsedFact | undefined => {
  // Facts have many shapes, which makes each look at one expensive.
  const { unit, period, entity, value: written, metric: named, day, asOf, parameter } = known.fact;
  const kind = kindOfUnit(unit);
  const value = kind === 'date' ? isoDayNumber(written) : Number(written);
  if (kind === undefined || value === undefined || written === '' || !Number.isFinite(value))
    return undefined;
  const { metric, isSigned, isDated, ownSpan } = TRAITS.get(named) ?? OTHER;
  const ownDay = day === undefined ? undefined : isoDayNumber(day);
  const periodDays = period === undefined ? ownSpan : periodDaysOf(period);
  return {
    known,
    entity,
    metric,
    kind,
    isSigned,
    value,
    currency: kind === 'money' ? unit : undefined,
    days:
      !isDated || ((periodDays ?? 1) !== 1 && ownDay === undefined)
        ? NO_DAYS
        : ownDay === undefined
          ? daysOfInstant(asOf)
          : [ownDay],
    periodDays,
    since: period === undefined ? undefined : isoDayNumber(period),
    parameter,
    isFirst: false,
    isNewest: true,
    hasOwnDay: day !== undefined,
    isWithinDay: period !== undefined && WITHIN_DAY.test(period),
  };
};

/** The day of a value of one day; of a price, that of its exchange in the west. */
const dayOf = ({ metric, days }: EvidenceFact): number | undefined =>
  OF_A_DAY.has(metric) && metric !== 'periodHigh' && metric !== 'periodLow' && metric !== 'previousClose'
    ? days[0]
    : undefined;

/** The facts of one subject. */
interface Subject {
  readonly facts: ParsedFact[];
  /** The names that its last fact gave, to read each list once. */
  named: readonly string[];
  newestDay: number;
  firstClose: number;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) if (one[place] !== other[place]) return false;
  return true;
};

/** The power of ten of a size: 4 for 12,300. */
const decadeOf = (size: number): number => Math.floor(Math.log10(size));

/** The facts of an answer's evidence, by subject. */
export class FactIndex {
  readonly all: readonly EvidenceFact[];
  readonly byEntity: ReadonlyMap<string, readonly EvidenceFact[]>;
  readonly #kinds = new Map<MetricId, number>();
  readonly #names: Phrases<readonly string[]>;
  readonly #fitting: Partial<Record<FigureKind | 'change', Map<readonly MetricId[], readonly MetricId[]>>> =
    {};
  /** The facts by the size of their values, because each number looks for those with its value. */
  #decades: ReadonlyMap<number, readonly EvidenceFact[]> | undefined;

  constructor({ facts }: Evidence) {
    const all: ParsedFact[] = [];
    const dated: ParsedFact[] = [];
    const names = new SubjectNames();
    const subjects = new Map<string, Subject>();
    const byEntity = new Map<string, readonly EvidenceFact[]>();
    for (const known of facts) {
      const { entity, names: called } = known.fact;
      let subject = subjects.get(entity);
      if (!subject) {
        subject = { facts: [], named: [], newestDay: -Infinity, firstClose: Infinity };
        subjects.set(entity, subject);
        names.addSubject(entity);
      }
      if (called && !isSameList(called, subject.named)) {
        for (const name of called) names.addCompany(name, entity);
        subject.named = called;
      }
      const fact = factOf(known);
      if (!fact) continue;
      all.push(fact);
      if (fact.metric === 'benchmarkChange' && fact.parameter !== undefined)
        names.add(fact.parameter, entity);
      if (fact.hasOwnDay || fact.isWithinDay) dated.push(fact);
      if (subject.facts.length === 0) byEntity.set(entity, subject.facts);
      subject.facts.push(fact);
      const kinds = this.#kinds.get(fact.metric) ?? 0;
      const bit = KIND_BITS[fact.kind];
      if ((kinds & bit) === 0) this.#kinds.set(fact.metric, kinds | bit);
      const day = dayOf(fact);
      if (day !== undefined && day > subject.newestDay) subject.newestDay = day;
      if (fact.metric === 'close')
        subject.firstClose = Math.min(subject.firstClose, fact.days[0] ?? Infinity);
    }
    for (const fact of dated) {
      const { newestDay = -Infinity, firstClose } = subjects.get(fact.entity) ?? {};
      const day = fact.hasOwnDay ? dayOf(fact) : undefined;
      const isOlder = day !== undefined && day < newestDay;
      if (!isOlder && !fact.isWithinDay) continue;
      fact.isFirst = fact.metric === 'close' && day === firstClose;
      fact.isNewest = false;
    }
    this.all = all;
    this.byEntity = byEntity;
    this.#names = names.phrases();
  }

  /** The facts whose values, without their signs, are within these bounds. */
  between(from: number, to: number): readonly EvidenceFact[] {
    this.#decades ??= Map.groupBy(this.all, ({ value }) => decadeOf(Math.abs(value)));
    const decade = decadeOf(to);
    const facts = decadeOf(from) === decade ? this.#decades.get(decade) : this.all;
    const found: EvidenceFact[] = [];
    for (const fact of facts ?? []) {
      const size = Math.abs(fact.value);
      if (size >= from && size <= to) found.push(fact);
    }
    return found;
  }

  /** Whether a fact of this metric is written like this: the price of a bond is a percentage. */
  hasKind(metric: MetricId, kind: FigureKind): boolean {
    return ((this.#kinds.get(metric) ?? 0) & KIND_BITS[kind]) !== 0;
  }

  /** Those of a list of metrics that fit. The same words are asked about for many numbers. */
  fittingOnce(
    metrics: readonly MetricId[],
    kind: FigureKind | 'change',
    isFitting: (id: MetricId) => boolean,
  ): readonly MetricId[] {
    if (metrics.length === 0) return metrics;
    let known = this.#fitting[kind];
    if (!known) {
      known = new Map();
      this.#fitting[kind] = known;
    }
    let fitting = known.get(metrics);
    if (!fitting) {
      fitting = metrics.filter(isFitting);
      known.set(metrics, fitting);
    }
    return fitting;
  }

  /** The subjects named in a text in lower case. */
  namesIn(lowered: string): readonly Hit<readonly string[]>[] {
    return this.#names.in(lowered).filter(({ start, end }) => end - start > 2 || isWordEnd(lowered, end));
  }
}
