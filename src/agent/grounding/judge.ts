import { Binder, type Binding } from './binding.ts';
import { CheckContext, MIN_TELLING_DIGITS, significantDigits } from './check-context.ts';
import { DateClaims } from './date-claims.ts';
import { derive } from './derive.ts';
import { exemptionOf, namesWithNumbers } from './exempt.ts';
import { FactClaims, IMPLIED } from './fact-claims.ts';
import type { FactIndex } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { isWritten } from './matching.ts';
import { type Judged, Operands } from './operands.ts';
import type { Evidence, PlainVerdict } from './verdict.ts';

/** Numbers with so few digits are used to suppose something. */
const isRound = (figure: Figure): boolean => significantDigits(figure) <= 2;

/** Decides about each number of one answer: by facts, then by the person's words, then by its other numbers. */
export class Judge {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;
  readonly #operands: Operands;

  constructor(text: string, evidence: Evidence, index: FactIndex) {
    this.#context = new CheckContext(text, evidence, index);
    this.#claims = new FactClaims(this.#context);
    this.#operands = new Operands(this.#context, this.#claims);
  }

  verdicts(): { readonly verdicts: readonly PlainVerdict[]; readonly uncheckedCount: number } {
    const { figures, text } = this.#context.answer;
    const lineAt = this.#context.lineFinder();
    const numbered = namesWithNumbers(text);
    const parameters = new Set(this.#context.index.all.map(({ parameter }) => parameter));
    const isParameter = (value: number): boolean => parameters.has(String(value));
    const exempt = new Set<Figure>();
    for (const figure of figures) {
      const line = lineAt(figure.start);
      if (!line || exemptionOf(figure, line, this.#context.answer, isParameter, numbered)) exempt.add(figure);
    }
    const binder = new Binder(this.#context.answer, this.#context.index, (figure) => exempt.has(figure));
    const judged = figures.flatMap((figure): readonly Judged[] => {
      const line = lineAt(figure.start);
      if (!line || exempt.has(figure)) return [];
      const binding = this.#withoutFutureDays(binder.bind(figure, line));
      return [{ figure, line, binding, verdict: undefined }];
    });
    for (const each of judged) this.#judgeByFacts(each);
    for (const each of judged) if (!each.verdict) this.#judgeByWords(each, judged);
    for (const each of judged) if (!each.verdict) this.#judgeByOthers(each, judged);
    const verdicts: PlainVerdict[] = [
      ...[...exempt].map(({ start, end }) => ({ start, end, verdict: 'exempt' as const })),
      ...judged.map(({ figure: { start, end }, verdict }) => ({
        start,
        end,
        verdict: 'unsupported' as const,
        ...verdict,
      })),
      ...new DateClaims(this.#context, this.#claims).verdicts(binder, lineAt),
    ];
    return {
      verdicts: verdicts.toSorted((a, b) => a.start - b.start),
      uncheckedCount: this.#context.uncheckedCount,
    };
  }

  /** A future day is of an event, not of a price. */
  #withoutFutureDays(binding: Binding): Binding {
    const days = binding.days?.filter((day) => day <= this.#context.today + 1);
    return days && days.length > 0 ? { ...binding, days } : { ...binding, days: undefined };
  }

  #judgeByFacts(judged: Judged): void {
    const fact = this.#claims.statedBy(judged.figure, judged.binding);
    if (!fact) return;
    judged.fact = fact;
    const { known } = fact;
    const { label } = known.fact;
    judged.verdict =
      fact.metric === 'calculation'
        ? { verdict: 'derived', known, ...(label !== undefined && { formula: label }) }
        : { verdict: 'supported', known };
  }

  /** By the person's words, unless a fact says otherwise. */
  #judgeByWords(judged: Judged, all: readonly Judged[]): void {
    const { figure, line, binding } = judged;
    const isOwn = this.#context.isOwn(figure);
    if (binding.isSupposing && (isOwn || isRound(figure))) {
      judged.verdict = isOwn ? { verdict: 'quoted', quotedFrom: 'person' } : { verdict: 'exempt' };
      return;
    }
    const change = figure.kind === 'percent' ? this.#operands.changeInSentence(judged, all) : undefined;
    if (change !== undefined) {
      judged.verdict = { verdict: 'derived', formula: change };
      return;
    }
    const against = this.#claims.against(figure, line, binding);
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

  /** By other numbers of the answer and by untyped text. What is left has no source. */
  #judgeByOthers(judged: Judged, all: readonly Judged[]): void {
    const { figure, line, binding } = judged;
    const isCoarse =
      significantDigits(figure) < MIN_TELLING_DIGITS &&
      !this.#operands.isCued(judged) &&
      binding.direction === undefined;
    const formula = isCoarse
      ? undefined
      : derive(figure, this.#operands.operandsFor(judged, all), binding.direction, {
          isCued: this.#operands.isCued(judged),
          isSupposing: binding.isSupposing,
        });
    if (formula !== undefined) {
      judged.verdict = { verdict: 'derived', formula };
      return;
    }
    const against = this.#claims.against(figure, line, binding);
    if (against) judged.verdict = { verdict: 'contradicted', known: against.known };
    else if (
      this.#context.hasLooseText &&
      (this.#context.isLoose(figure) || this.#context.followsFromLoose(figure))
    )
      judged.verdict = { verdict: 'quoted', quotedFrom: 'text' };
    else judged.verdict = { verdict: 'unsupported' };
  }
}
