import type { CheckContext } from './check-context.ts';
import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { isWritten, writtenRange } from './matching.ts';

/** Numbers that formulas contain: counts, months, days of a year. */
export const MAX_PLAIN_OPERAND = 600;
/** `300000000`: numbers with one or two digits are assumptions. */
const ROUND = /^-?\d{1,2}0*$/u;
const PLAIN_OPERANDS: ReadonlySet<number> = new Set([1_000, 10_000, 100_000_000, 1_000_000]);
/** How a percentage stands in a formula, `base + rate × factor`: as it is, as a fraction, for a month, as growth. */
const RATE_FORMS: readonly { readonly base: number; readonly factor: number }[] = [
  { base: 0, factor: 1 },
  { base: 0, factor: 1 / 100 },
  { base: 0, factor: 1 / 1_200 },
  { base: 1, factor: 1 / 100 },
  { base: 1, factor: -1 / 100 },
  { base: 1, factor: 1 / 1_200 },
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

/** Tells which results of the calculator rest on known numbers. */
export class Calculations {
  readonly #context: CheckContext;
  readonly #calculations = new Map<EvidenceFact, boolean>();

  constructor(context: CheckContext) {
    this.#context = context;
  }

  /** A calculation counts only if its operands are known. */
  isUsable(fact: EvidenceFact): boolean {
    if (fact.metric !== 'calculation') return true;
    const known = this.#calculations.get(fact);
    if (known !== undefined) return known;
    this.#calculations.set(fact, false);
    const operands = fact.known.fact.operands ?? [];
    const telling = operands.filter(
      (operand) => Math.abs(Number(operand)) > MAX_PLAIN_OPERAND && !ROUND.test(operand),
    );
    const isKnown = telling.length === 0 || telling.some((operand) => this.#isKnownOperand(operand));
    this.#calculations.set(fact, isKnown);
    return isKnown;
  }

  /** The calculation that a number is an operand of, as it stands there or in percent. */
  withOperand(figure: Figure): EvidenceFact | undefined {
    if (figure.kind !== 'percent' && figure.kind !== 'plain' && figure.kind !== 'money') return undefined;
    const scale = figure.kind === 'percent' ? 100 : 1;
    return this.#context.index.all.find(
      (fact) =>
        fact.metric === 'calculation' &&
        fact.known.fact.operands?.some((operand) => isWritten(Number(operand) * scale, figure, undefined)) &&
        this.isUsable(fact),
    );
  }

  #isKnownOperand(operand: string): boolean {
    const value = Math.abs(Number(operand));
    const point = operand.indexOf('.');
    const decimals = point === -1 ? 0 : operand.length - point - 1;
    if (decimals === 0 && (value <= MAX_PLAIN_OPERAND || PLAIN_OPERANDS.has(value))) return true;
    const figure = plainFigure(value, -decimals);
    const isIt = (known: number): boolean =>
      RATE_FORMS.some(({ base, factor }) => isWritten(base + Math.abs(known) * factor, figure, undefined));
    const [from, to] = writtenRange(figure, value, undefined);
    const isFact = RATE_FORMS.some(({ base, factor }) => {
      const [one, other] = [(from - base) / factor, (to - base) / factor];
      return this.#context.index
        .between(Math.min(one, other), Math.max(one, other))
        .some((fact) => isIt(fact.value) && this.isUsable(fact));
    });
    return (
      isFact ||
      this.#context.ownNumbers().some((own) => isIt(own.value)) ||
      this.#context.loose.figures().some(({ value }) => isIt(value))
    );
  }
}
