import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { FigureKind } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { isWritten, lastTellingPower } from './matching.ts';

/** A number that another may be calculated from. */
export interface Operand {
  readonly value: number;
  readonly kind: FigureKind;
  readonly currency: string | undefined;
  /** As written, for the formula. */
  readonly text: string;
  /** The currency or the coin of which it is the price. */
  readonly prices: string | undefined;
  readonly metric: MetricId | undefined;
  /** When it was so, as a day number. Undefined if it has no time. */
  readonly day: number | undefined;
  /** How likely it is an operand: 0 in the same sentence, 1 named or elsewhere in the answer, 2 any other fact. */
  readonly rank: 0 | 1 | 2;
  /** Where it stands in the answer. Undefined if it is not written there. */
  readonly start: number | undefined;
}

/** Writes a formula. Most steps lead nowhere, so only those that are kept are written. */
type Writer = (a: string, b: string) => string;

interface Step {
  readonly write: Writer;
  readonly value: number;
  /** The result has a sign, which "up" and "down" must agree with. */
  readonly isSigned: boolean;
  /** Sums, means and shares are rarer than differences and ratios, so words must announce them. */
  readonly needsCue?: boolean;
  /** Only sentences about an average say it. */
  readonly isMean?: boolean;
  /** Only sentences that suppose something say it. */
  readonly isSupposed?: boolean;
}

const PERCENT = 100;

const isSameUnit = (a: Operand, b: Operand): boolean => a.kind === b.kind && a.currency === b.currency;
/** Smaller numbers without a unit are counts and rates. */
const MIN_UNITLESS = 100;
/** A number without a unit may have that of the other. */
const isLike = (a: Operand, b: Operand): boolean =>
  isSameUnit(a, b) ||
  (a.kind === 'plain' && b.kind === 'money' && Math.abs(a.value) >= MIN_UNITLESS) ||
  (b.kind === 'plain' && a.kind === 'money' && Math.abs(b.value) >= MIN_UNITLESS);

const DIFFERENCE: Writer = (a, b) => `${a} − ${b}`;
const SUM: Writer = (a, b) => `${a} + ${b}`;
const MEAN: Writer = (a, b) => `(${a} + ${b}) ÷ 2`;
const PRODUCT: Writer = (a, b) => `${a} × ${b}`;
const QUOTIENT: Writer = (a, b) => `${a} ÷ ${b}`;
const CHANGE: Writer = (a, b) => `(${a} − ${b}) ÷ ${b}`;
/** A change of so much that led to this value. */
const CHANGE_BY: Writer = (a, b) => `${a} ÷ (${b} − ${a})`;
const GROWN: Writer = (a, b) => `${a} × (1 + ${b})`;
const SHRUNK: Writer = (a, b) => `${a} × (1 − ${b})`;

const minus = (a: Operand, b: Operand): Step => ({
  write: DIFFERENCE,
  value: a.value - b.value,
  isSigned: true,
});
const plus = (a: Operand, b: Operand): Step => ({
  write: SUM,
  value: a.value + b.value,
  isSigned: true,
  needsCue: true,
});
const meanOf = (a: Operand, b: Operand): Step => ({
  write: MEAN,
  value: (a.value + b.value) / 2,
  isSigned: true,
  isMean: true,
});
const times = (a: Operand, b: Operand, divisor = 1): Step => ({
  write: PRODUCT,
  value: (a.value * b.value) / divisor,
  isSigned: false,
});
const over = (a: Operand, b: Operand, factor = 1): Step => ({
  write: QUOTIENT,
  value: (a.value / b.value) * factor,
  isSigned: false,
});

const percentSteps = (a: Operand, b: Operand): readonly Step[] => {
  if (
    a.kind === 'percent' &&
    b.kind === 'percent' &&
    a.metric !== b.metric &&
    (a.start ?? b.start) === undefined
  )
    return [];
  if (a.kind === 'percent' && b.kind === 'percent')
    return [minus(a, b), plus(a, b), meanOf(a, b), { ...times(a, b, PERCENT), needsCue: true }];
  if (a.kind === 'percent' && b.kind === 'count')
    return [times(a, b), ...(b.value === 0 ? [] : [over(a, b)])];
  if (!isLike(a, b) || b.value === 0 || (a.kind === 'plain' && b.kind === 'plain' && a.start === undefined))
    return [];
  return [
    {
      write: CHANGE,
      value: (a.value / b.value - 1) * PERCENT,
      isSigned: true,
    },
    over(a, b, PERCENT),
    ...(a.rank === 0 && a.start !== undefined && b.value !== a.value && a.kind === 'money'
      ? [
          {
            write: CHANGE_BY,
            value: (a.value / (b.value - a.value)) * PERCENT,
            isSigned: true,
          },
        ]
      : []),
  ];
};

/** Shares of an amount, and an amount that grew or shrank. */
const sharesOf = (a: Operand, b: Operand): readonly Step[] => [
  times(a, b, PERCENT),
  {
    write: GROWN,
    value: a.value * (1 + b.value / PERCENT),
    isSigned: false,
    isSupposed: true,
  },
  {
    write: SHRUNK,
    value: a.value * (1 - b.value / PERCENT),
    isSigned: false,
    isSupposed: true,
  },
];

const isNumber = ({ kind, value }: Operand): boolean =>
  kind === 'count' || kind === 'multiple' || (kind === 'plain' && (Number.isInteger(value) || value < 1));

const moneySteps = ({ currency }: Figure, a: Operand, b: Operand): readonly Step[] => {
  const isOwn = (each: Operand): boolean => each.kind === 'money' && each.currency === currency;
  const steps: Step[] = [];
  if (isOwn(a) && isOwn(b)) steps.push(minus(a, b), plus(a, b), meanOf(a, b));
  if (isNumber(a) && isOwn(b)) steps.push(times(a, b));
  if (b.value >= 1 && isOwn(a) && isNumber(b)) steps.push(over(a, b));
  // An amount in another currency, or of a coin, at its price, and back.
  if (isOwn(b) && a.kind === 'money' && a.currency !== currency && a.currency === b.prices)
    steps.push(times(a, b));
  if (b.prices === currency && b.value !== 0 && a.kind === 'money' && a.currency === b.currency)
    steps.push(over(a, b));
  if (isOwn(a) && b.kind === 'percent') steps.push(...sharesOf(a, b));
  return steps;
};

const countSteps = (a: Operand, b: Operand): readonly Step[] => {
  if (a.kind === 'count' && b.kind === 'count')
    return [
      minus(a, b),
      plus(a, b),
      meanOf(a, b),
      ...(b.start === undefined && b.value > 1 ? [over(a, b)] : []),
    ];
  if (a.kind === 'count' && b.kind === 'percent') return sharesOf(a, b).slice(0, 1);
  if (a.kind !== 'money' || !isSameUnit(a, b) || b.value === 0) return [];
  const exact = over(a, b);
  return [exact, { ...exact, value: Math.floor(exact.value) }];
};

const stepsTo = (figure: Figure, a: Operand, b: Operand): readonly Step[] => {
  switch (figure.kind) {
    case 'percent':
      return percentSteps(a, b);
    case 'percentPoints':
      return a.kind === 'percent' && b.kind === 'percent' ? [minus(a, b), plus(a, b)] : [];
    case 'points':
      return isLike(a, b) ? [minus(a, b)] : [];
    case 'multiple':
      if (b.value === 0 || !isLike(a, b)) return [];
      return [
        over(a, b),
        ...(a.kind === 'multiple' && b.kind === 'multiple' ? [minus(a, b), meanOf(a, b)] : []),
      ];
    case 'count':
      return countSteps(a, b);
    case 'money':
      return moneySteps(figure, a, b);
    case 'plain':
      if (!isSameUnit(a, b)) return [];
      return [minus(a, b), plus(a, b), meanOf(a, b), ...(b.value === 0 ? [] : [over(a, b)])];
    case 'date':
      break;
  }
  return [];
};

/** What is smaller than the written precision changes nothing. */
const isNegligible = ({ value, kind, currency, prices }: Operand, figure: Figure): boolean =>
  prices === undefined &&
  kind === figure.kind &&
  currency === figure.currency &&
  Math.abs(value) < 10 ** figure.lastPower;

/** The zeros at the end of smaller numbers are digits like others. */
const ROUNDED = 100;
/** How much of the number its last digit is: 0.09 for 11 and 110,000, 0.0004 for 28.61. */
export const coarsenessOf = ({ value, lastPower, isApproximate }: Figure): number =>
  ((isApproximate ? 2 : 1) *
    10 ** (Math.abs(value) < ROUNDED ? lastPower : lastTellingPower(Math.abs(value), lastPower))) /
  Math.max(Math.abs(value), Number.EPSILON);

/** The more numbers there are to choose from, the more digits a result needs. By the sum of the ranks. */
const COARSEST: readonly number[] = [0.25, 0.07, 0.01, 0.0015, 0.0004];

/** Two facts that the sentence names give a result with so many digits hardly by chance. */
const CLEAR = 0.001;

const MAX_SUM = 12;

/** The sum or the mean of a run of numbers of this unit. */
const sumOf = (figure: Figure, operands: readonly Operand[]): string | undefined => {
  const own = operands
    .filter(
      (each) =>
        each.start !== undefined &&
        each.kind === figure.kind &&
        each.currency === figure.currency &&
        !isNegligible(each, figure),
    )
    .toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
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

const MAX_OF_THREE = 10;

/** `$1,000 × 401.99 ÷ 214.25`, `10 × $271.50 × 1,463.25`, `40 × (272.95 − 210)`. */
const ofThree = (figure: Figure, operands: readonly Operand[]): string | undefined => {
  if (figure.kind !== 'money') return undefined;
  const few = operands.slice(0, MAX_OF_THREE);
  const isOwn = ({ kind, currency }: Operand): boolean => kind === 'money' && currency === figure.currency;
  for (const a of few) {
    if (a.rank > 0) continue;
    for (const b of few) {
      if (a === b || b.kind !== 'money') continue;
      for (const c of few) {
        if (a === c || b === c || b.rank + c.rank > 2) continue;
        const isGrown = isOwn(a) && isSameUnit(b, c) && c.value !== 0;
        if (isGrown && isWritten((a.value * b.value) / c.value, figure, undefined))
          return `${a.text} × ${b.text} ÷ ${c.text}`;
        if (!isNumber(a)) continue;
        const isConverted = isOwn(c) && b.currency !== c.currency && c.prices === b.currency;
        if (isConverted && isWritten(a.value * b.value * c.value, figure, undefined))
          return `${a.text} × ${b.text} × ${c.text}`;
        if (isOwn(b) && isOwn(c) && isWritten(a.value * (b.value - c.value), figure, undefined))
          return `${a.text} × (${b.text} − ${c.text})`;
        if (isOwn(b) && isOwn(c) && isWritten(c.value - a.value * b.value, figure, undefined))
          return `${c.text} − ${a.text} × ${b.text}`;
      }
    }
  }
  return undefined;
};

export interface Derivation {
  /** The sign that the words say. */
  readonly direction: 1 | -1 | undefined;
  /** Words say that something was calculated. */
  readonly isCued: boolean;
  readonly isSupposing: boolean;
  readonly isAverage: boolean;
  /** A fact of the subject has this value, but the words do not say so: it follows only from numbers beside it. */
  readonly isFactElsewhere: boolean;
  /** A fact says what the number should be, so that only a clear result counts. */
  readonly isDoubtful: boolean;
}

const FROM_TO = / to |에서|→|->/u;
const DIGIT = /\d/u;
const LONGEST_GAP = 40;

/** A price rose or fell from the earlier one: `from A to B` in the text, or by the days of the facts. */
const isBackwards = (a: Operand, b: Operand, text: string): boolean => {
  if (a.day !== undefined && b.day !== undefined && a.day !== b.day) return a.day < b.day;
  if (a.start === undefined || b.start === undefined || a.start > b.start) return false;
  const gap = text.slice(a.start + a.text.length, b.start);
  return gap.length <= LONGEST_GAP && FROM_TO.test(gap) && !DIGIT.test(gap);
};

/** How a number of this text follows from others. */
export const derive = (
  figure: Figure,
  operands: readonly Operand[],
  { direction, isCued, isSupposing, isAverage, isDoubtful, isFactElsewhere }: Derivation,
  text: string,
): string | undefined => {
  const sign = figure.sign ?? direction;
  const coarseness = coarsenessOf(figure);
  const coarsest = isCued || direction !== undefined ? 3 : 1;
  const doubt = isDoubtful && !isCued ? 1 : 0;
  const mustBeStated = !isCued && direction === undefined;
  let other: string | undefined;
  for (const a of operands) {
    const isNegligibleA = isNegligible(a, figure);
    for (const b of operands) {
      const areBothUnstated = a.start === undefined && b.start === undefined;
      if (areBothUnstated && mustBeStated) continue;
      // The same metric of two companies is compared more often than two metrics of one.
      const isSameMetric =
        isCued && a.metric !== undefined && a.metric === b.metric && a.rank < 2 && b.rank < 2;
      const ranks = (isSameMetric ? 0 : a.rank + b.rank) + doubt;
      if (
        a === b ||
        coarseness > (COARSEST[ranks] ?? 0) * coarsest ||
        a.value === b.value ||
        (a.start !== undefined && a.start === b.start)
      )
        continue;
      const isAnyNegligible = isNegligibleA || isNegligible(b, figure);
      if (isFactElsewhere && (a.start === undefined || b.start === undefined || a.rank + b.rank > 0))
        continue;
      const isClear = isCued && a.rank + b.rank <= 2 && coarseness <= CLEAR;
      if (areBothUnstated && figure.kind === 'money' && !isSameMetric && !isClear && a.rank > 0 && b.rank > 0)
        continue;
      if (areBothUnstated && !isCued && a.rank + b.rank > 3) continue;
      for (const { write, value, isSigned, needsCue, isMean, isSupposed } of stepsTo(figure, a, b)) {
        if ((isSupposed && !isSupposing) || (isMean && !isAverage)) continue;
        if (areBothUnstated && !isCued && !isSigned) continue;
        if (needsCue && (!isCued || (areBothUnstated && !isSameMetric))) continue;
        if ((isSigned && isAnyNegligible) || !isWritten(value, figure, undefined)) continue;
        if (isSigned && sign !== undefined && value !== 0 && Math.sign(value) !== sign) continue;
        if (sign === 1 && value < 0) continue;
        if (isSigned && sign !== undefined && isBackwards(a, b, text)) continue;
        // A share of something goes neither up nor down.
        if (!isSigned && figure.kind === 'percent' && (isSupposing ? figure.sign : sign) !== undefined)
          continue;
        // A difference is likelier than a product that happens to be the same.
        if (isSigned) return write(a.text, b.text);
        other ??= write(a.text, b.text);
      }
    }
  }
  if (other !== undefined || isDoubtful || isFactElsewhere) return other;
  if (isCued && coarseness <= (COARSEST[1] ?? 0)) {
    const sum = sumOf(
      figure,
      operands.filter(({ rank }) => rank < 2),
    );
    if (sum !== undefined) return sum;
  }
  return coarseness <= (COARSEST[2] ?? 0) ? ofThree(figure, operands) : undefined;
};
