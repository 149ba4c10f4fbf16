import { isWritten } from './matching.ts';
import type { Figure } from './figures.ts';
import type { FigureKind } from './fact-index.ts';

/** A number that another may be calculated from. */
export interface Operand {
  readonly value: number;
  readonly kind: FigureKind;
  readonly currency: string | undefined;
  /** As written, for the formula. */
  readonly text: string;
}

export interface Derivation {
  readonly formula: string;
}

interface Step {
  readonly sign: string;
  readonly value: number;
  /** The percentage or difference has the sign of its formula. */
  readonly isSigned: boolean;
}

const isSameUnit = (one: Operand, other: Operand): boolean =>
  one.kind === 'plain' ||
  other.kind === 'plain' ||
  (one.kind === other.kind && one.currency === other.currency);

const PERCENT = 100;

/** What two numbers of the same unit give: a percentage or a multiple. */
const ratios = (a: Operand, b: Operand): readonly Step[] =>
  b.value === 0 || !isSameUnit(a, b)
    ? []
    : [
        {
          sign: `(${a.text} − ${b.text}) ÷ ${b.text}`,
          value: (a.value / b.value - 1) * PERCENT,
          isSigned: true,
        },
        { sign: `${a.text} ÷ ${b.text}`, value: (a.value / b.value) * PERCENT, isSigned: false },
      ];

const stepsTo = (figure: Figure, a: Operand, b: Operand): readonly Step[] => {
  const { kind } = figure;
  if (kind === 'percent') {
    const own = a.kind === 'percent' && b.kind === 'percent';
    return own
      ? [
          { sign: `${a.text} − ${b.text}`, value: a.value - b.value, isSigned: true },
          { sign: `${a.text} + ${b.text}`, value: a.value + b.value, isSigned: true },
        ]
      : ratios(a, b);
  }
  if (kind === 'points')
    return a.kind === b.kind
      ? [{ sign: `${a.text} − ${b.text}`, value: a.value - b.value, isSigned: true }]
      : [];
  if (kind === 'multiple')
    return b.value === 0 || !isSameUnit(a, b)
      ? []
      : [{ sign: `${a.text} ÷ ${b.text}`, value: a.value / b.value, isSigned: false }];
  const steps: Step[] = [];
  const isOwn = (each: Operand): boolean => each.kind === kind && each.currency === figure.currency;
  if ((isOwn(a) && isOwn(b)) || (kind === 'plain' && a.kind === b.kind))
    steps.push(
      { sign: `${a.text} − ${b.text}`, value: a.value - b.value, isSigned: true },
      { sign: `${a.text} + ${b.text}`, value: a.value + b.value, isSigned: true },
      { sign: `(${a.text} + ${b.text}) ÷ 2`, value: (a.value + b.value) / 2, isSigned: true },
    );
  if (kind === 'money') {
    // Quantity times price, and an amount in another currency times the rate.
    const isProduct =
      b.kind === 'money' &&
      b.currency === figure.currency &&
      a !== b &&
      (a.kind === 'count' || a.kind === 'money' || a.kind === 'plain' || a.kind === 'multiple');
    if (isProduct) steps.push({ sign: `${a.text} × ${b.text}`, value: a.value * b.value, isSigned: false });
    if (b.value !== 0 && a.kind === 'money' && a.currency === figure.currency && b.kind === 'count')
      steps.push({ sign: `${a.text} ÷ ${b.text}`, value: a.value / b.value, isSigned: false });
    if (
      b.value !== 0 &&
      a.kind === 'money' &&
      b.kind === 'money' &&
      a.currency !== figure.currency &&
      a.currency === b.currency
    )
      steps.push({ sign: `${a.text} ÷ ${b.text}`, value: a.value / b.value, isSigned: false });
    if (a.kind === 'money' && a.currency === figure.currency && b.kind === 'percent')
      steps.push(
        { sign: `${a.text} × (1 + ${b.text})`, value: a.value * (1 + b.value / PERCENT), isSigned: false },
        { sign: `${a.text} × (1 − ${b.text})`, value: a.value * (1 - b.value / PERCENT), isSigned: false },
        { sign: `${a.text} × ${b.text}`, value: (a.value * b.value) / PERCENT, isSigned: false },
      );
  }
  if (
    kind === 'count' &&
    b.value !== 0 &&
    a.kind === 'money' &&
    b.kind === 'money' &&
    a.currency === b.currency
  )
    steps.push({ sign: `${a.text} ÷ ${b.text}`, value: a.value / b.value, isSigned: false });
  return steps;
};

const MAX_SUM = 12;

/** A sum of all, or of a run of, numbers of this unit. */
const sumOf = (figure: Figure, operands: readonly Operand[]): Derivation | undefined => {
  const own = operands
    .filter(({ kind, currency }) => kind === figure.kind && currency === figure.currency)
    .slice(0, MAX_SUM);
  if (own.length < 3) return undefined;
  for (let from = 0; from < own.length; from += 1) {
    let sum = 0;
    for (let to = from; to < own.length; to += 1) {
      sum += own[to]?.value ?? 0;
      const count = to - from + 1;
      if (count < 3) continue;
      const run = own.slice(from, to + 1).map(({ text }) => text);
      if (isWritten(sum, figure, undefined)) return { formula: run.join(' + ') };
      if (isWritten(sum / count, figure, undefined)) return { formula: `(${run.join(' + ')}) ÷ ${count}` };
    }
  }
  return undefined;
};

/** How a number follows from two others, or from the sum of several. `direction` is the sign that the words say. */
export const derive = (
  figure: Figure,
  operands: readonly Operand[],
  direction: 1 | -1 | undefined,
): Derivation | undefined => {
  const sign = figure.sign ?? direction;
  let product: Derivation | undefined;
  for (const a of operands)
    for (const b of operands) {
      if (a === b) continue;
      for (const step of stepsTo(figure, a, b)) {
        if (!isWritten(step.value, figure, undefined)) continue;
        if (step.isSigned && sign !== undefined && step.value !== 0 && Math.sign(step.value) !== sign)
          continue;
        // A share of something goes neither up nor down.
        if (!step.isSigned && figure.kind === 'percent' && sign !== undefined) continue;
        // A difference is likelier than a product that happens to be the same.
        if (step.isSigned) return { formula: step.sign };
        product ??= { formula: step.sign };
      }
    }
  if (product) return product;
  return sumOf(figure, operands);
};
