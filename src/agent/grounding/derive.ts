import type { FigureKind } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { isWritten } from './matching.ts';

/** A number that another may be calculated from. */
export interface Operand {
  readonly value: number;
  readonly kind: FigureKind;
  readonly currency: string | undefined;
  /** As written, for the formula. */
  readonly text: string;
  /** The price of another currency. */
  readonly isRate: boolean;
  /** The answer states it. */
  readonly isStated: boolean;
  /** When it was so, as a day number. Undefined if it has no time. */
  readonly day: number | undefined;
}

interface Step {
  readonly formula: string;
  readonly value: number;
  /** The result has a sign, which "up" and "down" must agree with. */
  readonly isSigned: boolean;
}

const PERCENT = 100;

const isSameUnit = (a: Operand, b: Operand): boolean =>
  a.kind === 'plain' || b.kind === 'plain' || (a.kind === b.kind && a.currency === b.currency);

const minus = (a: Operand, b: Operand): Step => ({
  formula: `${a.text} − ${b.text}`,
  value: a.value - b.value,
  isSigned: true,
});
const plus = (a: Operand, b: Operand): Step => ({
  formula: `${a.text} + ${b.text}`,
  value: a.value + b.value,
  isSigned: true,
});
const meanOf = (a: Operand, b: Operand): Step => ({
  formula: `(${a.text} + ${b.text}) ÷ 2`,
  value: (a.value + b.value) / 2,
  isSigned: true,
});
const times = (a: Operand, b: Operand, divisor = 1): Step => ({
  formula: `${a.text} × ${b.text}`,
  value: (a.value * b.value) / divisor,
  isSigned: false,
});
const over = (a: Operand, b: Operand, factor = 1): Step => ({
  formula: `${a.text} ÷ ${b.text}`,
  value: (a.value / b.value) * factor,
  isSigned: false,
});

const percentSteps = (a: Operand, b: Operand, isCued: boolean): readonly Step[] => {
  if (a.kind === 'percent' && b.kind === 'percent')
    return isCued ? [minus(a, b), plus(a, b), meanOf(a, b)] : [minus(a, b)];
  if (!isSameUnit(a, b) || b.value === 0) return [];
  const change = (a.value / b.value - 1) * PERCENT;
  return [
    { formula: `(${a.text} − ${b.text}) ÷ ${b.text}`, value: change, isSigned: true },
    over(a, b, PERCENT),
  ];
};

const moneySteps = (
  { currency }: Figure,
  a: Operand,
  b: Operand,
  isCued: boolean,
  isSupposing: boolean,
): readonly Step[] => {
  const steps: Step[] = [];
  const isOwn = (each: Operand): boolean => each.kind === 'money' && each.currency === currency;
  if (isOwn(a) && isOwn(b)) steps.push(minus(a, b), ...(isCued ? [plus(a, b), meanOf(a, b)] : []));
  const isNumber = a.kind === 'count' || (a.kind === 'plain' && Number.isInteger(a.value));
  if (isNumber && isOwn(b)) steps.push(times(a, b));
  // An amount in another currency at the rate, and back.
  if (b.isRate && isOwn(b) && a.kind === 'money' && a.currency !== currency) steps.push(times(a, b));
  if (b.value !== 0 && isOwn(a) && b.kind === 'count') steps.push(over(a, b));
  if (b.isRate && b.value !== 0 && a.kind === 'money' && a.currency === b.currency && a.currency !== currency)
    steps.push(over(a, b));
  if ((isCued || isSupposing) && isOwn(a) && b.kind === 'percent')
    steps.push(
      { formula: `${a.text} × (1 + ${b.text})`, value: a.value * (1 + b.value / PERCENT), isSigned: false },
      { formula: `${a.text} × (1 − ${b.text})`, value: a.value * (1 - b.value / PERCENT), isSigned: false },
      times(a, b, PERCENT),
    );
  return steps;
};

const stepsTo = (
  figure: Figure,
  a: Operand,
  b: Operand,
  isCued: boolean,
  isSupposing: boolean,
): readonly Step[] => {
  switch (figure.kind) {
    case 'percent':
      return percentSteps(a, b, isCued);
    case 'percentPoints':
      return a.kind === 'percent' && b.kind === 'percent' ? [minus(a, b)] : [];
    case 'points':
      return a.kind === b.kind && a.currency === b.currency ? [minus(a, b)] : [];
    case 'multiple':
      return b.value !== 0 && isSameUnit(a, b)
        ? [over(a, b), ...(a.kind === 'multiple' && b.kind === 'multiple' ? [minus(a, b), meanOf(a, b)] : [])]
        : [];
    case 'count':
      return [
        ...(a.kind === 'count' && b.kind === 'count' && isCued
          ? [minus(a, b), plus(a, b), meanOf(a, b)]
          : []),
        ...(b.value !== 0 && a.kind === 'money' && b.kind === 'money' && a.currency === b.currency
          ? [over(a, b)]
          : []),
      ];
    case 'money':
      return moneySteps(figure, a, b, isCued, isSupposing);
    case 'plain':
      return a.kind === b.kind && a.currency === b.currency
        ? [minus(a, b), ...(isCued ? [plus(a, b), meanOf(a, b), ...(b.value === 0 ? [] : [over(a, b)])] : [])]
        : [];
    case 'date':
      break;
  }
  return [];
};

/** What is smaller than the written precision changes nothing. */
const isNegligible = ({ value, kind, currency }: Operand, figure: Figure): boolean =>
  kind === figure.kind && currency === figure.currency && Math.abs(value) < 10 ** figure.lastPower;

const MAX_SUM = 12;

/** The sum or the mean of a run of numbers of this unit. */
const sumOf = (figure: Figure, operands: readonly Operand[]): string | undefined => {
  const own = operands
    .filter(
      ({ kind, currency, isStated }) => isStated && kind === figure.kind && currency === figure.currency,
    )
    .slice(0, MAX_SUM);
  for (let from = 0; from < own.length; from += 1) {
    let sum = own[from]?.value ?? 0;
    for (let to = from + 1; to < own.length; to += 1) {
      sum += own[to]?.value ?? 0;
      const count = to - from + 1;
      if (count < 3) continue;
      const formula = own
        .slice(from, to + 1)
        .map(({ text }) => text)
        .join(' + ');
      if (isWritten(sum, figure, undefined)) return formula;
      if (isWritten(sum / count, figure, undefined)) return `(${formula}) ÷ ${count}`;
    }
  }
  return undefined;
};

const MAX_OF_THREE = 8;

/** `$1,000 × 401.99 ÷ 214.25`, `10 × $271.50 × 1,463.25`. */
const ofThree = (figure: Figure, operands: readonly Operand[]): string | undefined => {
  if (figure.kind !== 'money') return undefined;
  const few = operands.slice(0, MAX_OF_THREE);
  for (const a of few)
    for (const b of few)
      for (const c of few) {
        if (a === b || a === c || b === c) continue;
        const isGrown =
          a.kind === 'money' && a.currency === figure.currency && b.kind === 'money' && c.kind === 'money';
        if (isGrown && b.currency === c.currency && c.value !== 0)
          if (isWritten((a.value * b.value) / c.value, figure, undefined))
            return `${a.text} × ${b.text} ÷ ${c.text}`;
        const isConverted =
          a.kind === 'count' && b.kind === 'money' && c.isRate && c.currency === figure.currency;
        if (isConverted && isWritten(a.value * b.value * c.value, figure, undefined))
          return `${a.text} × ${b.text} × ${c.text}`;
      }
  return undefined;
};

/**
 * How a number follows from others. `direction` is the sign that the words say. Sums and products of more than two
 * count only if the words say that something was calculated.
 */
export const derive = (
  figure: Figure,
  operands: readonly Operand[],
  direction: 1 | -1 | undefined,
  { isCued, isSupposing }: { readonly isCued: boolean; readonly isSupposing: boolean },
): string | undefined => {
  const sign = figure.sign ?? direction;
  let other: string | undefined;
  for (const a of operands)
    for (const b of operands) {
      if (
        a === b ||
        a.value === b.value ||
        a.text === b.text ||
        isNegligible(a, figure) ||
        isNegligible(b, figure)
      )
        continue;
      const isFree = isCued && a.isStated && b.isStated;
      for (const { formula, value, isSigned } of stepsTo(figure, a, b, isFree, isSupposing)) {
        if (!isWritten(value, figure, undefined)) continue;
        if (isSigned && sign !== undefined && value !== 0 && Math.sign(value) !== sign) continue;
        // A price rose or fell from the earlier one.
        if (isSigned && sign !== undefined && a.day !== undefined && b.day !== undefined && a.day < b.day)
          continue;
        // A share of something goes neither up nor down.
        if (!isSigned && figure.kind === 'percent' && sign !== undefined) continue;
        // A difference is likelier than a product that happens to be the same.
        if (isSigned) return formula;
        other ??= formula;
      }
    }
  if (other !== undefined || !isCued) return other;
  return sumOf(figure, operands) ?? ofThree(figure, operands);
};
