import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { isMetricId, METRICS, type MetricId } from '#src/kernel/market/fact-metrics.ts';
import { SubjectNames } from '../read/names.ts';
import type { NameHit } from '../read/answer.ts';
import type { FigureKind } from '../read/figures.ts';
import { isWordEnd } from '#src/reading/particles.ts';
import type { Phrases } from '#src/reading/phrases.ts';
import type { Evidence, KnownFact } from './evidence.ts';
import { type ScannedLine, type ScannedNumber, scanTexts } from './scan.ts';
import { kindOfUnit } from './units.ts';

/** A number that the conversation has. */
export interface KnownNumber {
  readonly value: number;
  readonly kind: FigureKind;
  readonly currency: string | undefined;
  /** As written, for a formula. */
  readonly text: string;
  readonly fact?: FactNumber;
  readonly scanned?: ScannedNumber;
}

/** A fact prepared for comparison. */
export interface FactNumber extends KnownNumber {
  readonly known: KnownFact;
  readonly entity: string;
  /** `other` for metrics that are not in the list. */
  readonly metric: MetricId;
  readonly isSigned: boolean;
  /** ISO dates on which it is so. */
  readonly days: readonly string[];
  readonly nth: number;
}

const DAY_MS = 86_400_000;
/** Answers name the day of the exchange or of the person, who may be in Seoul. */
const SEOUL_MS = 9 * 3_600_000;

const daysAt = (moment: string): readonly string[] => {
  const ms = Date.parse(moment);
  if (Number.isNaN(ms)) return [];
  const days = [ms, ms + SEOUL_MS].map((at) => new Date(Math.floor(at / DAY_MS) * DAY_MS));
  return [...new Set(days.map((day) => day.toISOString().slice(0, 10)))];
};

/** Most facts of a conversation are of a few moments. */
type Moments = Map<string, readonly string[]>;
const daysOf = ({ fact: { day, asOf } }: KnownFact, moments: Moments): readonly string[] =>
  day === undefined ? moments.getOrInsertComputed(asOf, daysAt) : [day.slice(0, 10)];

const dayNumberOf = (iso: string): number => Math.round(Date.parse(iso.slice(0, 10)) / DAY_MS);

const factNumberOf = (known: KnownFact, nth: number, moments: Moments): FactNumber | undefined => {
  const { unit, entity, value: written, metric } = known.fact;
  const kind = kindOfUnit(unit);
  if (kind === undefined || written === '') return undefined;
  const value = kind === 'date' ? dayNumberOf(written) : Number(written);
  if (!Number.isFinite(value)) return undefined;
  const id = isMetricId(metric) ? metric : 'other';
  return {
    value,
    kind,
    currency: kind === 'money' ? unit : undefined,
    text: written,
    known,
    entity,
    metric: id,
    isSigned: 'isSigned' in METRICS[id],
    days: daysOf(known, moments),
    nth,
  };
};

/** Buckets of equal ratio, so that a search looks only at numbers of nearly the same size. */
const BUCKETS_OF_E = 16;
const bucketOf = (size: number): number => Math.floor(Math.log(size) * BUCKETS_OF_E);
/** Wider searches are of numbers with one digit, which prove nothing. */
const MOST_BUCKETS = 24;
const MOST_SEARCHED = 400;
const FACTS_IN_STEP = 500;

/** The numbers of an answer's evidence. */
export class Pool {
  readonly facts: FactNumber[] = [];
  readonly byEntity = new Map<string, FactNumber[]>();
  lines: readonly ScannedLine[] = [];
  readonly #buckets = new Map<number, KnownNumber[]>();
  #names: Phrases<readonly string[]> | undefined;

  /** Reads the facts. */
  static *of(evidence: Evidence): Steps<Pool> {
    const pool = new Pool();
    const names = new SubjectNames();
    const moments: Moments = new Map();
    for (const [nth, known] of evidence.facts.entries()) {
      const { entity, names: called, metric, parameter } = known.fact;
      names.addSubject(entity);
      for (const name of called ?? []) names.addCompany(name, entity);
      if (metric === 'benchmarkChange' && parameter !== undefined) names.add(parameter, entity);
      const fact = factNumberOf(known, nth, moments);
      if (fact) pool.#addFact(fact);
      if (nth % FACTS_IN_STEP === FACTS_IN_STEP - 1) yield;
    }
    pool.#names = names.phrases();
    return pool;
  }

  /** Reads the texts too, which most answers do not need: facts have all of their numbers. */
  *addTexts({ texts, today }: Evidence): Steps<void> {
    this.lines = yield* scanTexts(texts, today);
    let count = 0;
    for (const { numbers } of this.lines)
      for (const scanned of numbers) {
        this.#addScanned(scanned);
        count += 1;
        if (count % FACTS_IN_STEP === 0) yield;
      }
  }

  /** The subjects named in a text in lower case. */
  namesIn(lowered: string): readonly NameHit[] {
    return (this.#names?.in(lowered) ?? []).filter(
      ({ start, end }) => end - start > 2 || isWordEnd(lowered, end),
    );
  }

  /** The numbers whose sizes are within these bounds, facts first. */
  between(from: number, to: number): readonly KnownNumber[] {
    if (to <= 0) return [];
    const last = bucketOf(to);
    const first = Math.max(bucketOf(Math.max(from, to / 1e6)), last - MOST_BUCKETS);
    const found: KnownNumber[] = [];
    let left = MOST_SEARCHED;
    for (let bucket = first; bucket <= last; bucket += 1)
      for (const known of this.#buckets.get(bucket) ?? []) {
        const size = Math.abs(known.value);
        if (size >= from && size <= to) {
          found.push(known);
          left -= 1;
          if (left === 0) return found;
        }
      }
    return found;
  }

  #addFact(fact: FactNumber): void {
    this.facts.push(fact);
    const own = this.byEntity.get(fact.entity);
    if (own) own.push(fact);
    else this.byEntity.set(fact.entity, [fact]);
    this.#add({ ...fact, fact });
    // The numbers that the model gave to the calculator.
    for (const operand of fact.known.fact.operands ?? [])
      this.#add({ value: Number(operand), kind: 'plain', currency: undefined, text: operand, fact });
  }

  #addScanned(scanned: ScannedNumber): void {
    const { figure, text } = scanned;
    const { kind, currency } = figure;
    this.#add({ value: figure.value, kind, currency, text, scanned });
    for (const value of figure.alternatives) this.#add({ value, kind, currency, text, scanned });
  }

  #add(known: KnownNumber): void {
    const size = Math.abs(known.value);
    if (size === 0 || !Number.isFinite(size) || known.kind === 'date') return;
    const bucket = bucketOf(size);
    const others = this.#buckets.get(bucket);
    if (others) others.push(known);
    else this.#buckets.set(bucket, [known]);
  }
}
