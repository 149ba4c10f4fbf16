import { isMetricId, METRICS, type MetricId } from '#src/kernel/fact-metrics.ts';
import { isWordEnd } from '#src/language/particles.ts';
import type { Evidence, KnownFact } from './verdict.ts';
import { periodDaysOf } from './periods.ts';
import { type Hit, Phrases } from './phrases.ts';

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

const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;
/** The number of an ISO date, without making a date object. */
const isoDayNumber = (iso: string): number | undefined => {
  if (!ISO_DAY.test(iso)) return undefined;
  const at = Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1, Number(iso.slice(8, 10)));
  return Math.round(at / 86_400_000);
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

const UNIT_KINDS: Readonly<Record<string, FigureKind>> = {
  '%': 'percent',
  '%p': 'percentPoints',
  points: 'plain',
  ratio: 'plain',
  number: 'plain',
  x: 'multiple',
  units: 'count',
  shares: 'count',
  pieces: 'count',
  count: 'count',
  rows: 'count',
  days: 'count',
  date: 'date',
};

const CURRENCY = /^[A-Z]{3,5}$/;
const kindOfUnit = (unit: string): FigureKind | undefined =>
  UNIT_KINDS[unit] ?? (CURRENCY.test(unit) ? 'money' : unit === '' ? 'plain' : undefined);

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

const factOf = (known: KnownFact): EvidenceFact | undefined => {
  const { fact } = known;
  const kind = kindOfUnit(fact.unit);
  const value = kind === 'date' ? isoDayNumber(fact.value) : Number(fact.value);
  if (kind === undefined || value === undefined || fact.value === '' || !Number.isFinite(value))
    return undefined;
  const metric: MetricId = isMetricId(fact.metric) ? fact.metric : 'other';
  const ownDay = fact.day === undefined ? undefined : isoDayNumber(fact.day);
  const isDated = OF_A_DAY.has(metric);
  const periodDays = periodDaysOf(fact.period) ?? (fact.period === undefined ? OWN_SPANS[metric] : undefined);
  return {
    known,
    entity: fact.entity,
    metric,
    kind,
    isSigned: 'isSigned' in METRICS[metric],
    value,
    currency: kind === 'money' ? fact.unit : undefined,
    days:
      !isDated || ((periodDays ?? 1) !== 1 && ownDay === undefined)
        ? []
        : ownDay === undefined
          ? daysOfInstant(fact.asOf)
          : [ownDay],
    periodDays,
    since: fact.period === undefined ? undefined : isoDayNumber(fact.period),
    parameter: fact.parameter,
    isFirst: false,
    isNewest: true,
  };
};

/** The day of a value of one day; of a price, that of its exchange in the west. */
const dayOf = ({ metric, days }: EvidenceFact): number | undefined =>
  OF_A_DAY.has(metric) && metric !== 'periodHigh' && metric !== 'periodLow' && metric !== 'previousClose'
    ? days[0]
    : undefined;

/** What the answer may call its subjects. */
const PORTFOLIO_NAMES = [
  '포트폴리오',
  '계좌',
  '총자산',
  '총 자산',
  '전체 자산',
  '전체',
  'portfolio',
  'account',
  'in total',
  'overall',
];
const MIN_NAME = 2;

/** Words that name a company only together with others. */
const TOO_COMMON: ReadonlySet<string> = new Set([
  'the',
  'inc',
  'co',
  'corp',
  'group',
  'all',
  'on',
  'it',
  'so',
  'now',
  'are',
  'a',
]);

/** First words that are no short names. */
const COMMON_FIRST: ReadonlySet<string> = new Set(
  'Advanced General American United National First Global Bank Applied International Korea Korean Central Digital Crown Capital Energy Royal Public'.split(
    ' ',
  ),
);

/** `Samsung` of Samsung Electronics, `하이닉스` and `hynix` of SK하이닉스 and SK hynix. */
const shortNames = (name: string): readonly string[] => {
  const [first = '', second] = name.split(' ');
  const rest = /^[A-Za-z]{2,3}(?<rest>[가-힣]{3,}| [a-z]{4,}$)/u.exec(name)?.groups?.['rest']?.trim();
  return [
    ...(second !== undefined && /^[A-Z][a-z]{4,}$/u.test(first) && !COMMON_FIRST.has(first) ? [first] : []),
    ...(rest === undefined ? [] : [rest]),
  ];
};

/** What coins are called besides their names. */
const COINS: Readonly<Record<string, string>> = { Ethereum: 'Ether', 이더리움: '이더' };

const namesOf = ({ fact }: KnownFact): readonly string[] => {
  const code = fact.entity.split('.')[0] ?? fact.entity;
  const pair = fact.entity.includes('/') ? [] : [code];
  const names = fact.names ?? [];
  return [
    fact.entity,
    ...pair,
    ...names,
    ...names.flatMap(shortNames),
    ...names.flatMap((name) => COINS[name] ?? []),
  ];
};

/** The period of a bar that is shorter than a day. */
const WITHIN_DAY = /^\d{1,3}(?:m|h)$/u;

/** The facts of an answer's evidence, by subject. */
export class FactIndex {
  readonly all: readonly EvidenceFact[];
  readonly byEntity: ReadonlyMap<string, readonly EvidenceFact[]>;
  readonly #kinds = new Map<MetricId, Set<FigureKind>>();
  readonly #names: Phrases<readonly string[]>;
  #sorted:
    | readonly { readonly fact: EvidenceFact; readonly place: number; readonly size: number }[]
    | undefined;

  constructor({ facts }: Evidence) {
    const newest = new Map<string, number>();
    const parsed: EvidenceFact[] = [];
    const names = new Map<string, Set<string>>();
    const name = (called: string, entity: string): void => {
      const key = called.trim().toLowerCase();
      if (key.length < MIN_NAME || TOO_COMMON.has(key)) return;
      const same = names.get(key);
      if (same) same.add(entity);
      else names.set(key, new Set([entity]));
    };
    const seen = new Set<string>();
    for (const known of facts) {
      const { entity } = known.fact;
      if (!seen.has(entity) || known.fact.names || known.fact.metric === 'benchmarkChange') {
        seen.add(entity);
        for (const each of namesOf(known)) name(each, entity);
        if (known.fact.metric === 'benchmarkChange' && known.fact.parameter !== undefined)
          name(known.fact.parameter, entity);
        if (entity.startsWith('portfolio:')) for (const each of PORTFOLIO_NAMES) name(each, entity);
      }
      const fact = factOf(known);
      if (!fact) continue;
      parsed.push(fact);
      const kinds = this.#kinds.get(fact.metric);
      if (kinds) kinds.add(fact.kind);
      else this.#kinds.set(fact.metric, new Set([fact.kind]));
      const day = dayOf(fact);
      if (day !== undefined) newest.set(entity, Math.max(newest.get(entity) ?? -Infinity, day));
    }
    const first = new Map<string, number>();
    for (const fact of parsed)
      if (fact.metric === 'close')
        first.set(fact.entity, Math.min(first.get(fact.entity) ?? Infinity, fact.days[0] ?? Infinity));
    this.all = parsed.map((fact) => {
      const day = fact.known.fact.day === undefined ? undefined : dayOf(fact);
      const isFirst = fact.metric === 'close' && day === first.get(fact.entity);
      const isWithinDay = WITHIN_DAY.test(fact.known.fact.period ?? '');
      return isWithinDay || (day !== undefined && day < (newest.get(fact.entity) ?? -Infinity))
        ? { ...fact, isFirst, isNewest: false }
        : fact;
    });
    this.byEntity = Map.groupBy(this.all, ({ entity }) => entity);
    this.#names = new Phrases([...names].map(([called, entities]) => [called, [...entities]] as const));
  }

  /** The facts whose values, without their signs, are within these bounds, in the order of the facts. */
  between(from: number, to: number): readonly EvidenceFact[] {
    this.#sorted ??= this.all
      .map((fact, place) => ({ fact, place, size: Math.abs(fact.value) }))
      .toSorted((a, b) => a.size - b.size);
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle]?.size ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < this.#sorted.length && (this.#sorted[end]?.size ?? Infinity) <= to) end += 1;
    return this.#sorted
      .slice(low, end)
      .toSorted((a, b) => a.place - b.place)
      .map(({ fact }) => fact);
  }

  /** Whether a fact of this metric is written like this: the price of a bond is a percentage. */
  hasKind(metric: MetricId, kind: FigureKind): boolean {
    return this.#kinds.get(metric)?.has(kind) ?? false;
  }

  /** The subjects named in a text in lower case. */
  namesIn(lowered: string): readonly Hit<readonly string[]>[] {
    return this.#names.in(lowered).filter(({ start, end }) => end - start > 2 || isWordEnd(lowered, end));
  }
}
