import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Binding } from './binding.ts';
import type { CheckContext } from './check-context.ts';
import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';
import type { Line } from './layout.ts';
import {
  hasDayOf,
  hasParameterOf,
  hasPeriodOf,
  hasSignOf,
  hasUnitOf,
  isWritten,
  limitOf,
} from './matching.ts';

/** Facts that any sentence may state: they are about what was asked, not about a company. */
const ANYWHERE: ReadonlySet<MetricId> = new Set<MetricId>(['calculation', 'converted', 'other']);

/** What a number without a word for it is taken to be. */
const HEADLINE: ReadonlySet<MetricId> = new Set<MetricId>([
  'price',
  'close',
  'exchangeRate',
  'changePercent',
  'quantity',
  'volume',
  'preMarketPrice',
  'afterHoursPrice',
  'kimchiPremium',
  'correlation',
  'alertPrice',
  'entryNumber',
  'entryCount',
  'rowCount',
  ...ANYWHERE,
]);

/** What "up 3 %" without a further word is about. */
const MOVED: readonly MetricId[] = ['changePercent'];
/** What an amount in an answer about holdings can be. */
const HOLDING_VALUES: ReadonlySet<MetricId> = new Set<MetricId>([
  'marketValue',
  'marketValueBase',
  'totalValue',
  'averageCost',
]);
/** What an amount beside a company is without a further word. */
export const IMPLIED: readonly MetricId[] = ['price', 'close', 'exchangeRate'];
/** What a word means where the subject has no fact of its first meaning: an EPS is the expected one. */
const FALLBACKS: Readonly<Partial<Record<MetricId, readonly MetricId[]>>> = {
  volume: ['averageVolume'],
  peTrailing: ['peForward'],
  epsTrailing: ['epsForward', 'epsEstimate'],
};

const FROM_BEFORE = /(?:from|시작가|처음)\s?(?:about\s|약\s)?$/iu;
const FROM_AFTER = /^\s?(?:에서|→|->|to\s|a year ago|이던|였던)/iu;
/** A list of closes covers a few days or weeks. */
const MAX_LISTED_DAYS = 35;
const SPAN_LEEWAY_DAYS = 4;
const LOOK = 24;

/** Numbers that formulas contain: counts, months, days of a year. */
const MAX_PLAIN_OPERAND = 600;
const PLAIN_OPERANDS: ReadonlySet<number> = new Set([1_000, 10_000, 100_000_000, 1_000_000]);
/** How a percentage stands in a formula: as it is, as a fraction, for a month, as growth. */
const RATE_FORMS: readonly ((rate: number) => number)[] = [
  (rate) => rate,
  (rate) => rate / 100,
  (rate) => rate / 1_200,
  (rate) => 1 + rate / 100,
  (rate) => 1 - rate / 100,
  (rate) => 1 + rate / 1_200,
];

const plainFigure = (value: number, lastPower: number): Figure => ({
  start: 0,
  end: 0,
  kind: 'plain',
  value,
  alternatives: [],
  sign: undefined,
  currency: undefined,
  lastPower,
  isApproximate: false,
  isBracketed: false,
  durationDays: undefined,
});

const PAIR = /^[A-Z]{3}\/?[A-Z]{3}(?:=X)?$/u;
/** The price of a currency. */
export const isRateFact = ({ metric, entity }: EvidenceFact): boolean =>
  metric === 'exchangeRate' || PAIR.test(entity);

/** Tells which facts a number may state, and which say otherwise. */
export class FactClaims {
  readonly #context: CheckContext;
  readonly #calculations = new Map<EvidenceFact, boolean>();

  constructor(context: CheckContext) {
    this.#context = context;
  }

  /** The facts about these subjects, and those that belong to no single one. */
  factsOf(entities: readonly string[]): readonly EvidenceFact[] {
    const own = entities.flatMap((entity) => this.#context.index.byEntity.get(entity) ?? []);
    return [
      ...own,
      ...this.#context.index.all.filter(
        (fact) => !entities.includes(fact.entity) && this.#isShared(fact, entities),
      ),
    ];
  }

  /** The fact that a number states, if any. */
  statedBy(figure: Figure, binding: Binding): EvidenceFact | undefined {
    const limit = limitOf(this.#context.answer.text, figure);
    const isStated = (fact: EvidenceFact): boolean =>
      this.#hasMetric(fact, binding) &&
      this.#fitsContext(fact, figure, binding) &&
      isWritten(fact.value, figure, limit) &&
      hasSignOf(figure, fact, binding) &&
      this.#isUsable(fact);
    const own = this.#candidates(binding);
    const isGuessed = binding.entities !== undefined && !binding.isEntityNear;
    return (
      own.findLast(isStated) ?? (isGuessed ? this.#elsewhere(own, binding).findLast(isStated) : undefined)
    );
  }

  /** The fact that says otherwise about the same subject, metric, day and span. */
  against(figure: Figure, line: Line, binding: Binding): EvidenceFact | undefined {
    const { entities, isMetricNear, isMetricByDirection, isEntityNear, direction } = binding;
    const isImplied =
      !isMetricNear &&
      isEntityNear &&
      figure.kind === 'money' &&
      direction === undefined &&
      figure.sign === undefined;
    const named = isMetricByDirection
      ? MOVED
      : isMetricNear
        ? binding.named
        : isImplied && binding.metrics === undefined
          ? IMPLIED
          : undefined;
    if (!named) return undefined;
    // `40 NVIDIA shares at an average cost of …`: a bare count is no amount.
    if (
      figure.kind === 'plain' &&
      !line.row &&
      Number.isInteger(figure.value) &&
      figure.value < MAX_PLAIN_OPERAND
    )
      return undefined;
    const own = this.#candidates(binding);
    const about = own.filter(
      (fact) =>
        named.includes(fact.metric) &&
        !ANYWHERE.has(fact.metric) &&
        (hasUnitOf(figure, fact) || (figure.kind === 'money' && fact.kind === 'money')) &&
        hasParameterOf(fact, binding) &&
        hasPeriodOf(fact, binding, this.#context.isAskedSpan) &&
        hasDayOf(fact, binding) &&
        (fact.isNewest || binding.days !== undefined),
    );
    if (!entities && new Set(about.map(({ entity }) => entity)).size > 1) return undefined;
    const inOrder = about.toSorted((a, b) => named.indexOf(a.metric) - named.indexOf(b.metric));
    // The same number with the other sign is what was meant; otherwise, what the word names first.
    return inOrder.find((fact) => fact.isSigned && isWritten(fact.value, figure, undefined)) ?? inOrder[0];
  }

  /** Facts that belong to no single company: pairs, calculations, totals of a portfolio. */
  #isShared({ entity, metric }: EvidenceFact, entities: readonly string[]): boolean {
    if (ANYWHERE.has(metric)) return true;
    return entity.includes('/') && entity.split('/').some((part) => entities.includes(part));
  }

  /** Whether the fact fits everything that the words say, apart from the value. */
  #fitsContext(fact: EvidenceFact, figure: Figure, binding: Binding): boolean {
    return (
      hasUnitOf(figure, fact) &&
      hasParameterOf(fact, binding) &&
      hasPeriodOf(fact, binding, this.#context.isAskedSpan) &&
      hasDayOf(fact, binding) &&
      !this.#hasDatedTwin(fact, binding) &&
      (fact.isNewest || this.#isDated(fact, figure, binding))
    );
  }

  /** The high of a year has no day, but the same value may be known with its day. */
  #hasDatedTwin({ metric, entity }: EvidenceFact, { days, isDayRelative }: Binding): boolean {
    if (!days || isDayRelative || (metric !== 'yearHigh' && metric !== 'yearLow')) return false;
    const twin = metric === 'yearHigh' ? 'periodHigh' : 'periodLow';
    return (this.#context.index.byEntity.get(entity) ?? []).some(
      (fact) => fact.metric === twin && fact.days.length > 0,
    );
  }

  /** Whether a subject has the metric in this currency, so that nothing has to be converted. */
  #hasOwn(
    metrics: readonly MetricId[],
    entities: readonly string[] | undefined,
    currency: string | undefined,
  ): boolean {
    return (entities ?? []).some((entity) =>
      this.#context.index.byEntity
        .get(entity)
        ?.some(
          (fact) => metrics.includes(fact.metric) && fact.currency === currency && !ANYWHERE.has(fact.metric),
        ),
    );
  }

  /** Whether the words tell that the value is not of now. */
  #isDated(fact: EvidenceFact, { start, end }: Figure, { days, periods }: Binding): boolean {
    if (days || fact.days.some((day) => this.#context.namedDays.has(day))) return true;
    const { text } = this.#context.answer;
    if (
      fact.isFirst &&
      (FROM_BEFORE.test(text.slice(Math.max(0, start - LOOK), start)) ||
        FROM_AFTER.test(text.slice(end, end + LOOK)))
    )
      return true;
    return (
      fact.metric === 'close' &&
      periods.some((span) => span > 1 && span < MAX_LISTED_DAYS && this.#isWithin(fact, span))
    );
  }

  #isWithin({ days: [day] }: EvidenceFact, span: number): boolean {
    return day !== undefined && this.#context.today - day <= span + SPAN_LEEWAY_DAYS;
  }

  #hasMetric(fact: EvidenceFact, { metrics, isMetricNear, entities, days }: Binding): boolean {
    if (
      fact.metric === 'converted' &&
      isMetricNear &&
      metrics &&
      this.#hasOwn(metrics, entities, fact.currency)
    )
      return false;
    if (ANYWHERE.has(fact.metric)) return true;
    if (metrics?.includes(fact.metric)) return true;
    if (fact.metric === 'previousClose' && days && metrics?.includes('close')) return true;
    const isFallback = metrics?.some(
      (id) =>
        FALLBACKS[id]?.includes(fact.metric) &&
        !this.#context.index.byEntity.get(fact.entity)?.some(({ metric }) => metric === id),
    );
    if (isFallback) return true;
    if (metrics && isMetricNear) return false;
    if (this.#context.answer.isAboutHoldings && HOLDING_VALUES.has(fact.metric)) return true;
    return (
      HEADLINE.has(fact.metric) ||
      (fact.entity.startsWith('portfolio:') && (!entities || entities.includes(fact.entity)))
    );
  }

  /** The facts that a number may state, by its subject. */
  #candidates({ entities, named, isEntityNear, isMetricNear }: Binding): readonly EvidenceFact[] {
    if (!entities) return this.#context.index.all;
    const isOfPortfolio = entities.every((entity) => entity.startsWith('portfolio:'));
    if (isOfPortfolio && !(isEntityNear && isMetricNear)) return this.#context.index.all;
    const about = this.factsOf(entities);
    // `Your cash of ₩3.25M would buy 0.023 BTC`: no company has cash.
    const isForeign = isEntityNear && !about.some(({ metric }) => named?.includes(metric));
    const own = isEntityNear && !isForeign ? about : [...about, ...this.#context.ofThePerson];
    return named?.[0] === 'exchangeRate' ? [...own, ...this.#context.index.all.filter(isRateFact)] : own;
  }

  /** Facts of other subjects, if the topic has none of the named metrics. */
  #elsewhere(own: readonly EvidenceFact[], { metrics }: Binding): readonly EvidenceFact[] {
    if (!metrics || own.some((fact) => metrics.includes(fact.metric) && !ANYWHERE.has(fact.metric)))
      return [];
    return this.#context.index.all;
  }

  /** A calculation counts only if its operands are known. */
  #isUsable(fact: EvidenceFact): boolean {
    if (fact.metric !== 'calculation') return true;
    const known = this.#calculations.get(fact);
    if (known !== undefined) return known;
    this.#calculations.set(fact, false);
    const operands = fact.known.fact.operands ?? [];
    const telling = operands.filter((operand) => Math.abs(Number(operand)) > MAX_PLAIN_OPERAND);
    const isKnown = telling.length === 0 || telling.some((operand) => this.#isKnownOperand(operand));
    this.#calculations.set(fact, isKnown);
    return isKnown;
  }

  #isKnownOperand(operand: string): boolean {
    const value = Math.abs(Number(operand));
    const point = operand.indexOf('.');
    const decimals = point === -1 ? 0 : operand.length - point - 1;
    if (decimals === 0 && (value <= MAX_PLAIN_OPERAND || PLAIN_OPERANDS.has(value))) return true;
    const figure = plainFigure(value, -decimals);
    const isIt = (known: number): boolean =>
      RATE_FORMS.some((form) => isWritten(form(Math.abs(known)), figure, undefined));
    return (
      this.#context.index.all.some(
        (fact) => (fact.metric !== 'calculation' || this.#isUsable(fact)) && isIt(fact.value),
      ) ||
      this.#context.ownNumbers().some((own) => isIt(own.value)) ||
      this.#context.looseNumbers().some(isIt)
    );
  }
}
