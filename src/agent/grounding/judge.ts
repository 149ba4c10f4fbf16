import { METRICS, type MetricId } from '#src/kernel/fact-metrics.ts';
import { amountsIn } from '#src/language/amounts.ts';
import { Binder, type Binding, type ReadAnswer } from './binding.ts';
import type { CheckedNumber, Evidence } from './check-answer.ts';
import { derive, type Operand } from './derive.ts';
import { exemptionOf, namesWithNumbers } from './exempt.ts';
import { dayNumber, type EvidenceFact, type FactIndex } from './fact-index.ts';
import { type DateMention, type Figure, readFigures } from './figures.ts';
import { type Line, linesOf, type Range } from './layout.ts';
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
const MAX_COUNT = 10;
const MAX_OWN_OPERANDS = 4;
const MAX_RATES = 3;
/** Over a long weekend. */
const MAX_DAYS_BETWEEN = 4;
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
const HOLDING_VALUES: ReadonlySet<MetricId> = new Set<MetricId>([
  'marketValue',
  'marketValueBase',
  'totalValue',
  'averageCost',
]);
const PRICES: ReadonlySet<MetricId> = new Set<MetricId>([
  'price',
  'close',
  'previousClose',
  'lastYearClose',
  'open',
  'averageCost',
  'periodLow',
  'periodHigh',
  'yearLow',
  'yearHigh',
]);
const IMPLIED: readonly MetricId[] = ['price', 'close', 'exchangeRate'];
const FROM_BEFORE = /(?:from|시작가|처음)\s?(?:about\s|약\s)?$/iu;
const FROM_AFTER = /^\s?(?:에서|→|->|to\s|a year ago|이던|였던)/iu;
/** A list of closes covers a few days or weeks. */
const MAX_LISTED_DAYS = 35;
const SPAN_LEEWAY_DAYS = 4;
const AS_OF = /^\s?(?:기준|현재|자|as of)/iu;
const AS_OF_BEFORE = /(?:as of|as at)\s+(?:the close (?:of|on)\s+)?$/iu;
const LOOK = 24;
const AT_ONCE = 4;

const PAIR = /^[A-Z]{3}\/?[A-Z]{3}(?:=X)?$/u;
const isRateFact = ({ metric, entity }: EvidenceFact): boolean =>
  metric === 'exchangeRate' || PAIR.test(entity);

/** A price is of now, a previous close of the day before. */
const timeOf = ({ metric, days }: EvidenceFact): number | undefined => {
  const day = days.at(-1);
  if (day === undefined || !PRICES.has(metric)) return undefined;
  return metric === 'previousClose' ? day - 1 : day;
};

const operandOf = (fact: EvidenceFact): Operand => ({
  value: fact.value,
  kind: fact.kind,
  currency: fact.currency,
  text: fact.known.fact.value,
  isRate: isRateFact(fact),
  isStated: false,
  day: timeOf(fact),
});

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

/** What a word means where the subject has no fact of its first meaning: an EPS is the expected one. */
const FALLBACKS: Readonly<Partial<Record<MetricId, readonly MetricId[]>>> = {
  volume: ['averageVolume'],
  peTrailing: ['peForward'],
  epsTrailing: ['epsForward', 'epsEstimate'],
};

const significantDigits = ({ value, lastPower }: Figure): number =>
  String(Math.round(Math.abs(value) / 10 ** lastPower)).replace(/0+$/u, '').length;

const isRound = (figure: Figure): boolean => significantDigits(figure) <= 2;

/** `Holdings` of POSCO Holdings, and `주가` of `1.8억 주가`, name no metric. */
const isCovered = (word: Range, others: readonly Range[], inside = 0): boolean =>
  others.some(
    ({ start, end }) => start + inside <= word.start && word.start < end && word.end <= end + inside,
  );

const HOLDINGS =
  /stake|자산|국내 주식|해외 주식|\d\s?주로|\d shares,|보유|수익|손익|평단|평가|포트폴리오|원화로|달러로|portfolio|position|holding|unreali[sz]|cost basis|return|\bterms\b/iu;

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
  readonly #namedDays: ReadonlySet<number>;
  readonly #calculations = new Map<EvidenceFact, boolean>();
  /** Facts about a portfolio as a whole, and taxes: no company is their subject. */
  readonly #ofThePerson: readonly EvidenceFact[];
  #own: readonly Operand[] | undefined;
  #loose: readonly number[] | undefined;
  #spans: readonly number[] | undefined;

  constructor(text: string, evidence: Evidence, index: FactIndex) {
    const lower = text.toLowerCase();
    const lowered = lower.length === text.length ? lower : text;
    const { figures, dates } = readFigures(text, evidence.today);
    const names = index.namesIn(lowered);
    const words = wordsIn(lowered).filter((word) => !isCovered(word, names) && !isCovered(word, figures, 1));
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
      names,
      isAboutHoldings: HOLDINGS.test(text) || HOLDINGS.test(lastQuestion(evidence.ownText)),
      topic: [...new Set(index.namesIn(lastQuestion(evidence.ownText)).flatMap(({ value }) => value))],
    };
    this.#ofThePerson = index.all.filter(({ entity }) => /^(?:portfolio|tax)(?:[: ]|$)/u.test(entity));
    this.#today = dayNumber(evidence.today);
    this.#namedDays = new Set(dates.flatMap(({ days }) => days));
  }

  verdicts(): { readonly verdicts: readonly PlainVerdict[]; readonly uncheckedCount: number } {
    const { figures, lines, text } = this.#answer;
    const lineAt = this.#lineFinder(lines);
    const numbered = namesWithNumbers(text);
    const parameters = new Set(this.#index.all.map(({ parameter }) => parameter));
    const isParameter = (value: number): boolean => parameters.has(String(value));
    const exempt = new Set<Figure>();
    for (const figure of figures) {
      const line = lineAt(figure.start);
      if (!line || exemptionOf(figure, line, this.#answer, isParameter, numbered)) exempt.add(figure);
    }
    const binder = new Binder(this.#answer, this.#index, (figure) => exempt.has(figure));
    const judged = figures.flatMap((figure): readonly Judged[] => {
      const line = lineAt(figure.start);
      if (!line || exempt.has(figure)) return [];
      const binding = this.#withoutFutureDays(binder.bind(figure, line));
      if (process.env['DBG'])
        console.log(
          '   ',
          text.slice(figure.start, figure.end),
          figure.kind,
          figure.value,
          'E',
          binding.entities?.join(),
          binding.isEntityNear,
          'M',
          binding.metrics?.join(),
          binding.isMetricNear,
          binding.isMetricByDirection,
          'D',
          binding.days?.join(),
          binding.isDayRelative,
          'P',
          binding.periods.join(),
          'par',
          binding.parameters.join(),
          'dir',
          binding.direction,
          binding.directionAfter,
          binding.isComparing ? 'cmp' : '',
          binding.isSupposing ? 'sup' : '',
        );
      return [{ figure, line, binding, verdict: undefined }];
    });
    for (const each of judged) this.#judgeByFacts(each);
    for (const each of judged) if (!each.verdict) this.#judgeByWords(each, judged);
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
    const asked = lastQuestion(this.#evidence.ownText);
    this.#spans ??= [
      ...wordsIn(asked).flatMap(({ value }) => value.periodDays ?? []),
      ...readFigures(asked, this.#evidence.today).figures.flatMap(({ durationDays }) => durationDays ?? []),
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
      !this.#hasDatedTwin(fact, binding) &&
      (fact.isNewest || this.#isDated(fact, figure, binding))
    );
  }

  /** The high of a year has no day, but the same value may be known with its day. */
  #hasDatedTwin({ metric, entity }: EvidenceFact, { days, isDayRelative }: Binding): boolean {
    if (!days || isDayRelative || (metric !== 'yearHigh' && metric !== 'yearLow')) return false;
    const twin = metric === 'yearHigh' ? 'periodHigh' : 'periodLow';
    return (this.#index.byEntity.get(entity) ?? []).some(
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
      this.#index.byEntity
        .get(entity)
        ?.some(
          (fact) => metrics.includes(fact.metric) && fact.currency === currency && !ANYWHERE.has(fact.metric),
        ),
    );
  }

  /** Whether the words tell that the value is not of now. */
  #isDated(fact: EvidenceFact, { start, end }: Figure, { days, periods }: Binding): boolean {
    if (days || fact.days.some((day) => this.#namedDays.has(day))) return true;
    const { text } = this.#answer;
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
    return day !== undefined && this.#today - day <= span + SPAN_LEEWAY_DAYS;
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
        !this.#index.byEntity.get(fact.entity)?.some(({ metric }) => metric === id),
    );
    if (isFallback) return true;
    if (metrics && isMetricNear) return false;
    if (this.#answer.isAboutHoldings && HOLDING_VALUES.has(fact.metric)) return true;
    return (
      HEADLINE.has(fact.metric) ||
      (fact.entity.startsWith('portfolio:') && (!entities || entities.includes(fact.entity)))
    );
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
    const own = this.#candidates(binding);
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

  /** The facts that a number may state, by its subject. */
  #candidates({ entities, named, isEntityNear, isMetricNear }: Binding): readonly EvidenceFact[] {
    if (!entities) return this.#index.all;
    const isOfPortfolio = entities.every((entity) => entity.startsWith('portfolio:'));
    if (isOfPortfolio && !(isEntityNear && isMetricNear)) return this.#index.all;
    const own = isEntityNear ? this.#factsOf(entities) : [...this.#factsOf(entities), ...this.#ofThePerson];
    return named?.[0] === 'exchangeRate' ? [...own, ...this.#index.all.filter(isRateFact)] : own;
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
      this.#index.all.some(
        (fact) => (fact.metric !== 'calculation' || this.#isUsable(fact)) && isIt(fact.value),
      ) ||
      this.#ownNumbers().some((own) => isIt(own.value)) ||
      this.#looseNumbers().some(isIt)
    );
  }

  #ownNumbers(): readonly Operand[] {
    this.#own ??= readFigures(this.#evidence.ownText.slice(-MAX_OWN), this.#evidence.today).figures.map(
      ({ value, kind, currency, start, end }) => ({
        value,
        kind,
        currency,
        text: this.#evidence.ownText.slice(-MAX_OWN).slice(start, end),
        isRate: false,
        isStated: true,
        day: undefined,
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

  /** Whether two numbers of the untyped text give this one: a difference, a sum, a ratio or a change. */
  #followsFromLoose(figure: Figure): boolean {
    const numbers = [...new Set(this.#looseNumbers().map(Math.abs))].slice(0, 60);
    const isPercent = figure.kind === 'percent';
    const isRatio = isPercent || figure.kind === 'multiple' || figure.kind === 'plain';
    const scales = isPercent || figure.kind === 'multiple' ? [1] : SCALES;
    return numbers.some((a) =>
      numbers.some((b) => {
        if (a === b || b === 0) return false;
        const given = isRatio
          ? [(a / b - 1) * 100, (a / b) * 100, a / b, a - b]
          : [a - b, a + b, (a + b) / 2, a * b, a / b];
        return given.some((value) => scales.some((scale) => isWritten(value * scale, figure, undefined)));
      }),
    );
  }

  /** The fact that says otherwise about the same subject, metric, day and span. */
  #contradiction({ figure, line, binding }: Judged): EvidenceFact | undefined {
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
        hasPeriodOf(fact, binding, this.#isKnownSpan) &&
        hasDayOf(fact, binding) &&
        (fact.isNewest || binding.days !== undefined),
    );
    if (!entities && new Set(about.map(({ entity }) => entity)).size > 1) return undefined;
    // The metric that the word names first is the likeliest.
    const inOrder = about.toSorted((a, b) => named.indexOf(a.metric) - named.indexOf(b.metric));
    // The same number with the other sign is what was meant; otherwise, what the word names first.
    return inOrder.find((fact) => fact.isSigned && isWritten(fact.value, figure, undefined)) ?? inOrder[0];
  }

  #hasCount({ figure, line }: Judged): boolean {
    if (/\bshares\b|\d\s?주[를을는씩와과,]/u.test(this.#answer.text.slice(line.start, line.end))) return true;
    return this.#answer.figures.some(
      (each) => each !== figure && each.kind === 'count' && each.start >= line.start && each.end <= line.end,
    );
  }

  /** Whether the words allow the number to be calculated from others. */
  #isCued(judged: Judged): boolean {
    const { isComparing, isSupposing } = judged.binding;
    return isComparing || isSupposing || judged.figure.kind === 'multiple' || this.#hasCount(judged);
  }

  /** By the person's words, unless a fact says otherwise. */
  #judgeByWords(judged: Judged, all: readonly Judged[]): void {
    const { figure, binding } = judged;
    const isOwn = this.#isOwn(figure);
    if (binding.isSupposing && (isOwn || isRound(figure))) {
      judged.verdict = isOwn ? { verdict: 'quoted', quotedFrom: 'person' } : { verdict: 'exempt' };
      return;
    }
    const change = figure.kind === 'percent' ? this.#changeInSentence(judged, all) : undefined;
    if (change !== undefined) {
      judged.verdict = { verdict: 'derived', formula: change };
      return;
    }
    const against = this.#contradiction(judged);
    const isNamed =
      binding.isMetricNear &&
      (!binding.isMetricByDirection || (binding.periods.length > 0 && !binding.isMetricOpen));
    const isReversed =
      against !== undefined && against.isSigned && isWritten(against.value, figure, undefined);
    if (
      against &&
      (isReversed || (isNamed && !binding.isComparing && !binding.isSupposing)) &&
      (!isOwn || IMPLIED.includes(against.metric))
    )
      judged.verdict = { verdict: 'contradicted', known: against.known };
    else if (isOwn) judged.verdict = { verdict: 'quoted', quotedFrom: 'person' };
  }

  /** A change between two prices of the same sentence: `from $141.98 to $190.17, a gain of 33.94%`. */
  #changeInSentence({ figure, line, binding }: Judged, all: readonly Judged[]): string | undefined {
    const sentence = line.sentences.find(({ end }) => figure.start < end) ?? line;
    const prices = all.flatMap(({ fact, figure: { start, end } }) =>
      fact?.kind === 'money' && start >= sentence.start && end <= figure.start && PRICES.has(fact.metric)
        ? [{ ...operandOf(fact), isStated: true, text: this.#answer.text.slice(start, end) }]
        : [],
    );
    const [first, second] = prices;
    if (!first || !second || prices.length > 2) return undefined;
    const change = (second.value / first.value - 1) * 100;
    const isOrdered = / to |에서|→|->/u.test(this.#answer.text.slice(sentence.start, figure.start));
    const sign = figure.sign ?? binding.direction;
    const isRight =
      isWritten(change, figure, undefined) && (sign === undefined || Math.sign(change) === sign);
    if (isRight) return `(${second.text} − ${first.text}) ÷ ${first.text}`;
    return isOrdered
      ? undefined
      : derive(figure, prices, binding.direction, { isCued: false, isSupposing: false });
  }

  /** The last close but one, which a change of the day is measured from. */
  #isPreviousClose({ entity, metric, days: [day] }: EvidenceFact): boolean {
    if (metric !== 'close' || day === undefined) return false;
    const later = (this.#index.byEntity.get(entity) ?? []).filter(
      (each) => each.metric === 'close' && (each.days[0] ?? 0) > day,
    );
    const [next] = later;
    return later.length === 1 && (next?.days[0] ?? 0) - day <= MAX_DAYS_BETWEEN;
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
      .flatMap(({ each }): readonly (Operand & { readonly entity: string | undefined })[] => {
        const { start, end, kind, currency, value } = each.figure;
        const text = this.#answer.text.slice(start, end).trim();
        const isRate = each.fact
          ? isRateFact(each.fact)
          : each.binding.isMetricNear && each.binding.named?.[0] === 'exchangeRate';
        const written = {
          value,
          kind,
          currency,
          text,
          isRate,
          isStated: true,
          day: each.fact && timeOf(each.fact),
          entity: each.fact?.entity,
        };
        const isRounded =
          each.fact && each.fact.kind !== 'date' && Math.abs(each.fact.value) !== Math.abs(value);
        return isRounded && each.fact
          ? [{ ...written, value: Math.sign(value || 1) * Math.abs(each.fact.value) }, written]
          : [written];
      });
    const sentence = line.sentences.find(({ end }) => figure.start < end) ?? line;
    const isCued =
      this.#isCued(judged) || binding.direction !== undefined || binding.named?.includes('change') === true;
    const inSentence = this.#answer.names.flatMap(({ start, value }) =>
      start >= sentence.start && start < sentence.end ? value : [],
    );
    const subjects =
      (figure.kind === 'multiple' || figure.kind === 'percentPoints') && inSentence.length > 0
        ? [...new Set(inSentence)]
        : (binding.entities ?? stated.flatMap(({ entity }) => entity ?? []).slice(0, 1));
    const named = new Set(
      isCued
        ? this.#answer.words.flatMap(({ start, value }) =>
            start >= sentence.start && start < sentence.end ? value.metrics : [],
          )
        : [],
    );
    if (isCued) named.add('price').add('close');
    if (binding.isSupposing) named.add('changePercent');
    const facts = (subjects && isCued ? this.#factsOf(subjects) : [])
      .filter(
        (fact) =>
          named.has(fact.metric) &&
          hasParameterOf(fact, binding) &&
          (fact.isNewest || this.#isPreviousClose(fact)) &&
          fact.kind !== 'date',
      )
      .slice(0, MAX_NAMED_FACTS)
      .map((fact) => operandOf(fact));
    const isForeign =
      figure.kind === 'money' &&
      stated.some(({ kind, currency }) => kind === 'money' && currency !== figure.currency);
    const rates = isForeign
      ? this.#index.all
          .filter((fact) => isRateFact(fact) && fact.kind === 'money')
          .slice(-MAX_RATES)
          .map(operandOf)
      : [];
    const counts = this.#answer.figures
      .filter(
        (each) =>
          each.start >= sentence.start &&
          each.start < sentence.end &&
          each.kind === 'plain' &&
          each.durationDays === undefined &&
          each.value > 1 &&
          each.value <= MAX_COUNT &&
          Number.isInteger(each.value),
      )
      .map(({ value }): Operand => ({
        value,
        kind: 'count',
        currency: undefined,
        text: String(value),
        isRate: false,
        isStated: true,
        day: undefined,
      }));
    return [
      ...new Map(
        [
          ...facts,
          ...rates,
          ...stated,
          ...(isCued && figure.kind === 'money' ? counts : []),
          ...(isCued ? this.#ownNumbers().slice(-MAX_OWN_OPERANDS) : []),
        ].map((each) => [`${each.value} ${each.kind} ${each.currency}`, each]),
      ).values(),
    ];
  }

  /** By other numbers of the answer and by untyped text. What is left has no source. */
  #judgeByOthers(judged: Judged, all: readonly Judged[]): void {
    const { figure, binding } = judged;
    const isCoarse =
      significantDigits(figure) < MIN_TELLING_DIGITS &&
      !this.#isCued(judged) &&
      binding.direction === undefined;
    const formula = isCoarse
      ? undefined
      : derive(figure, this.#operandsFor(judged, all), binding.direction, {
          isCued: this.#isCued(judged),
          isSupposing: binding.isSupposing,
        });
    if (formula !== undefined) {
      judged.verdict = { verdict: 'derived', formula };
      return;
    }
    const against = this.#contradiction(judged);
    if (against) judged.verdict = { verdict: 'contradicted', known: against.known };
    else if (this.#evidence.looseText !== '' && (this.#isLoose(figure) || this.#followsFromLoose(figure)))
      judged.verdict = { verdict: 'quoted', quotedFrom: 'text' };
    else judged.verdict = { verdict: 'unsupported' };
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
        isBracketed: false,
        durationDays: undefined,
      };
      const metrics = this.#dateMetrics(start, end, line);
      if (!metrics) return [];
      const { entities } = binder.bind(figure, line);
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

  /** What the word at a date says it is the day of. */
  #dateMetrics(start: number, end: number, line: Line): readonly MetricId[] | undefined {
    const dated = this.#answer.words.flatMap(({ value, ...word }) => {
      const metrics = value.metrics.filter((id) => METRICS[id].kind === 'date');
      return metrics.length > 0 && word.start >= line.start && word.end <= line.end
        ? [{ ...word, metrics }]
        : [];
    });
    const { text } = this.#answer;
    const after = dated.find(
      (word) =>
        word.start >= end && word.start - end <= AT_ONCE && !/[),;]/u.test(text.slice(end, word.start)),
    );
    if (after) return after.metrics;
    const before = dated.findLast((word) => word.end <= start && start - word.end <= LOOK);
    const isOfOther = this.#dates.some((date) => before && date.start >= before.end && date.end <= start);
    return isOfOther ? undefined : before?.metrics;
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
