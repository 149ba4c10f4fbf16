import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Binding } from './binding.ts';
import type { CheckContext } from './check-context.ts';
import { MIN_TELLING_DIGITS, significantDigits } from './digits.ts';
import { type FactClaims, HEADLINE, IMPLIED } from './fact-claims.ts';
import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { type Line, type Range, sentenceAt } from './layout.ts';
import { hasParameterOf, hasPeriodOf, hasSignOf, hasUnitOf } from './matching.ts';
import { isRateFact } from './rates.ts';
import { within } from './read-answer.ts';
import { MONEY_MOVES } from './vocabulary.ts';

/** Metrics that mean nothing without their span. */
const OF_A_SPAN: ReadonlySet<MetricId> = new Set<MetricId>([
  'change',
  'changePercent',
  'dayLow',
  'dayHigh',
  'periodLow',
  'periodHigh',
  'yearLow',
  'yearHigh',
]);

/** Words of a sentence about the past. */
const PAST = /\bago\b|back then|at the time|\bthen\b|[년달주일]\s전|전날|당시|그때|→|->/iu;
const PAST_BEFORE = /(?:from|started at|처음|시작)\s?(?:about\s|약\s)?[₩$€£¥]?$/iu;
const PAST_AFTER = /^\s?(?:에서|이던|였던|→|->|to\s)/iu;
/** An open bracket before the number. */
const BRACKET_BEFORE = /\([^()]{0,20}$/u;
const RATE_CUE = /환율[은이을로]?\s|rates?\s(?:of|is|at)/iu;
const AT = /\bat\s$/iu;
const OPERATOR_BEFORE = /[×÷*/+−=^] ?[₩$€£¥]?$| - [₩$€£¥]?$/u;
const OPERATOR_AFTER = /^ ?[×÷*/+−=^]|^ - /u;

/** What a word may also mean where other words of the sentence say more. */
const RELATED: Readonly<Partial<Record<MetricId, readonly MetricId[]>>> = {
  peTrailing: ['peForward'],
  epsTrailing: ['epsForward', 'epsEstimate'],
  unrealisedGain: ['unrealisedGainBase', 'unrealisedGainPercent', 'unrealisedFromPrice', 'unrealisedFromFx'],
  dividendRate: ['dividendYield'],
  exchangeRate: ['unrealisedFromFx'],
};

/** Words of the largest fall: `고점에서 저점까지 36.89% 빠졌다가`. */
const WORST = /최대|가장\s?크|고점에서|worst|largest|biggest|maximum|peak|deepest/iu;

/** `dropped to $86.62 on April 7`: a high or a low with its own day needs no word. */
const isOfNamedDay = ({ metric, days }: EvidenceFact, binding: Binding): boolean =>
  (metric === 'periodLow' || metric === 'periodHigh') &&
  !binding.isDayRelative &&
  days.some((day) => binding.days?.includes(day));

const LOOK = 24;
/** With so many digits, a fact has the same value hardly by chance. */
const SURE_DIGITS = 4;
/** An operator and a space stand between a number and the next one. */
const BESIDE = 4;

/** Finds the facts that numbers may state although the words around them are not clear. */
export class LikelyFacts {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;

  constructor(context: CheckContext, claims: FactClaims) {
    this.#context = context;
    this.#claims = claims;
  }

  /**
   * The fact that a number states although the words are not clear: it has the value, and nothing that is said at the
   * number speaks against it.
   */
  by(figure: Figure, line: Line, binding: Binding): EvidenceFact | undefined {
    const { text, names, dates } = this.#context.answer;
    const matches = this.#claims
      .withValueOf(figure)
      .filter(
        (fact) =>
          hasSignOf(figure, fact, binding) &&
          hasParameterOf(fact, binding) &&
          this.#claims.isOfDay(fact, binding) &&
          this.#claims.isUsable(fact),
      );
    if (matches.length === 0) return undefined;
    const sentence = sentenceAt(line, figure.start);
    const isTelling = significantDigits(figure) >= MIN_TELLING_DIGITS;
    const [next, second] = within(this.#context.answer.figures, figure.end, sentence.end);
    // `2,118.75달러, 원화로는 3,743,417원의 이익`: the same in two currencies.
    const isSaidTwice =
      figure.kind === 'money' && next?.kind === 'money' && next.currency !== figure.currency;
    const last = isSaidTwice ? second : next;
    const inSentence = this.#namedIn({ start: sentence.start, end: last?.start ?? sentence.end }, line);
    const namedHere = new Set(within(names, sentence.start, sentence.end).flatMap(({ value }) => value));
    const namedBefore = new Set([
      ...within(names, 0, figure.start).flatMap(({ value }) => value),
      ...this.#context.answer.topic,
    ]);
    const isStart =
      PAST_BEFORE.test(text.slice(Math.max(0, figure.start - LOOK), figure.start)) ||
      PAST_AFTER.test(text.slice(figure.end, figure.end + LOOK));
    const isOfThePast =
      isStart ||
      within(dates, sentence.start, sentence.end).length > 0 ||
      PAST.test(text.slice(sentence.start, sentence.end));
    const isBracketed = BRACKET_BEFORE.test(text.slice(Math.max(0, figure.start - LOOK), figure.start));
    const isInFormula =
      OPERATOR_BEFORE.test(text.slice(Math.max(0, figure.start - BESIDE), figure.start)) ||
      OPERATOR_AFTER.test(text.slice(figure.end, figure.end + BESIDE));
    const isWorst = (): boolean => WORST.test(text.slice(sentence.start, sentence.end));
    const before = text.slice(Math.max(0, figure.start - LOOK), figure.start);
    const isOfRate = isInFormula || RATE_CUE.test(before) || (figure.kind === 'plain' && AT.test(before));
    return matches.findLast((fact) => {
      const isWorded = inSentence.has(fact.metric);
      if (!isTelling && !isWorded) return false;
      if (!fact.isNewest && !isOfThePast && !this.#claims.isDated(fact, figure, binding)) return false;
      return (
        ((isRateFact(fact) && isOfRate) ||
          this.#mayBeAbout(fact, binding, namedHere, namedBefore, isWorded)) &&
        (isOfNamedDay(fact, binding) ||
          (fact.metric === 'maxDrawdown' && binding.direction === -1 && isWorst()) ||
          // `102,000원에서 102,300원으로`: where the move of the day started.
          (isStart && fact.metric === 'previousClose' && !binding.isMetricAtNumber) ||
          ((isInFormula || this.#mayBeOf(fact, figure, binding, isWorded, isBracketed)) &&
            this.#maySpan(fact, binding)))
      );
    });
  }

  /** What the words of the sentence, of the one before and of the heading name. */
  #namedIn(sentence: Range, line: Line): ReadonlySet<MetricId> {
    const { words } = this.#context.answer;
    const before =
      line.sentences[line.sentences.findIndex(({ start }) => start === sentence.start) - 1] ?? sentence;
    const parts: readonly Range[] = [sentence, before, ...(line.parent ? [line.parent] : [])];
    const named = parts
      .flatMap(({ start, end }) => within(words, start, end))
      .flatMap(({ value }) => [...value.metrics, ...(value.weak ?? [])]);
    return new Set(named.flatMap((id) => [id, ...(RELATED[id] ?? [])]));
  }

  #peers(entities: readonly string[], fact: EvidenceFact): readonly EvidenceFact[] {
    // A company with a share of its own has not that of the largest one.
    const metric = fact.metric === 'largestShare' ? 'weight' : fact.metric;
    return entities
      .flatMap((entity) => this.#context.index.byEntity.get(entity) ?? [])
      .filter((each) => each.metric === metric && each.kind === fact.kind);
  }

  /** Whether no name at the number says that it is about somebody else. */
  #mayBeAbout(
    fact: EvidenceFact,
    { entities, isEntityFirm, isEntityNear }: Binding,
    namedHere: ReadonlySet<string>,
    namedBefore: ReadonlySet<string>,
    isWorded: boolean,
  ): boolean {
    if (!entities || entities.includes(fact.entity) || this.#claims.isShared(fact, entities)) return true;
    if (this.#context.ofThePerson.includes(fact))
      return (!isEntityFirm || isWorded) && this.#peers(entities, fact).length === 0;
    if (isEntityFirm) return namedHere.has(fact.entity) && this.#peers(entities, fact).length === 0;
    return (
      namedHere.has(fact.entity) ||
      (!isEntityNear && (namedBefore.has(fact.entity) || namedBefore.size === 0))
    );
  }

  /** Whether no word at the number says that it is something else. */
  #mayBeOf(
    fact: EvidenceFact,
    figure: Figure,
    binding: Binding,
    isWorded: boolean,
    isBracketed: boolean,
  ): boolean {
    const { metrics, named, isMetricAtNumber, isEntityNear } = binding;
    if (metrics?.includes(fact.metric)) return true;
    if (!isMetricAtNumber || named === MONEY_MOVES) {
      if (isWorded) return true;
      // `+3.2%` without a word is a change.
      if (figure.kind === 'percent' && (figure.sign ?? binding.direction) !== undefined) return false;
      return (
        (isBracketed && figure.kind !== 'count') ||
        (binding.isSupposing && significantDigits(figure) >= SURE_DIGITS) ||
        HEADLINE.has(fact.metric) ||
        (named === MONEY_MOVES && (fact.isSigned || binding.entities === undefined)) ||
        (metrics === undefined &&
          figure.kind !== 'count' &&
          (!isEntityNear || !this.#hasPrice(fact.entity, figure)))
      );
    }
    return ![fact.entity, ...(binding.entities ?? [])]
      .flatMap((entity) => this.#context.index.byEntity.get(entity) ?? [])
      .some((other) => named?.includes(other.metric) && hasUnitOf(figure, other));
  }

  #maySpan(fact: EvidenceFact, binding: Binding): boolean {
    if (hasPeriodOf(fact, binding, this.#context.isAskedSpan)) return true;
    if (OF_A_SPAN.has(fact.metric)) return false;
    return !this.#peers([fact.entity], fact).some(
      (other) => other !== fact && hasPeriodOf(other, binding, this.#context.isAskedSpan),
    );
  }

  /** Whether the price of a subject is written like this number. */
  #hasPrice(entity: string, figure: Figure): boolean {
    return (this.#context.index.byEntity.get(entity) ?? []).some(
      (fact) => IMPLIED.includes(fact.metric) && hasUnitOf(figure, fact),
    );
  }
}
