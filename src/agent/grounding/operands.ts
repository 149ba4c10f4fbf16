import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Binding } from './binding.ts';
import type { CheckContext } from './check-context.ts';
import { derive, type Operand } from './derive.ts';
import { type FactClaims, isRateFact } from './fact-claims.ts';
import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';
import type { Line } from './layout.ts';
import { hasParameterOf, isWritten } from './matching.ts';
import type { PlainVerdict } from './verdict.ts';

/** A number under judgement. */
export interface Judged {
  readonly figure: Figure;
  readonly line: Line;
  readonly binding: Binding;
  verdict: Omit<PlainVerdict, 'start' | 'end'> | undefined;
  /** The fact that it states. */
  fact?: EvidenceFact;
}

/** The nearest numbers are the likeliest operands, and each pair of them is tried. */
const MAX_OPERANDS = 12;
const MAX_OPERAND_DISTANCE = 400;
const MAX_NAMED_FACTS = 8;
const MAX_COUNT = 10;
const MAX_OWN_OPERANDS = 4;
const MAX_RATES = 3;
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

const COUNT_WORD = /\bshares\b|\d\s?주[를을는씩와과,]/u;

/** Finds what numbers of an answer may be calculated from. */
export class Operands {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;
  readonly #counts = new Map<Line, { readonly hasWord: boolean; readonly figures: readonly Figure[] }>();

  constructor(context: CheckContext, claims: FactClaims) {
    this.#context = context;
    this.#claims = claims;
  }

  /** Whether the words allow the number to be calculated from others. */
  isCued(judged: Judged): boolean {
    const { isComparing, isSupposing } = judged.binding;
    return isComparing || isSupposing || judged.figure.kind === 'multiple' || this.#hasCount(judged);
  }

  /** A change between two prices of the same sentence: `from $141.98 to $190.17, a gain of 33.94%`. */
  changeInSentence({ figure, line, binding }: Judged, all: readonly Judged[]): string | undefined {
    const sentence = line.sentences.find(({ end }) => figure.start < end) ?? line;
    const prices = all.flatMap(({ fact, figure: { start, end } }) =>
      fact?.kind === 'money' && start >= sentence.start && end <= figure.start && PRICES.has(fact.metric)
        ? [{ ...operandOf(fact), isStated: true, text: this.#context.answer.text.slice(start, end) }]
        : [],
    );
    const [first, second] = prices;
    if (!first || !second || prices.length > 2) return undefined;
    const change = (second.value / first.value - 1) * 100;
    const isOrdered = / to |에서|→|->/u.test(this.#context.answer.text.slice(sentence.start, figure.start));
    const sign = figure.sign ?? binding.direction;
    const isRight =
      isWritten(change, figure, undefined) && (sign === undefined || Math.sign(change) === sign);
    if (isRight) return `(${second.text} − ${first.text}) ÷ ${first.text}`;
    return isOrdered
      ? undefined
      : derive(figure, prices, binding.direction, { isCued: false, isSupposing: false });
  }

  /** The numbers that this one may follow from. */
  operandsFor(judged: Judged, all: readonly Judged[]): readonly Operand[] {
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
        const text = this.#context.answer.text.slice(start, end).trim();
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
      this.isCued(judged) || binding.direction !== undefined || binding.named?.includes('change') === true;
    const inSentence = this.#context.answer.names.flatMap(({ start, value }) =>
      start >= sentence.start && start < sentence.end ? value : [],
    );
    const subjects =
      (figure.kind === 'multiple' || figure.kind === 'percentPoints') && inSentence.length > 0
        ? [...new Set(inSentence)]
        : (binding.entities ?? stated.flatMap(({ entity }) => entity ?? []).slice(0, 1));
    const named = new Set(
      isCued
        ? this.#context.answer.words.flatMap(({ start, value }) =>
            start >= sentence.start && start < sentence.end ? value.metrics : [],
          )
        : [],
    );
    if (isCued) named.add('price').add('close');
    if (binding.isSupposing) named.add('changePercent');
    const facts = (subjects && isCued ? this.#claims.factsOf(subjects) : [])
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
      ? this.#context.index.all
          .filter((fact) => isRateFact(fact) && fact.kind === 'money')
          .slice(-MAX_RATES)
          .map(operandOf)
      : [];
    const counts = this.#context.answer.figures
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
          ...(isCued ? this.#context.ownNumbers().slice(-MAX_OWN_OPERANDS) : []),
        ].map((each) => [`${each.value} ${each.kind} ${each.currency}`, each]),
      ).values(),
    ];
  }

  /** Whether the line counts shares, so that an amount may be a product. Each line is read once. */
  #hasCount({ figure, line }: Judged): boolean {
    let counts = this.#counts.get(line);
    if (!counts) {
      const { text, figures } = this.#context.answer;
      const isInLine = ({ start, end }: Figure): boolean => start >= line.start && end <= line.end;
      counts = {
        hasWord: COUNT_WORD.test(text.slice(line.start, line.end)),
        figures: figures.filter((each) => each.kind === 'count' && isInLine(each)),
      };
      this.#counts.set(line, counts);
    }
    return counts.hasWord || counts.figures.some((each) => each !== figure);
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
