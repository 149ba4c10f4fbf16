import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { mayBeSame, type Measure, PERCENT } from '../facts/units.ts';
import type { Figure } from '../read/figures.ts';
import { isIn, opennessOf, type WrittenRange } from './written.ts';

/** A number that another may be calculated from. */
export interface Operand extends Measure {
  readonly value: number;
  /** As written, for the formula. */
  readonly text: string;
  readonly metric?: MetricId | undefined;
  readonly entity?: string | undefined;
  /** The currency or the coin of which it is the price, so that amounts are converted with it. */
  readonly prices?: string | undefined;
}

/** Months, quarters, weeks, trading days, halves and thirds. */
export const COUNTS: readonly Operand[] = [2, 3, 4, 12, 52, 252, 365].map(
  (value) => ({ value, kind: 'plain', currency: undefined, text: String(value) }) as const,
);

/** One operand of each amount. */
export const different = (operands: readonly Operand[]): readonly Operand[] =>
  [
    ...new Map(
      operands.toReversed().map((each) => [`${each.value} ${each.kind} ${each.currency}`, each]),
    ).values(),
  ].toReversed();

/** A number to be explained. */
export interface Target {
  readonly figure: Figure;
  readonly ranges: readonly WrittenRange[];
  /** The sentence speaks of an average. */
  readonly isMean: boolean;
}

/** Writes a formula. Most steps lead nowhere, so only those that are kept are written. */
type Writer = (a: string, b: string, c: string) => string;

const DIFFERENCE: Writer = (a, b) => `${a} − ${b}`;
const SUM: Writer = (a, b) => `${a} + ${b}`;
const MEAN: Writer = (a, b) => `(${a} + ${b}) ÷ 2`;
const PRODUCT: Writer = (a, b) => `${a} × ${b}`;
const QUOTIENT: Writer = (a, b) => `${a} ÷ ${b}`;
const PART: Writer = (a, b) => `${a} ÷ (${a} + ${b})`;
const CHANGE: Writer = (a, b) => `(${a} − ${b}) ÷ ${b}`;
const GROWN: Writer = (a, b) => `${a} × (1 + ${b})`;
const SHRUNK: Writer = (a, b) => `${a} × (1 − ${b})`;
const BEFORE_RISE: Writer = (a, b) => `${a} ÷ (1 + ${b})`;
const BEFORE_FALL: Writer = (a, b) => `${a} ÷ (1 − ${b})`;

const isPercent = ({ kind }: Measure): boolean => kind === 'percent' || kind === 'percentPoints';
const isFactor = ({ kind }: Measure): boolean => kind === 'count' || kind === 'multiple' || kind === 'plain';

const percentOf = (a: Operand, b: Operand, to: Attempts): void => {
  if (isPercent(a) && isPercent(b)) {
    to.try((a.value * b.value) / PERCENT, PRODUCT, true);
    to.try((1 + a.value / PERCENT) * (1 + b.value / PERCENT) * PERCENT - PERCENT, PRODUCT, true);
    return;
  }
  if (isPercent(a) && isFactor(b)) {
    to.try(a.value * b.value, PRODUCT, true);
    if (b.value !== 0) to.try(a.value / b.value, QUOTIENT, true);
    return;
  }
  if (b.value === 0 || !mayBeSame(a, b) || isPercent(b)) return;
  to.try((a.value / b.value - 1) * PERCENT, CHANGE);
  to.try((a.value / b.value) * PERCENT, QUOTIENT);
  if (a.value + b.value !== 0) to.try((a.value / (a.value + b.value)) * PERCENT, PART, true);
};

/** Whether amounts in this currency are converted with it. A rate that no fact gives is in won or yen. */
const isPriceOf = ({ prices, metric, currency }: Operand, priced: string | undefined): boolean =>
  prices === undefined
    ? metric === undefined && (currency === 'KRW' || currency === 'JPY')
    : prices === priced;

const POWERS_OF_TEN: ReadonlySet<number> = new Set([10, 100, 1_000, 10_000, 0.1, 0.01]);

const moneyOf = (currency: string | undefined, a: Operand, b: Operand, to: Attempts): void => {
  const isOwn = a.kind === 'money' && (a.currency === currency || a.currency === undefined);
  if ((isOwn || a.kind === 'plain') && isPercent(b)) {
    const rate = b.value / PERCENT;
    // A tenth of a price is a slip more often than ten percent of it.
    if (!POWERS_OF_TEN.has(b.value) && b.value !== 1) to.try(a.value * rate, PRODUCT);
    to.try(a.value * (1 + rate), GROWN);
    to.try(a.value * (1 - rate), SHRUNK);
    if (rate !== -1) to.try(a.value / (1 + rate), BEFORE_RISE, true);
    if (rate !== 1) to.try(a.value / (1 - rate), BEFORE_FALL, true);
    if (rate !== -1) to.try((a.value * rate) / (1 + rate), PRODUCT, true);
    return;
  }
  // Ten times a price is a slip more often than the price of ten.
  if (isOwn && isFactor(b) && !(b.kind === 'plain' && POWERS_OF_TEN.has(b.value))) {
    to.try(a.value * b.value, PRODUCT);
    if (b.value !== 0) to.try(a.value / b.value, QUOTIENT);
  }
  if (a.kind === 'money' && b.kind === 'money' && a.currency !== currency && b.value !== 0) {
    // An amount in another currency, at the price of that currency, and back.
    if (b.currency === currency && isPriceOf(b, a.currency)) to.try(a.value * b.value, PRODUCT);
    else if (b.currency === a.currency && isPriceOf(b, currency)) to.try(a.value / b.value, QUOTIENT);
  }
  if (a.kind === 'plain' && b.kind === 'plain') to.try(a.value * b.value, PRODUCT, true);
};

const countOf = (a: Operand, b: Operand, to: Attempts): void => {
  if (a.kind === 'money' && b.kind === 'money' && a.currency === b.currency && b.value !== 0) {
    to.try(a.value / b.value, QUOTIENT);
    to.try(Math.floor(a.value / b.value), QUOTIENT);
  }
  if (a.kind === 'count' && isPercent(b)) to.try((a.value * b.value) / PERCENT, PRODUCT);
  if (a.kind === 'count' && isFactor(b)) {
    to.try(a.value * b.value, PRODUCT, true);
    if (b.value !== 0) to.try(a.value / b.value, QUOTIENT, true);
  }
};

/** Whether a number has the unit of the target, or none. */
const isLike = (each: Measure, { kind, currency }: Figure): boolean =>
  kind === 'percentPoints' || (kind === 'points' && isPercent(each))
    ? isPercent(each) || each.kind === 'plain'
    : mayBeSame(each, { kind, currency });

/** What an instrument costs, at some time. */
const PRICES: ReadonlySet<string> = new Set(
  'price close open previousClose lastYearClose dayLow dayHigh yearLow yearHigh periodLow periodHigh exchangeRate averageCost'.split(
    ' ',
  ),
);

/** Nobody compares two things of two subjects. */
const isComparable = (a: Operand, b: Operand): boolean =>
  a.entity === undefined || b.entity === undefined || a.entity === b.entity || a.metric === b.metric;

/** Two prices of one subject are compared, and never added up. */
const isAddable = (a: Operand, b: Operand): boolean =>
  a.entity === undefined ||
  a.entity !== b.entity ||
  a.metric === undefined ||
  b.metric === undefined ||
  !(PRICES.has(a.metric) && PRICES.has(b.metric));

/** Every number of the target's unit that two operands give. */
const resultsOf = (target: Target, a: Operand, b: Operand, to: Attempts): void => {
  const { figure } = target;
  to.with(a.text, b.text);
  if (mayBeSame(a, b) && !isComparable(a, b)) return;
  if (
    isLike(a, figure) &&
    isLike(b, figure) &&
    a.kind === b.kind &&
    mayBeSame(a, b) &&
    (figure.kind !== 'plain' || !isPercent(a)) &&
    !isNegligible(a, target) &&
    !isNegligible(b, target)
  ) {
    to.try(a.value - b.value, DIFFERENCE);
    if (isAddable(a, b)) to.try(a.value + b.value, SUM, isPercent(a));
    if (target.isMean && (a.entity === undefined || b.entity === undefined || a.metric === b.metric))
      to.try((a.value + b.value) / 2, MEAN);
  }
  switch (figure.kind) {
    case 'percent':
      percentOf(a, b, to);
      return;
    case 'money':
    case 'points':
      moneyOf(figure.currency, a, b, to);
      return;
    case 'count':
      countOf(a, b, to);
      return;
    case 'multiple':
    case 'plain':
      if (
        b.value !== 0 &&
        a.kind === b.kind &&
        (figure.kind === 'multiple' || !isPercent(a)) &&
        mayBeSame(a, b)
      )
        to.try(a.value / b.value, QUOTIENT);
      if (figure.kind === 'plain') {
        moneyOf(undefined, a, b, to);
        percentOf(a, b, to);
      }
      return;
    case 'percentPoints':
    case 'date':
  }
};

/** What is smaller than the written precision changes nothing. */
const isNegligible = (operand: Operand, { ranges: [range] }: Target): boolean =>
  range !== undefined && Math.abs(operand.value) < (range.to - range.from) / 2;

/** How densely results lie around a number, so that `tried × openness × DENSITY` of them have it by chance. */
const DENSITY = 0.4;
/** So many formulas are tried at most, so that a long list of numbers ends soon. */
const MAX_TRIED = 40_000;
/** How much less is made of what people seldom calculate. */
const RARE = 0.1;

/** The formulas that were tried for a number. One that gives it counts unless one was to be expected by chance. */
class Attempts {
  readonly #ranges: readonly WrittenRange[];
  /** How many common formulas may be tried before one gives the number by chance. */
  readonly #most: number;
  #common = 0;
  #rare = 0;
  #found: (() => string) | undefined;
  #foundRare: (() => string) | undefined;
  /** What is being combined. */
  #texts: readonly [a: string, b: string, c: string] = ['', '', ''];

  /** `times`: how often each formula is tried. */
  constructor({ ranges }: Target, chance: number, times = 1) {
    this.#ranges = ranges;
    this.#most = Math.min((chance * times) / (opennessOf(ranges) * DENSITY), MAX_TRIED);
  }

  /** Whether so much was tried that nothing counts any more. */
  get isHopeless(): boolean {
    return this.#common > this.#most;
  }

  with(a: string, b: string, c = ''): void {
    this.#texts = [a, b, c];
  }

  try(value: number, write: Writer, isRare = false): void {
    if (isRare) this.#rare += 1;
    else this.#common += 1;
    if (!isIn(this.#ranges, value)) return;
    const texts = this.#texts;
    if (isRare) this.#foundRare ??= () => write(...texts);
    else this.#found ??= () => write(...texts);
  }

  formula(): string | undefined {
    if (this.#found && this.#common <= this.#most) return this.#found();
    return this.#foundRare && this.#common + this.#rare <= this.#most * RARE ? this.#foundRare() : undefined;
  }
}

/** How a number follows from two of one group, such as the years of a row: each of the first with each of the second. */
export const fromGroups = (
  target: Target,
  groups: readonly (readonly [first: readonly Operand[], second: readonly Operand[]])[],
  chance: number,
): string | undefined => {
  // In one list, each two meet twice; in two lists, both orders are tried.
  const attempts = new Attempts(target, chance, 2);
  for (const [first, second] of groups) {
    for (const a of first)
      for (const b of second) {
        if (a === b) continue;
        resultsOf(target, a, b, attempts);
        if (first !== second) resultsOf(target, b, a, attempts);
        if (attempts.isHopeless) return undefined;
      }
  }
  return attempts.formula();
};

/** How a number follows from two of these, each of the first with each of the second. */
export const fromPairs = (
  target: Target,
  first: readonly Operand[],
  second: readonly Operand[],
  chance: number,
): string | undefined => fromGroups(target, [[first, second]], chance);

/** `10 shares lost $785`: so many times what two others give. */
export const timesDifference = (
  target: Target,
  factors: readonly Operand[],
  operands: readonly Operand[],
  chance: number,
): string | undefined => {
  const attempts = new Attempts(target, chance, 2);
  for (const factor of factors.filter(isFactor).slice(0, MAX_FACTORS))
    for (const b of operands)
      for (const c of operands) {
        if (b === c || b.kind !== c.kind || !isLike(b, target.figure) || isPercent(b)) continue;
        attempts.with(factor.text, b.text, c.text);
        attempts.try(factor.value * (b.value - c.value), (x, y, z) => `${x} × (${y} − ${z})`);
      }
  return attempts.formula();
};

const MAX_FACTORS = 3;
const MAX_OF_THREE = 12;

/** `10 × $271.50 × 1,463.25`, `40 × (272.95 − 210)`, `$1,000 × 401.99 ÷ 214.25`. */
export const fromTriples = (
  target: Target,
  operands: readonly Operand[],
  chance: number,
): string | undefined => {
  const { figure } = target;
  const few = operands.slice(0, MAX_OF_THREE);
  const isOwn = (each: Operand): boolean => isLike(each, figure) && each.kind !== 'plain';
  const attempts = new Attempts(target, chance);
  for (const [first, a] of few.entries())
    for (const [second, b] of few.entries()) {
      if (a === b) continue;
      for (const [third, c] of few.entries()) {
        if (c === a || c === b) continue;
        attempts.with(a.text, b.text, c.text);
        if (isOwn(a) && isOwn(b) && isOwn(c) && second < third && !isPercent(a)) {
          attempts.try(a.value - b.value - c.value, (x, y, z) => `${x} − ${y} − ${z}`);
          attempts.try(a.value + b.value - c.value, (x, y, z) => `${x} + ${y} − ${z}`);
          if (first < second) attempts.try(a.value + b.value + c.value, (x, y, z) => `${x} + ${y} + ${z}`);
        }
        if (mayBeSame(b, c) && !isPercent(b)) {
          if ((isFactor(a) || (a.kind === 'money' && a.currency !== figure.currency)) && isOwn(b)) {
            attempts.try(a.value * (b.value - c.value), (x, y, z) => `${x} × (${y} − ${z})`);
            if (second < third)
              attempts.try(a.value * (b.value + c.value), (x, y, z) => `${x} × (${y} + ${z})`);
            attempts.try(c.value - a.value * b.value, (x, y, z) => `${z} − ${x} × ${y}`);
          }
          if (isOwn(a) && c.value !== 0)
            attempts.try((a.value * b.value) / c.value, (x, y, z) => `${x} × ${y} ÷ ${z}`);
          if (figure.kind === 'percent' && mayBeSame(a, b) && c.value !== 0)
            attempts.try(((a.value - b.value) / c.value) * PERCENT, (x, y, z) => `(${x} − ${y}) ÷ ${z}`);
          if (figure.kind === 'percent' && mayBeSame(a, b) && c.value !== b.value)
            attempts.try(
              ((a.value - b.value) / (c.value - b.value)) * PERCENT,
              (x, y, z) => `(${x} − ${y}) ÷ (${z} − ${y})`,
            );
        }
        if (figure.kind !== 'money') continue;
        if (isFactor(a) && b.kind === 'money' && c.kind === 'money')
          if (b.currency !== figure.currency && c.currency === figure.currency && isPriceOf(c, b.currency))
            attempts.try(a.value * b.value * c.value, (x, y, z) => `${x} × ${y} × ${z}`);
        if (isFactor(a) && isOwn(b) && isPercent(c)) {
          attempts.try((a.value * b.value * c.value) / PERCENT, (x, y, z) => `${x} × ${y} × ${z}`);
          attempts.try(
            b.value * (1 + (a.value * c.value) / PERCENT),
            (x, y, z) => `${y} × (1 + ${x} × ${z})`,
          );
        }
      }
      if (attempts.isHopeless) return undefined;
    }
  return attempts.formula();
};

const MAX_SUM = 40;

/** The sum or the mean of a run of numbers, such as a column, a list or the holdings of a portfolio. */
export const fromRun = (target: Target, run: readonly Operand[], chance: number): string | undefined => {
  const { figure, ranges } = target;
  const attempts = new Attempts(target, chance);
  const own = run.filter((each) => isLike(each, figure)).slice(0, MAX_SUM);
  for (let from = 0; from < own.length - 1; from += 1) {
    let sum = own[from]?.value ?? 0;
    for (let to = from + 1; to < own.length; to += 1) {
      sum += own[to]?.value ?? 0;
      const count = to - from + 1;
      const terms = (): string =>
        own
          .slice(from, to + 1)
          .map(({ text }) => text)
          .join(' + ');
      // The whole column is what people add up.
      if (count === own.length && isIn(ranges, sum)) return terms();
      if (!target.isMean) {
        attempts.try(sum, terms);
        continue;
      }
      if (count === own.length && isIn(ranges, sum / count)) return `(${terms()}) ÷ ${count}`;
      attempts.try(sum, terms);
      attempts.try(sum / count, () => `(${terms()}) ÷ ${count}`, true);
    }
  }
  return attempts.formula();
};
