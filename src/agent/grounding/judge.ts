import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { amountsIn } from '#src/language/amounts.ts';
import { Binder, type Binding, type ReadAnswer } from './binding.ts';
import type { CheckedNumber, Evidence } from './check-answer.ts';
import { derive, type Operand } from './derive.ts';
import { exemptionOf, namesWithNumbers } from './exempt.ts';
import { dayNumber, type EvidenceFact, type FactIndex } from './fact-index.ts';
import { type DateMention, type Figure, readFigures } from './figures.ts';
import { type Line, linesOf } from './layout.ts';
import {
  hasDayOf,
  hasParameterOf,
  hasPeriodOf,
  hasSignOf,
  hasUnitOf,
  isWritten,
  limitOf,
} from './matching.ts';
import { isSamePeriod } from './periods.ts';
import { wordsIn } from './vocabulary.ts';

/** A verdict about a part of the plain text. */
export type PlainVerdict = Omit<CheckedNumber, 'text'>;

interface Judged {
  readonly figure: Figure;
  readonly line: Line;
  readonly binding: Binding;
  verdict: Omit<PlainVerdict, 'start' | 'end'> | undefined;
  fact?: EvidenceFact;
}

const MAX_FIGURES = 500;
const MAX_OWN = 20_000;
const MAX_LOOSE = 60_000;
const MAX_OPERANDS = 12;
const MAX_OPERAND_DISTANCE = 400;
const MAX_NAMED_FACTS = 8;
/** Page tables are often in thousands or millions. */
const SCALES = [1, 1e3, 1e6, 1e9, 1e4, 1e8, 1e-2] as const;
const MIN_TELLING_DIGITS = 3;

/** Facts that any sentence may state: they are about what was asked, not about a company. */
const ANYWHERE: ReadonlySet<MetricId> = new Set<MetricId>(['calculation', 'converted', 'other']);

/** What a number without a word for it is taken to be. */
const HEADLINE: ReadonlySet<MetricId> = new Set<MetricId>([
  'price',
  'close',
  'exchangeRate',
  'changePercent',
  'change',
  'quantity',
  'marketValue',
  'marketValueBase',
  'totalValue',
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

const IMPLIED: readonly MetricId[] = ['price', 'close', 'exchangeRate'];
const AS_OF = /^\s?(?:기준|현재|자|as of)/iu;
const AS_OF_BEFORE = /(?:as of|as at)\s+(?:the close (?:of|on)\s+)?$/iu;
const LOOK = 24;

const significantDigits = ({ value, lastPower }: Figure): number =>
  String(Math.round(Math.abs(value) / 10 ** lastPower)).replace(/0+$/u, '').length;

const isRound = (figure: Figure): boolean => significantDigits(figure) <= 2;

const MAX_QUESTION = 400;
const lastQuestion = (ownText: string): string => {
  const asked = ownText.trimEnd();
  return asked.slice(Math.max(asked.lastIndexOf('\n') + 1, asked.length - MAX_QUESTION)).toLowerCase();
};

/** Decides about each number of one answer. */
export class Judge {
  readonly #evidence: Evidence;
  readonly #index: FactIndex;
  readonly #answer: ReadAnswer;
  readonly #dates: readonly DateMention[];
  readonly #uncheckedCount: number;
  readonly #today: number;
  readonly #namedMetrics: ReadonlySet<MetricId>;
  readonly #namedDays: ReadonlySet<number>;
  readonly #calculations = new Map<EvidenceFact, boolean>();
  #own: readonly Operand[] | undefined;
  #loose: readonly number[] | undefined;
  #spans: readonly number[] | undefined;

  constructor(text: string, evidence: Evidence, index: FactIndex) {
    const lower = text.toLowerCase();
    const lowered = lower.length === text.length ? lower : text;
    const { figures, dates } = readFigures(text, evidence.today);
    const words = wordsIn(lowered);
    this.#evidence = evidence;
    this.#index = index;
    this.#uncheckedCount = Math.max(0, figures.length - MAX_FIGURES);
    this.#dates = dates;
    this.#answer = {
      text,
      lines: linesOf(text),
      figures: figures.slice(0, MAX_FIGURES),
      dates,
      words,
      names: index.namesIn(lowered),
      topic: [...new Set(index.namesIn(lastQuestion(evidence.ownText)).flatMap(({ value }) => value))],
    };
    this.#today = dayNumber(evidence.today);
    this.#namedMetrics = new Set(words.flatMap(({ value }) => value.metrics));
    this.#namedDays = new Set(dates.flatMap(({ days }) => days));
  }

  verdicts(): { readonly verdicts: readonly PlainVerdict[]; readonly uncheckedCount: number } {
    const { figures, lines, text } = this.#answer;
    const lineAt = this.#lineFinder(lines);
    const numbered = namesWithNumbers(text);
    const exempt = new Set<Figure>();
    for (const figure of figures) {
      const line = lineAt(figure.start);
      if (!line || exemptionOf(figure, line, this.#answer, numbered)) exempt.add(figure);
    }
    const binder = new Binder(this.#answer, this.#index, (figure) => exempt.has(figure));
    const judged = figures.flatMap((figure): readonly Judged[] => {
      const line = lineAt(figure.start);
      if (!line || exempt.has(figure)) return [];
      const binding = this.#withoutFutureDays(binder.bind(figure, line));
      return [{ figure, line, binding, verdict: undefined }];
    });
    for (const each of judged) this.#judgeByFacts(each);
    for (const each of judged) if (!each.verdict) this.#judgeByWords(each);
    for (const each of judged) if (!each.verdict) this.#judgeByOthers(each, judged);
    const verdicts: PlainVerdict[] = [
      ...figures.flatMap(({ start, end }, index) => {
        const figure = figures[index];
        return figure && exempt.has(figure) ? [{ start, end, verdict: 'exempt' as const }] : [];
      }),
      ...judged.map(({ figure: { start, end }, verdict }) => ({
        start,
        end,
        verdict: 'unsupported' as const,
        ...verdict,
      })),
      ...this.#dateVerdicts(binder, lineAt),
    ];
    return { verdicts: verdicts.toSorted((a, b) => a.start - b.start), uncheckedCount: this.#uncheckedCount };
  }

  #lineFinder(lines: readonly Line[]): (at: number) => Line | undefined {
    let place = 0;
    return (at) => {
      if ((lines[place]?.start ?? 0) > at) place = 0;
      while (place < lines.length && (lines[place]?.end ?? 0) < at) place += 1;
      return lines[place];
    };
  }

  /** A future day is of an event, not of a price. */
  #withoutFutureDays(binding: Binding): Binding {
    const days = binding.days?.filter((day) => day <= this.#today + 1);
    return days && days.length > 0 ? { ...binding, days } : { ...binding, days: undefined };
  }

  #factsOf(entities: readonly string[]): readonly EvidenceFact[] {
    const own = entities.flatMap((entity) => this.#index.byEntity.get(entity) ?? []);
    return [
      ...own,
      ...this.#index.all.filter((fact) => !entities.includes(fact.entity) && this.#isShared(fact, entities)),
    ];
  }

  /** Facts that belong to no single company: pairs, calculations, totals of a portfolio. */
  #isShared({ entity, metric }: EvidenceFact, entities: readonly string[]): boolean {
    if (ANYWHERE.has(metric)) return true;
    return entity.includes('/') && entity.split('/').some((part) => entities.includes(part));
  }

  readonly #isKnownSpan = (days: number): boolean => {
    this.#spans ??= [
      ...this.#answer.words.flatMap(({ value }) => value.periodDays ?? []),
      ...this.#answer.figures.flatMap(({ durationDays }) => durationDays ?? []),
      ...wordsIn(this.#evidence.ownText.slice(-MAX_OWN).toLowerCase()).flatMap(
        ({ value }) => value.periodDays ?? [],
      ),
      ...readFigures(this.#evidence.ownText.slice(-MAX_OWN), this.#evidence.today).figures.flatMap(
        ({ durationDays }) => durationDays ?? [],
      ),
    ];
    return this.#spans.some((span) => isSamePeriod(span, days));
  };

  /** Whether the fact fits everything that the words say, apart from the value. */
  #fitsContext(fact: EvidenceFact, figure: Figure, binding: Binding): boolean {
    return (
      hasUnitOf(figure, fact) &&
      hasParameterOf(fact, binding) &&
      hasPeriodOf(fact, binding, this.#isKnownSpan) &&
      hasDayOf(fact, binding) &&
      (fact.isNewest || binding.days !== undefined || fact.days.some((day) => this.#namedDays.has(day)))
    );
  }

  #hasMetric(fact: EvidenceFact, { metrics, isMetricNear }: Binding): boolean {
    if (ANYWHERE.has(fact.metric)) return true;
    if (metrics?.includes(fact.metric)) return true;
    if (metrics && isMetricNear) return false;
    return HEADLINE.has(fact.metric) || this.#namedMetrics.has(fact.metric);
  }

  #judgeByFacts(judged: Judged): void {
    const { figure, binding } = judged;
    const limit = limitOf(this.#answer.text, figure);
    const { entities, isEntityNear } = binding;
    const states = (fact: EvidenceFact): boolean =>
      this.#hasMetric(fact, binding) &&
      this.#fitsContext(fact, figure, binding) &&
      isWritten(fact.value, figure, limit) &&
      hasSignOf(figure, fact, binding) &&
      this.#isUsable(fact);
    const own = entities ? this.#factsOf(entities) : this.#index.all;
    const found =
      own.findLast(states) ??
      (entities && !isEntityNear ? this.#elsewhere(own, binding).findLast(states) : undefined);
    if (!found) return;
    judged.fact = found;
    const { label } = found.known.fact;
    judged.verdict =
      found.metric === 'calculation'
        ? { verdict: 'derived', known: found.known, ...(label !== undefined && { formula: label }) }
        : { verdict: 'supported', known: found.known };
  }

  /** Facts of other subjects, if the topic has none of the named metrics. */
  #elsewhere(own: readonly EvidenceFact[], { metrics }: Binding): readonly EvidenceFact[] {
    if (!metrics || own.some((fact) => metrics.includes(fact.metric) && !ANYWHERE.has(fact.metric)))
      return [];
    return this.#index.all;
  }

  /** A calculation counts only if its operands are known. */
  #isUsable(fact: EvidenceFact): boolean {
    if (fact.metric !== 'calculation') return true;
    const known = this.#calculations.get(fact);
    if (known !== undefined) return known;
    this.#calculations.set(fact, false);
    const isKnown = (fact.known.fact.operands ?? []).every((operand) => this.#isKnownOperand(operand));
    this.#calculations.set(fact, isKnown);
    return isKnown;
  }

  #isKnownOperand(operand: string): boolean {
    const value = Math.abs(Number(operand));
    const point = operand.indexOf('.');
    const decimals = point === -1 ? 0 : operand.length - point - 1;
    if (decimals === 0 && (value <= 12 || [100, 252, 365, 1000, 10_000].includes(value))) return true;
    const figure: Figure = {
      start: 0,
      end: 0,
      kind: 'plain',
      value,
      alternatives: [],
      sign: undefined,
      currency: undefined,
      lastPower: -decimals,
      isApproximate: false,
      durationDays: undefined,
    };
    return (
      this.#index.all.some(
        (fact) =>
          (fact.metric !== 'calculation' || this.#isUsable(fact)) && isWritten(fact.value, figure, undefined),
      ) ||
      this.#ownNumbers().some((own) => isWritten(own.value, figure, undefined)) ||
      this.#looseNumbers().some((loose) => isWritten(loose, figure, undefined))
    );
  }

  #ownNumbers(): readonly Operand[] {
    this.#own ??= readFigures(this.#evidence.ownText.slice(-MAX_OWN), this.#evidence.today).figures.map(
      ({ value, kind, currency, start, end }) => ({
        value,
        kind,
        currency,
        text: this.#evidence.ownText.slice(-MAX_OWN).slice(start, end),
      }),
    );
    return this.#own;
  }

  #looseNumbers(): readonly number[] {
    this.#loose ??= amountsIn(this.#evidence.looseText.slice(-MAX_LOOSE)).map(({ value }) =>
      value.value.toNumber(),
    );
    return this.#loose;
  }

  #isOwn(figure: Figure): boolean {
    return this.#ownNumbers().some(
      ({ value, kind, currency }) =>
        isWritten(value, figure, undefined) &&
        (kind === figure.kind || kind === 'plain' || figure.kind === 'plain') &&
        (figure.kind !== 'money' || currency === undefined || currency === figure.currency),
    );
  }

  #isLoose(figure: Figure): boolean {
    const numbers = this.#looseNumbers();
    if (numbers.some((value) => isWritten(value, figure, undefined))) return true;
    if (significantDigits(figure) < MIN_TELLING_DIGITS) return false;
    return SCALES.some((scale) => numbers.some((value) => isWritten(value * scale, figure, undefined)));
  }

  /** The fact that says otherwise about the same subject, metric, day and span. */
  #contradiction({ figure, binding }: Judged): EvidenceFact | undefined {
    const { entities, metrics, isMetricNear, isEntityNear } = binding;
    const named = isMetricNear
      ? metrics
      : metrics === undefined && isEntityNear && figure.kind === 'money'
        ? IMPLIED
        : undefined;
    if (!named) return undefined;
    const own = entities ? this.#factsOf(entities) : this.#index.all;
    const about = own.filter(
      (fact) =>
        named.includes(fact.metric) &&
        !ANYWHERE.has(fact.metric) &&
        (hasUnitOf(figure, fact) || (figure.kind === 'money' && fact.kind === 'money')) &&
        hasParameterOf(fact, binding) &&
        hasPeriodOf(fact, binding, this.#isKnownSpan) &&
        hasDayOf(fact, binding) &&
        (fact.isNewest || binding.days !== undefined),
    );
    if (!entities && new Set(about.map(({ entity }) => entity)).size > 1) return undefined;
    // The metric that the word names first is the likeliest.
    return (
      named.flatMap((id) => about.filter(({ metric }) => metric === id)).at(0) &&
      about.toSorted((a, b) => named.indexOf(a.metric) - named.indexOf(b.metric)).at(0)
    );
  }

  /** By the person's words and by untyped text, unless a fact says otherwise. */
  #judgeByWords(judged: Judged): void {
    const { figure, binding } = judged;
    const isOwn = this.#isOwn(figure);
    if (binding.isSupposing && (isOwn || isRound(figure))) {
      judged.verdict = isOwn ? { verdict: 'quoted', quotedFrom: 'person' } : { verdict: 'exempt' };
      return;
    }
    const against = this.#contradiction(judged);
    if (against && !binding.isComparing) {
      judged.verdict = { verdict: 'contradicted', known: against.known };
      return;
    }
    if (isOwn) judged.verdict = { verdict: 'quoted', quotedFrom: 'person' };
    else if (this.#evidence.looseText !== '' && this.#isLoose(figure))
      judged.verdict = { verdict: 'quoted', quotedFrom: 'text' };
  }

  #operandsFor(judged: Judged, all: readonly Judged[]): readonly Operand[] {
    const { figure, line, binding } = judged;
    const stated = all
      .filter(
        (each) => each !== judged && (each.fact ?? each.verdict) && each.verdict?.verdict !== 'contradicted',
      )
      .map((each) => ({ each, distance: Math.abs(each.figure.start - figure.start) }))
      .filter(({ distance }) => distance <= MAX_OPERAND_DISTANCE)
      .toSorted((a, b) => a.distance - b.distance)
      .slice(0, MAX_OPERANDS)
      .flatMap(({ each }): readonly Operand[] => {
        const { start, end, kind, currency, value } = each.figure;
        const text = this.#answer.text.slice(start, end).trim();
        const written = { value, kind, currency, text };
        const isRounded =
          each.fact && each.fact.kind !== 'date' && Math.abs(each.fact.value) !== Math.abs(value);
        return isRounded && each.fact
          ? [{ ...written, value: Math.sign(value || 1) * Math.abs(each.fact.value) }, written]
          : [written];
      });
    const sentence = line.sentences.find(({ end }) => figure.start < end) ?? line;
    const named = new Set(
      this.#answer.words.flatMap(({ start, value }) =>
        start >= sentence.start && start < sentence.end ? value.metrics : [],
      ),
    );
    const facts = (binding.entities ? this.#factsOf(binding.entities) : [])
      .filter(
        (fact) =>
          (named.has(fact.metric) || fact.metric === 'price') && fact.isNewest && fact.kind !== 'date',
      )
      .slice(0, MAX_NAMED_FACTS)
      .map(({ value, kind, currency, known }) => ({ value, kind, currency, text: known.fact.value }));
    return [...stated, ...facts];
  }

  /** By other numbers of the answer. What is left has no source. */
  #judgeByOthers(judged: Judged, all: readonly Judged[]): void {
    const { figure, binding } = judged;
    const derivation = derive(figure, this.#operandsFor(judged, all), binding.direction);
    if (derivation) {
      judged.verdict = { verdict: 'derived', formula: derivation.formula };
      return;
    }
    const against = this.#contradiction(judged);
    judged.verdict = against ? { verdict: 'contradicted', known: against.known } : { verdict: 'unsupported' };
  }

  #dateVerdicts(binder: Binder, lineAt: (at: number) => Line | undefined): readonly PlainVerdict[] {
    const { text } = this.#answer;
    return this.#dates.flatMap(({ start, end, days, isRelative }): readonly PlainVerdict[] => {
      const [value] = days;
      const line = lineAt(start);
      if (value === undefined || isRelative || !line) return [];
      if (
        AS_OF.test(text.slice(end, end + LOOK)) ||
        AS_OF_BEFORE.test(text.slice(Math.max(0, start - LOOK), start))
      )
        return this.#asOfVerdict(start, end, days);
      const figure: Figure = {
        start,
        end,
        kind: 'date',
        value,
        alternatives: days.slice(1),
        sign: undefined,
        currency: undefined,
        lastPower: 0,
        isApproximate: false,
        durationDays: undefined,
      };
      const { entities, metrics, isMetricNear } = binder.bind(figure, line);
      if (!metrics || !isMetricNear) return [];
      const about = (entities ? this.#factsOf(entities) : this.#index.all).filter(
        (fact) => fact.kind === 'date' && metrics.includes(fact.metric),
      );
      const [against] = about;
      if (!against) return [];
      const found = about.find((fact) => days.includes(fact.value));
      return [
        found
          ? { start, end, verdict: 'supported', known: found.known }
          : { start, end, verdict: 'contradicted', known: against.known },
      ];
    });
  }

  #asOfVerdict(start: number, end: number, days: readonly number[]): readonly PlainVerdict[] {
    const dated = this.#index.all.filter((fact) => fact.days.length > 0);
    if (dated.length === 0 || days.includes(this.#today)) return [];
    const found = dated.find((fact) => fact.days.some((day) => days.includes(day)));
    return [
      found
        ? { start, end, verdict: 'supported', known: found.known }
        : { start, end, verdict: 'unsupported' },
    ];
  }
}
