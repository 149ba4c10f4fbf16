import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Binding } from './binding.ts';
import { Calculations, MAX_PLAIN_OPERAND } from './calculations.ts';
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
  type Limit,
  limitOf,
  writtenRange,
} from './matching.ts';
import { isRateFact } from './rates.ts';

/** Facts that any sentence may state: they are about what was asked, not about a company. */
const ANYWHERE: ReadonlySet<MetricId> = new Set<MetricId>(['calculation', 'converted', 'other']);

/** What a number without a word for it is taken to be. */
export const HEADLINE: ReadonlySet<MetricId> = new Set<MetricId>([
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

const MARGINS: ReadonlySet<MetricId> = new Set<MetricId>(['grossMargin', 'operatingMargin', 'profitMargin']);

const FROM_BEFORE = /(?:from|시작가|처음)\s?(?:about\s|약\s)?$/iu;
const FROM_AFTER = /^\s?(?:에서|→|->|to\s|a year ago|이던|였던)/iu;
/** `60만 원을 내주고`, but not `561,000원을 기록했습니다`: what somebody does something with is no price of now. */
const OBJECT_AFTER = /^[을를]\s(?!기록|나타|보이|보였|가리|유지|형성)/u;
/** A list of closes covers a few days or weeks. */
const MAX_LISTED_DAYS = 35;
const SPAN_LEEWAY_DAYS = 4;
const LOOK = 24;

/** Changes before the open and after the close, which words must name. */
const isOfOtherSession = ({ parameter }: EvidenceFact): boolean =>
  parameter === 'after-hours' || parameter === 'pre-market';
const OUT_OF_HOURS =
  /시간\s?외|장\s?(?:전|후)|프리\s?마켓|애프터|after[- ]?hours|pre[- ]?market|post[- ]?market|extended/iu;

/** `100엔당 9.4871원`: the price of one yen is not that of a hundred. */
const HUNDRED_YEN = /(?:100\s?(?:엔|jpy|yen)|¥\s?100)[^\d]{0,6}$/iu;
const isForAnotherAmount = ({ parameter }: EvidenceFact, { start }: Figure, text: string): boolean =>
  parameter !== '100' && HUNDRED_YEN.test(text.slice(Math.max(0, start - LOOK), start));

/** Tells which facts a number may state, and which say otherwise. */
export class FactClaims {
  readonly #context: CheckContext;
  readonly #calculations: Calculations;
  readonly #matches = new Map<Figure, readonly EvidenceFact[]>();
  readonly #about = new Map<string, readonly EvidenceFact[]>();

  constructor(context: CheckContext) {
    this.#context = context;
    this.#calculations = new Calculations(context);
  }

  /** The facts about these subjects, and those that belong to no single one. */
  factsOf(entities: readonly string[]): readonly EvidenceFact[] {
    const key = entities.join(' ');
    const known = this.#about.get(key);
    if (known) return known;
    const own = entities.flatMap((entity) => this.#context.index.byEntity.get(entity) ?? []);
    const about = [
      ...own,
      ...this.#context.index.all.filter(
        (fact) => !entities.includes(fact.entity) && this.isShared(fact, entities),
      ),
    ];
    this.#about.set(key, about);
    return about;
  }

  /** The facts with this value and unit, whatever they are about. Few of many, so each number looks at these alone. */
  withValueOf(figure: Figure): readonly EvidenceFact[] {
    const known = this.#matches.get(figure);
    if (known) return known;
    const limit = limitOf(this.#context.answer.text, figure);
    const isStated = (fact: EvidenceFact): boolean =>
      hasUnitOf(figure, fact) &&
      isWritten(fact.value, figure, limit) &&
      !(fact.entity.startsWith('JPY') && isForAnotherAmount(fact, figure, this.#context.answer.text));
    const { value, alternatives } = figure;
    const found = this.#near(figure, value, limit).filter(isStated);
    for (const written of alternatives)
      for (const fact of this.#near(figure, written, limit))
        if (isStated(fact) && !found.includes(fact)) found.push(fact);
    this.#matches.set(figure, found);
    return found;
  }

  #near(figure: Figure, written: number, limit: Limit): readonly EvidenceFact[] {
    const [from, to] = writtenRange(figure, written, limit);
    return this.#context.index.between(from, to);
  }

  /** The fact that a number states, if any. */
  statedBy(figure: Figure, binding: Binding): EvidenceFact | undefined {
    const stated = this.withValueOf(figure).filter(
      (fact) =>
        this.#hasMetric(fact, binding) &&
        this.#fitsContext(fact, figure, binding) &&
        hasSignOf(figure, fact, binding) &&
        this.#calculations.isUsable(fact),
    );
    if (stated.length === 0) return undefined;
    const own = stated.findLast((fact) => this.#isCandidate(fact, binding));
    if (own || binding.entities === undefined || binding.isEntityNear) return own;
    return this.#elsewhere(this.#candidates(binding), binding).length > 0 ? stated.at(-1) : undefined;
  }

  /** Whether the fact is of the day that the words name. */
  isOfDay(fact: EvidenceFact, binding: Binding): boolean {
    return (
      hasDayOf(fact, binding) && !this.#hasDatedTwin(fact, binding) && !this.#isOtherClose(fact, binding)
    );
  }

  /** Whether the fact is of the span and the day that the words name, or of now. */
  isNowOf(fact: EvidenceFact, binding: Binding): boolean {
    return (
      (fact.isNewest || binding.days !== undefined) &&
      !isOfOtherSession(fact) &&
      hasParameterOf(fact, binding) &&
      hasPeriodOf(fact, binding, this.#context.isAskedSpan) &&
      hasDayOf(fact, binding)
    );
  }

  /** The calculation that a number is an operand of. */
  calculationWith(figure: Figure): EvidenceFact | undefined {
    return this.#calculations.withOperand(figure);
  }

  /** Whether the fact is no calculation with unknown operands. */
  isUsable(fact: EvidenceFact): boolean {
    return this.#calculations.isUsable(fact);
  }

  /** `전일 종가`: not the close of another day, if the previous close is known. */
  #isOtherClose({ metric, entity }: EvidenceFact, { named, isMetricAtNumber }: Binding): boolean {
    return (
      isMetricAtNumber &&
      named?.[0] === 'previousClose' &&
      (metric === 'close' || metric === 'price') &&
      (this.#context.index.byEntity.get(entity) ?? []).some((other) => other.metric === 'previousClose')
    );
  }

  /** The fact that says otherwise about the same subject, metric, day and span. */
  against(figure: Figure, line: Line, binding: Binding): EvidenceFact | undefined {
    const { entities, isMetricNear, isMetricByDirection, isEntityNear, direction } = binding;
    const { text } = this.#context.answer;
    const isImplied =
      !isMetricNear &&
      // `102,000원에서 102,300원으로`: the first one is of before.
      !FROM_AFTER.test(text.slice(figure.end, figure.end + LOOK)) &&
      !FROM_BEFORE.test(text.slice(Math.max(0, figure.start - LOOK), figure.start)) &&
      !OBJECT_AFTER.test(text.slice(figure.end, figure.end + LOOK)) &&
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
    // `It's 20.2% of your portfolio`: the share of something, which need not be the largest one.
    const isAnyShare = named[0] === 'weight';
    const isOutOfHours = (): boolean =>
      OUT_OF_HOURS.test(text.slice(line.parent?.start ?? line.start, line.end));
    const found = own.filter(
      (fact) =>
        named.includes(fact.metric) &&
        !(isAnyShare && fact.metric === 'largestShare') &&
        !ANYWHERE.has(fact.metric) &&
        hasUnitOf(figure, fact) &&
        hasParameterOf(fact, binding) &&
        hasPeriodOf(fact, binding, this.#context.isAskedSpan) &&
        hasDayOf(fact, binding) &&
        (fact.isNewest || binding.days !== undefined) &&
        (!isOfOtherSession(fact) || isOutOfHours()),
    );
    // Of a portfolio, its own value is meant, or that of a holding, which only the name of the holding tells.
    const isOfWhole = entities?.every((entity) => entity.startsWith('portfolio:')) ?? false;
    const ofWhole = isOfWhole ? found.filter(({ entity }) => entities?.includes(entity)) : [];
    const about = ofWhole.length > 0 ? ofWhole : found;
    if (isOfWhole && isAnyShare) return undefined;
    // `a margin of 19%`: of several margins, nobody knows which one is meant.
    if (about.filter(({ metric }) => MARGINS.has(metric)).length > 1) return undefined;
    if ((!entities || isOfWhole) && new Set(about.map(({ entity }) => entity)).size > 1) return undefined;
    const values = new Set(
      about.filter(({ metric }) => metric === about[0]?.metric).map(({ value }) => value),
    );
    // `두 종목(삼성전자, SK하이닉스)만 33.76%`: the number is of none of them alone.
    if (entities && entities.length > 1 && values.size > 1) return undefined;
    const inOrder = about.toSorted((a, b) => named.indexOf(a.metric) - named.indexOf(b.metric));
    // The same number with the other sign is what was meant; otherwise, what the word names first.
    return inOrder.find((fact) => fact.isSigned && isWritten(fact.value, figure, undefined)) ?? inOrder[0];
  }

  /** Facts that belong to no single company: pairs, calculations, totals of a portfolio. */
  isShared({ entity, metric }: EvidenceFact, entities: readonly string[]): boolean {
    if (ANYWHERE.has(metric)) return true;
    if (!entity.includes('/')) return false;
    const parts = entity.split('/');
    const known = parts.filter((part) => entities.includes(part)).length;
    return (
      parts.length > 1 && known > 0 && (metric !== 'correlation' || known >= Math.min(2, entities.length))
    );
  }

  /** Whether the fact fits everything that the words say, apart from the value. */
  #fitsContext(fact: EvidenceFact, figure: Figure, binding: Binding): boolean {
    return (
      hasUnitOf(figure, fact) &&
      hasParameterOf(fact, binding) &&
      hasPeriodOf(fact, binding, this.#context.isAskedSpan) &&
      this.isOfDay(fact, binding) &&
      (fact.isNewest || this.isDated(fact, figure, binding))
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
  isDated(fact: EvidenceFact, { start, end }: Figure, { days, periods }: Binding): boolean {
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

  /** Whether a number may state the fact, by its subject. */
  #isCandidate(fact: EvidenceFact, binding: Binding): boolean {
    const { entities } = binding;
    return (
      entities === undefined ||
      entities.includes(fact.entity) ||
      this.isShared(fact, entities) ||
      this.#candidates(binding).includes(fact)
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
}
