import { metricNamed } from '#src/kernel/fact-metrics.ts';
import type { CheckContext } from './check-context.ts';
import type { FactClaims } from './fact-claims.ts';
import type { EvidenceFact } from './fact-index.ts';
import { sentenceAt } from './layout.ts';
import { isWritten } from './matching.ts';
import type { Judged } from './operands.ts';
import { within } from './read-answer.ts';

/** Finds right numbers of which the answer says the wrong direction, and the word that says it. */
export class Reversals {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;

  constructor(context: CheckContext, claims: FactClaims) {
    this.#context = context;
    this.#claims = claims;
  }

  /** `isPlain` tells whether a sentence plainly says what is so now. */
  find(all: readonly Judged[], isPlain: (sentence: string) => boolean): void {
    for (const each of all) if (each.verdict?.verdict === 'unsupported') this.#reverse(each, isPlain);
    const wrong = all.filter(({ verdict }) => verdict?.verdict === 'contradicted');
    for (const each of wrong) this.#name(each, all);
    for (const each of all) this.#share(each, all);
  }

  /** The moves of the subject that have the size of the number. */
  #movesWith({ figure, binding }: Judged): readonly EvidenceFact[] {
    const { entities, metrics, isEntityNear, isEntityFirm } = binding;
    if (!entities || !(isEntityNear || isEntityFirm)) return [];
    return this.#claims
      .withValueOf(figure)
      .filter(
        (fact) =>
          fact.isSigned &&
          entities.includes(fact.entity) &&
          (!metrics || metrics.includes(fact.metric)) &&
          this.#claims.isNowOf(fact, binding),
      );
  }

  /** `+1.92%`, `300원 하락`: the fact has the number, with the other sign. */
  #reverse(judged: Judged, isPlain: (sentence: string) => boolean): void {
    const { figure, line, binding } = judged;
    const said = figure.sign ?? binding.direction;
    if (said === undefined || binding.isSupposing) return;
    const { start, end } = sentenceAt(line, figure.start);
    if (!isPlain(this.#context.answer.text.slice(start, end))) return;
    // Where the sentence names both directions, the word may be of something else.
    const { words } = this.#context.answer;
    if (within(words, start, end).some(({ value }) => value.direction === -said)) return;
    const moves = this.#movesWith(judged);
    const [first] = moves;
    if (first && moves.every(({ value }) => Math.sign(value) === -said))
      judged.verdict = { verdict: 'contradicted', known: first.known };
  }

  /** Says what is wrong about the direction of a contradicted number. */
  #name(judged: Judged, all: readonly Judged[]): void {
    const { figure, binding, verdict } = judged;
    const right = Number(verdict?.known?.fact.value);
    if (!verdict?.known || metricNamed(verdict.known.fact.metric)?.isSigned !== true || !right) return;
    const { direction, directionAt } = binding;
    const isOtherWay = direction !== undefined && Math.sign(right) !== direction;
    const isOtherSign = figure.sign !== undefined && Math.sign(right) !== figure.sign;
    // `각각 3.81%, 0.29% 하락했습니다`: where the word is right about another number, it must stay.
    const isShared = all.some(
      ({ fact, line, binding: other, figure: { sign } }) =>
        fact?.isSigned === true &&
        Math.sign(fact.value) === direction &&
        sign === undefined &&
        (other.directionAt ? other.directionAt.start === directionAt?.start : line === judged.line),
    );
    judged.verdict = {
      ...verdict,
      isReversed: (isOtherWay || isOtherSign) && isWritten(right, figure, undefined) ? true : undefined,
      wrongWord:
        isOtherWay && directionAt && !isShared
          ? { start: directionAt.start, end: directionAt.end }
          : undefined,
    };
  }

  /** `각각 1.92%, 0.19% 상승했습니다`: the word that is wrong about one number is so about the others without one. */
  #share(judged: Judged, all: readonly Judged[]): void {
    const { figure, line, binding, verdict } = judged;
    const isDoubted = verdict?.verdict === 'unsupported' || verdict?.verdict === 'contradicted';
    if (!isDoubted || figure.sign !== undefined || binding.direction !== undefined) return;
    const { start, end } = sentenceAt(line, figure.start);
    const other = all.find(
      (each) => each.verdict?.wrongWord && each.figure.start >= start && each.figure.end <= end,
    );
    if (!other) return;
    const sign = Math.sign(Number(other.verdict?.known?.fact.value));
    const move = this.#movesWith(judged).find(({ value }) => Math.sign(value) === sign);
    if (!move) return;
    judged.verdict = {
      verdict: 'contradicted',
      known: move.known,
      isReversed: true,
      wrongWord: other.verdict?.wrongWord,
    };
  }
}
