import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Binding } from './binding.ts';
import type { CheckContext } from './check-context.ts';
import { coarsenessOf, derive, type Operand } from './derive.ts';
import type { FactClaims } from './fact-claims.ts';
import { isOfCoin, pricedBy } from './rates.ts';
import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { type Line, type Range, sentenceAt } from './layout.ts';
import { hasParameterOf, isWritten } from './matching.ts';
import { within } from './read-answer.ts';
import type { PlainVerdict } from './verdict.ts';

/** A number under judgement. */
export interface Judged {
  readonly figure: Figure;
  readonly line: Line;
  readonly binding: Binding;
  verdict: Omit<PlainVerdict, 'start' | 'end'> | undefined;
  /** The fact that it states. */
  fact: EvidenceFact | undefined;
}

/** The nearest numbers are the likeliest operands, and each pair of them is tried. */
const MAX_STATED = 12;
const MAX_DISTANCE = 400;
const MAX_FACTS = 24;
const MAX_OWN = 4;
const MAX_RATES = 6;
const MAX_SUBJECTS = 3;
const MAX_SUMMED = 6;
const MAX_COUNT = 400;
/** A number with one or two digits follows only from the few numbers of each kind that are nearest to it. */
const COARSE = 0.02;
const NEAREST = 5;
/** With fewer digits, a fact has the same value by chance. */
const TELLING = 0.02;
/** With so many digits, any two facts of a subject may be the operands. */
const FINE = 0.001;
/** Over a long weekend. */
const MAX_DAYS_BETWEEN = 4;
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

/** What a number is compared with if the words name nothing else. */
const NOW: ReadonlySet<MetricId> = new Set<MetricId>(['price', 'close']);

/** A price is of now, a previous close of the day before. */
const timeOf = ({ metric, days }: EvidenceFact): number | undefined => {
  const day = days.at(-1);
  if (day === undefined || !PRICES.has(metric)) return undefined;
  return metric === 'previousClose' ? day - 1 : day;
};

const operandOf = (fact: EvidenceFact, rank: Operand['rank']): Operand => ({
  value: fact.parameter === HUNDRED && pricedBy(fact) !== undefined ? fact.value / 100 : fact.value,
  kind: fact.kind,
  currency: fact.currency,
  text: fact.known.fact.value,
  prices: pricedBy(fact),
  metric: fact.metric,
  day: timeOf(fact),
  rank,
  start: undefined,
});

/** Words for numbers that a formula may use. */
const FACTORS: readonly (readonly [words: RegExp, value: number])[] = [
  [/절반|반토막|\bhalf\b|\bhalves\b/iu, 2],
  [/분기|\bquarter/iu, 4],
  [/매달|월 |한 달|monthly|a month|per month/iu, 12],
  [/\btwo\b|\btwice\b|\bdouble|두\s/iu, 2],
  [/\bthree\b|\btriple|세\s/iu, 3],
];
const TOTAL = /총|합계|합쳐|더해|in total|altogether|combined|together|all told/iu;
const COUNT_WORD = /\bshares\b|\d\s?주[를을는씩와과,]/u;
const AVERAGE = /평균|평단|average|\bmean\b|midpoint|중간값/iu;
const EQUALS = /[=≈]\s?(?:약\s?)?[₩$€£¥]?$/u;
/** A currency pair: what a sentence without a name is about in an answer about exchange rates. */
const PAIR = /^USD\/?KRW/u;
const SENTENCE_REACH = 200;

/** Yen are quoted by the hundred. */
const HUNDRED = '100';
/** A rate without a fact is of the dollar. */
const FOREIGN = 'USD';

const factor = (value: number): Operand => ({
  value,
  kind: 'count',
  currency: undefined,
  text: String(value),
  prices: undefined,
  metric: undefined,
  day: undefined,
  rank: 1,
  start: undefined,
});

/** One operand of each amount, with the lowest rank. */
const different = (operands: readonly Operand[]): readonly Operand[] => {
  const found: Operand[] = [];
  for (const each of operands) {
    const place = found.findIndex(
      ({ value, kind, currency }) => value === each.value && kind === each.kind && currency === each.currency,
    );
    const same = found[place];
    if (!same) found.push(each);
    else if (each.rank < same.rank) found[place] = { ...same, rank: each.rank };
  }
  return found;
};

/** Finds what numbers of an answer may be calculated from. */
export class Operands {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;

  constructor(context: CheckContext, claims: FactClaims) {
    this.#context = context;
    this.#claims = claims;
  }

  /** How the number follows from others. `isDoubtful`: a fact says what it should be. */
  formulaOf(judged: Judged, all: readonly Judged[], isDoubtful: boolean): string | undefined {
    const { figure, binding } = judged;
    const { isComparing, isSupposing, direction } = binding;
    const again = all.find(
      (each) =>
        each.figure.start < figure.start &&
        (each.figure.kind === figure.kind || figure.kind === 'plain') &&
        (each.figure.currency === figure.currency || figure.kind === 'plain') &&
        each.verdict?.verdict === 'derived' &&
        each.verdict.formula !== undefined &&
        isWritten(each.figure.value, figure, undefined),
    );
    if (again?.verdict?.formula !== undefined) return again.verdict.formula;
    const sentence = sentenceAt(judged.line, judged.figure.start);
    const coarseness = coarsenessOf(figure);
    const names = within(this.#context.answer.names, sentence.start, sentence.end).flatMap(
      ({ value }) => value,
    );
    const isRatio =
      figure.kind === 'percentPoints' || (figure.kind === 'multiple' && new Set(names).size > 1);
    const before = this.#context.answer.text.slice(Math.max(0, figure.start - 4), figure.start);
    const isTotal = TOTAL.test(
      this.#context.answer.text.slice(Math.max(sentence.start, figure.start - 8), figure.end + 14),
    );
    const isCued =
      isComparing || isSupposing || isRatio || isTotal || EQUALS.test(before) || this.hasCount(judged);
    const stated = this.#stated(judged, all, coarseness > COARSE ? NEAREST : MAX_STATED);
    const operands = [
      ...stated,
      ...(coarseness > COARSE && !isCued && direction === undefined
        ? []
        : this.#unstated(judged, sentence, stated)),
    ];
    const subjects = new Set([
      ...(binding.entities ?? this.#onlySubjects()),
      ...this.#context.answer.names.flatMap(({ value }) => value),
    ]);
    const isFactElsewhere =
      coarseness < TELLING &&
      this.#claims
        .withValueOf(figure)
        .some(({ entity, kind }) => kind === figure.kind && subjects.has(entity));
    const isAverage = AVERAGE.test(this.#context.answer.text.slice(sentence.start, sentence.end));
    return (
      this.#sumOfSubjects(figure, names, isCued) ??
      derive(
        figure,
        different(operands),
        { direction, isCued, isSupposing, isAverage, isDoubtful, isFactElsewhere },
        this.#context.answer.text,
      )
    );
  }

  /** `삼성전자와 SK하이닉스를 합치면 33.76%`: the same metric of all subjects of the sentence, together or on average. */
  #sumOfSubjects(figure: Figure, names: readonly string[], isCued: boolean): string | undefined {
    const subjects = [...new Set(names)];
    if (!isCued || subjects.length < 2 || subjects.length > MAX_SUMMED || coarsenessOf(figure) > COARSE)
      return undefined;
    const byMetric = Map.groupBy(
      subjects
        .flatMap((subject) => this.#context.index.byEntity.get(subject) ?? [])
        .filter((fact) => fact.isNewest && fact.kind === figure.kind && fact.currency === figure.currency),
      ({ metric, parameter }) => `${metric} ${parameter}`,
    );
    for (const facts of byMetric.values()) {
      const values = [...new Map(facts.map((fact) => [fact.entity, fact])).values()];
      if (values.length < 2) continue;
      const sum = values.reduce((total, { value }) => total + value, 0);
      const formula = values.map(({ known }) => known.fact.value).join(' + ');
      if (isWritten(sum, figure, undefined)) return formula;
      if (isWritten(sum / values.length, figure, undefined)) return `(${formula}) ÷ ${values.length}`;
    }
    return undefined;
  }

  /** Whether the sentence counts shares, so that an amount may be a product. */
  hasCount(judged: Judged): boolean {
    const { text, figures } = this.#context.answer;
    const { start, end } = sentenceAt(judged.line, judged.figure.start);
    return (
      judged.figure.kind === 'money' &&
      (COUNT_WORD.test(text.slice(start, end)) ||
        within(figures, start, end).some(
          (each) => each !== judged.figure && (each.kind === 'count' || isOfCoin(each)),
        ))
    );
  }

  /** Whether the number is as many times the value as the sentence counts shares. */
  isMultiple(judged: Judged, value: number): boolean {
    const { start, end } = sentenceAt(judged.line, judged.figure.start);
    return within(this.#context.answer.figures, start, end).some(
      (each) =>
        (each.kind === 'count' || each.kind === 'plain') &&
        each.value > 1 &&
        isWritten(each.value * value, judged.figure, undefined),
    );
  }

  /** Numbers of the answer, the nearest first. */
  #stated(judged: Judged, all: readonly Judged[], most: number): readonly Operand[] {
    const { figure, line } = judged;
    const place = line.sentences.findIndex(({ end }) => figure.start < end);
    const from = line.sentences[place - 1]?.start ?? line.sentences[place]?.start ?? line.start;
    const to = line.sentences[place]?.end ?? line.end;
    /** How many of each kind are nearer. */
    const counts = new Map<Figure['kind'], number>();
    return all
      .filter(
        (each) =>
          each !== judged &&
          (each.fact ?? each.verdict) &&
          each.verdict?.verdict !== 'contradicted' &&
          each.verdict?.verdict !== 'unsupported' &&
          // A result stands after its operands.
          (each.verdict?.verdict !== 'derived' || each.figure.start < figure.start),
      )
      .map((each) => ({ each, distance: Math.abs(each.figure.start - figure.start) }))
      .filter(({ distance }) => distance <= MAX_DISTANCE)
      .toSorted((a, b) => a.distance - b.distance)
      .filter(({ each }) => {
        const nearer = counts.get(each.figure.kind) ?? 0;
        counts.set(each.figure.kind, nearer + 1);
        return nearer < most;
      })
      .flatMap(({ each }): readonly Operand[] => {
        const { start, end, kind, currency, value } = each.figure;
        const isRate = each.binding.isMetricNear && each.binding.named?.[0] === 'exchangeRate';
        const written: Operand = {
          value:
            each.fact?.isSigned && Math.abs(each.fact.value) === Math.abs(value) ? each.fact.value : value,
          kind: kind === 'plain' && each.fact ? each.fact.kind : kind,
          currency: kind === 'plain' && each.fact ? each.fact.currency : currency,
          text: this.#context.answer.text.slice(start, end).trim(),
          prices: each.fact ? pricedBy(each.fact) : isRate ? FOREIGN : undefined,
          metric: each.fact?.metric,
          day: each.fact && timeOf(each.fact),
          rank: start >= from && end <= to ? 0 : 1,
          start,
        };
        const isRounded =
          each.fact && each.fact.kind !== 'date' && Math.abs(each.fact.value) !== Math.abs(value);
        return isRounded && each.fact
          ? [
              {
                ...written,
                value: each.fact.isSigned
                  ? each.fact.value
                  : Math.sign(value || 1) * Math.abs(each.fact.value),
              },
              written,
            ]
          : [written];
      });
  }

  /** The person's numbers, facts about the subjects, exchange rates, and factors. */
  #unstated(judged: Judged, sentence: Range, stated: readonly Operand[]): readonly Operand[] {
    const { figure, binding } = judged;
    const { words, names, figures, text, topic } = this.#context.answer;
    const written = text.slice(
      Math.max(sentence.start, figure.start - SENTENCE_REACH),
      Math.min(sentence.end, figure.end + SENTENCE_REACH),
    );
    const inSentence = within(names, sentence.start, sentence.end).flatMap(({ value }) => value);
    const bound = binding.entities ?? (topic.length > 0 ? topic : this.#onlySubjects());
    const subjects = [...new Set([...inSentence, ...bound])];
    const { line } = judged;
    const previous =
      line.sentences[line.sentences.findIndex(({ end }) => figure.start < end) - 1] ?? sentence;
    const worded = new Set(within(words, previous.start, sentence.end).flatMap(({ value }) => value.metrics));
    if (this.hasCount(judged) || figure.kind === 'count') worded.add('quantity');
    // `현금 비중은 6.55%`: of the whole portfolio.
    const isOfCash = figure.kind === 'percent' && worded.has('cashValue') && worded.has('weight');
    if (isOfCash) worded.add('totalValue');
    const named = new Set(worded);
    const isRatio = figure.kind === 'percent' || figure.kind === 'multiple' || figure.kind === 'plain';
    const isOfToday = binding.periods.includes(1);
    for (const metric of ['price', 'close', 'exchangeRate', 'change', 'changePercent'] as const)
      named.add(metric);
    const isFine = coarsenessOf(figure) <= FINE;
    const spans = new Set<string | undefined>(
      within(figures, sentence.start, sentence.end).map(({ value }) => String(value)),
    );
    // The close of the day that is named, and the one before.
    const isNamedDay = ({ metric, days: [day] }: EvidenceFact): boolean =>
      metric === 'close' &&
      day !== undefined &&
      (binding.days ?? []).some((named) => named >= day && named - day <= MAX_DAYS_BETWEEN);
    const isMoved = binding.isComparing || binding.direction !== undefined;
    const about = this.#claims.factsOf(subjects);
    const facts = (isOfCash ? [...this.#context.ofThePerson, ...about] : about)
      .filter(
        (fact) =>
          (isFine || named.has(fact.metric)) &&
          (hasParameterOf(fact, binding) || spans.has(fact.parameter)) &&
          (fact.isNewest || isNamedDay(fact) || (isOfToday && this.#isPreviousClose(fact))) &&
          (fact.metric !== 'previousClose' || isOfToday || named.has('previousClose')) &&
          fact.kind !== 'date',
      )
      .map((fact) =>
        operandOf(
          fact,
          isMoved && ((NOW.has(fact.metric) && fact.isNewest) || (isRatio && worded.has(fact.metric)))
            ? 0
            : named.has(fact.metric)
              ? 1
              : 2,
        ),
      )
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MAX_FACTS);
    const currencies = new Set([figure.currency, ...stated.map(({ currency }) => currency)]);
    const rates =
      figure.kind === 'money'
        ? this.#context.index.all
            .filter((fact) => fact.isNewest && fact.metric !== 'change' && currencies.has(pricedBy(fact)))
            .slice(-MAX_RATES)
            .map((fact) => operandOf(fact, 1))
        : [];
    const counts = within(figures, sentence.start, sentence.end)
      .filter(
        ({ kind, value, durationDays }) =>
          kind === 'plain' &&
          value > 1 &&
          value <= MAX_COUNT &&
          Number.isInteger(value) &&
          durationDays !== 365,
      )
      .map(({ value }) =>
        figure.kind === 'plain' ? { ...factor(value), kind: 'plain' as const } : factor(value),
      );
    const factors = FACTORS.flatMap(([word, value]) =>
      word.test(written) ? [{ ...factor(value), rank: 0 as const }] : [],
    );
    return [...this.#context.ownNumbers().slice(-MAX_OWN), ...facts, ...rates, ...counts, ...factors];
  }

  /** The subjects of the conversation, if there are only a few. */
  #onlySubjects(): readonly string[] {
    const entities = [...this.#context.index.byEntity.keys()];
    return entities.length <= MAX_SUBJECTS
      ? entities
      : entities.filter((entity) => PAIR.test(entity)).slice(0, MAX_SUBJECTS);
  }

  /** The last close but one, which a change of the day is measured from. */
  #isPreviousClose({ entity, metric, days: [day] }: EvidenceFact): boolean {
    if (metric !== 'close' || day === undefined) return false;
    const later = (this.#context.index.byEntity.get(entity) ?? []).filter(
      (each) => each.metric === 'close' && (each.days[0] ?? 0) > day,
    );
    const [next] = later;
    return later.length === 1 && (next?.days[0] ?? 0) - day <= MAX_DAYS_BETWEEN;
  }
}
