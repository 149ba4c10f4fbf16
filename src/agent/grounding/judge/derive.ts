import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { isMultiple, isPrice, isTakenOf, sortOf } from '#src/kernel/market/metric-sorts.ts';
import { isPercent, mayBeSame, type Measure, PERCENT } from '../facts/units.ts';
import type { Figure } from '../read/figures.ts';
import { isCoinCode } from '#src/reading/currencies.ts';
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
  /** A count of months or years: it multiplies and divides, and is no amount itself. */
  readonly isSpan?: boolean | undefined;
}

/** Grams of an ounce of gold. */
const TROY = 31.1035;
/** Months, quarters, weeks, trading days, halves and thirds. */
export const COUNTS: readonly Operand[] = [2, 3, 4, 12, 52, 252, 365, TROY].map(
  (value) =>
    ({ value, kind: 'plain', currency: undefined, text: String(value), isSpan: value !== TROY }) as const,
);

/** `나머지는 68.4%`: what is left of the whole. */
export const WHOLE: Operand = { value: PERCENT, kind: 'percent', currency: undefined, text: '100%' };

/** All of one kind of thing, such as what all holdings are worth. */
export const totalOf = (all: readonly Operand[]): Operand => ({
  ...(all[0] ?? WHOLE),
  entity: undefined,
  value: all.reduce((sum, { value }) => sum + value, 0),
  text: `(${all.map(({ text }) => text).join(' + ')})`,
});

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

const isOneSort = (a: Operand, b: Operand): boolean => {
  if (a.isSpan === true || b.isSpan === true) return a.isSpan === b.isSpan && a.isSpan !== true;
  const [one, other] = [sortOf(a.metric), sortOf(b.metric)];
  return one === undefined || other === undefined || one === other;
};

const isFactor = ({ kind, metric }: Operand): boolean =>
  kind === 'count' || ((kind === 'multiple' || kind === 'plain') && isMultiple(metric));

const percentOf = (a: Operand, b: Operand, to: Attempts): void => {
  if (isPercent(a) && isPercent(b)) {
    to.try((a.value * b.value) / PERCENT, 'a × b', true);
    to.try((1 + a.value / PERCENT) * (1 + b.value / PERCENT) * PERCENT - PERCENT, 'a × b', true);
    return;
  }
  if (isPercent(a) && isFactor(b) && sortOf(b.metric) === undefined && b.value > 1) {
    to.try(a.value * b.value, 'a × b', true);
    if (b.value !== 0) to.try(a.value / b.value, 'a ÷ b', true);
    return;
  }
  if (b.value === 0 || a.value === b.value || !mayBeSame(a, b) || isPercent(b) || !isOneSort(a, b)) return;
  to.try((a.value / b.value - 1) * PERCENT, '(a − b) ÷ b');
  to.try((a.value / b.value) * PERCENT, 'a ÷ b');
  if (a.value + b.value !== 0 && sortOf(a.metric) !== 'one')
    to.try((a.value / (a.value + b.value)) * PERCENT, 'a ÷ (a + b)', true);
};

/** Whether amounts in this currency are converted with it. A rate that no fact gives is in won or yen. */
const isPriceOf = ({ prices, metric, currency, value }: Operand, priced: string | undefined): boolean =>
  prices === undefined
    ? metric === undefined && (currency === 'KRW' || currency === 'JPY') && value < MOST_OF_RATE
    : prices === priced;

/** No currency costs more won or yen. */
const MOST_OF_RATE = 5_000;

const POWERS_OF_TEN: ReadonlySet<number> = new Set([10, 100, 1_000, 10_000, 0.1, 0.01]);

const moneyOf = (currency: string | undefined, a: Operand, b: Operand, to: Attempts): void => {
  const isOwn =
    a.kind === 'money' && (currency === undefined || a.currency === currency || a.currency === undefined);
  if ((isOwn || (a.kind === 'plain' && a.isSpan !== true)) && isPercent(b)) {
    if (!isTakenOf(b.metric, a.metric)) return;
    const rate = b.value / PERCENT;
    // A tenth of a price is a slip more often than ten percent of it, unless somebody speaks of ten percent.
    if (b.metric === undefined || !(POWERS_OF_TEN.has(b.value) || b.value === 1))
      to.try(a.value * rate, 'a × b');
    to.try(a.value * (1 + rate), 'a × (1 + b)');
    to.try(a.value * (1 - rate), 'a × (1 − b)');
    if (rate !== -1) to.try(a.value / (1 + rate), 'a ÷ (1 + b)', true);
    if (rate !== 1) to.try(a.value / (1 - rate), 'a ÷ (1 − b)', true);
    if (rate !== -1) to.try((a.value * rate) / (1 + rate), 'a × b', true);
    return;
  }
  // Ten times a price is a slip more often than the price of ten.
  const isTens = b.kind === 'plain' && POWERS_OF_TEN.has(b.value);
  // Nobody divides a price by months.
  if (b.isSpan === true && isPrice(a.metric)) return;
  if (
    isOwn &&
    isFactor(b) &&
    !isTens &&
    !(b.kind === 'count' && a.prices !== undefined && !isCoinCode(a.prices))
  ) {
    const [own, count] = [sortOf(a.metric), b.kind === 'count'];
    if (!count || own !== 'whole') to.try(a.value * b.value, 'a × b');
    if (b.value !== 0 && (!count || own !== 'one')) to.try(a.value / b.value, 'a ÷ b');
  }
  if (a.kind === 'money' && b.kind === 'money' && a.currency !== currency && b.value !== 0) {
    // An amount in another currency, at the price of that currency, and back.
    if (b.currency === currency && isPriceOf(b, a.currency)) to.try(a.value * b.value, 'a × b');
    else if (b.currency === a.currency && isPriceOf(b, currency)) to.try(a.value / b.value, 'a ÷ b');
  }
  // `0.023 BTC` for so much money.
  if (isCoinAmount(currency) && a.kind === 'money' && a.currency === b.currency && b.value !== 0)
    to.try(a.value / b.value, 'a ÷ b');
  if (a.kind === 'plain' && b.kind === 'plain') to.try(a.value * b.value, 'a × b', true);
};

export const isCoinAmount = (currency: string | undefined): boolean =>
  currency !== undefined && isCoinCode(currency);

const countOf = (a: Operand, b: Operand, to: Attempts): void => {
  if (
    a.kind === 'money' &&
    b.kind === 'money' &&
    a.currency === b.currency &&
    b.value !== 0 &&
    sortOf(b.metric) !== 'whole'
  ) {
    to.try(a.value / b.value, 'a ÷ b');
    to.try(Math.floor(a.value / b.value), 'a ÷ b');
  }
  if (a.kind === 'count' && isPercent(b)) to.try((a.value * b.value) / PERCENT, 'a × b');
  if (a.kind === 'count' && isFactor(b)) {
    to.try(a.value * b.value, 'a × b', true);
    if (b.value !== 0) to.try(a.value / b.value, 'a ÷ b', true);
  }
};

/** Whether a number has the unit of the target, or none. */
const isLike = (each: Measure, { kind, currency }: Figure): boolean =>
  kind === 'percentPoints' || (kind === 'points' && isPercent(each))
    ? isPercent(each) || each.kind === 'plain'
    : mayBeSame(each, { kind, currency });

/** Nobody compares two things of two subjects. */
const isComparable = (a: Operand, b: Operand): boolean =>
  a.entity === undefined ||
  b.entity === undefined ||
  a.entity === b.entity ||
  a.metric === b.metric ||
  // A position is a part of its portfolio.
  (a.metric === 'marketValue' && b.entity.startsWith('portfolio:')) ||
  (b.metric === 'marketValue' && a.entity.startsWith('portfolio:'));

/** Two prices of one subject are compared, and never added up. */
const isAddable = (a: Operand, b: Operand): boolean =>
  a.entity === undefined || a.entity !== b.entity || !(isPrice(a.metric) && isPrice(b.metric));

/** Every number of the target's unit that two operands give. */
const resultsOf = (target: Target, a: Operand, b: Operand, to: Attempts): void => {
  const { figure } = target;
  to.with(a, b);
  if (a.value === b.value || (mayBeSame(a, b) && !isComparable(a, b))) return;
  // Months are of no use for a plain number, unless it is an amount.
  if (b.isSpan === true && figure.kind === 'plain' && Math.abs(figure.value) < AMOUNT) return;
  const isSame = isOneSort(a, b);
  if (
    isSame &&
    isLike(a, figure) &&
    isLike(b, figure) &&
    a.kind === b.kind &&
    mayBeSame(a, b) &&
    (figure.kind !== 'plain' || !isPercent(a)) &&
    !isNegligible(a, target) &&
    !isNegligible(b, target)
  ) {
    to.try(a.value - b.value, 'a − b');
    if (isAddable(a, b)) to.try(a.value + b.value, 'a + b', isPercent(a));
    if (target.isMean && (a.entity === undefined || b.entity === undefined || a.metric === b.metric))
      to.try((a.value + b.value) / 2, '(a + b) ÷ 2');
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
        a.value !== b.value &&
        a.kind === b.kind &&
        isSame &&
        (figure.kind === 'multiple' || !isPercent(a)) &&
        mayBeSame(a, b)
      )
        to.try(a.value / b.value, 'a ÷ b');
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
const isNegligible = (operand: Operand, { figure }: Target): boolean =>
  Math.abs(operand.value) < 10 ** figure.lastPower / 2;

/** How densely results lie around a number, so that `tried × openness × DENSITY` of them have it by chance. */
const DENSITY = 0.4;
/** So many formulas are tried at most, so that a long list of numbers ends soon. */
const MAX_TRIED = 40_000;
/** How much less is made of what people seldom calculate. */
const RARE = 0.1;

const LETTER = /\b[abcd]\b/gu;

/** The formulas that were tried for a number. One that gives it counts unless one was to be expected by chance. */
class Attempts {
  readonly #ranges: readonly WrittenRange[];
  /** How many common formulas may be tried before one gives the number by chance. */
  readonly #most: number;
  #common = 0;
  #rare = 0;
  #found: string | undefined;
  #foundRare: string | undefined;
  /** What is being combined: a, b, c and d of a formula. */
  #operands: readonly Operand[] = [];

  /** `times`: how often each formula is tried. */
  constructor({ ranges }: Target, chance: number, times = 1) {
    this.#ranges = ranges;
    this.#most = Math.min((chance * times) / (opennessOf(ranges) * DENSITY), MAX_TRIED);
  }

  /** Whether so much was tried that nothing counts any more. */
  get isHopeless(): boolean {
    return this.#common > this.#most;
  }

  with(...operands: readonly Operand[]): void {
    this.#operands = operands;
  }

  try(value: number, formula: string | (() => string), isRare = false): void {
    if (isRare) this.#rare += 1;
    else this.#common += 1;
    if (!isIn(this.#ranges, value)) return;
    const written =
      typeof formula === 'string'
        ? formula.replaceAll(LETTER, (letter) => this.#operands['abcd'.indexOf(letter)]?.text ?? letter)
        : formula();
    if (isRare) this.#foundRare ??= written;
    else this.#found ??= written;
  }

  formula(): string | undefined {
    if (this.#found !== undefined && this.#common <= this.#most) return this.#found;
    return this.#common + this.#rare <= this.#most * RARE ? this.#foundRare : undefined;
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

/**
 * What a position does: `10 shares lost $785`, `$1,000 at the low would be $1,876 now`, `10 more, and the average is
 * $212`.
 */
export const ofPosition = (
  target: Target,
  stated: readonly Operand[],
  facts: readonly Operand[],
  chance: number,
): string | undefined => {
  const { figure } = target;
  if (figure.kind !== 'money' && figure.kind !== 'plain') return undefined;
  const attempts = new Attempts(target, chance, 2);
  const isMoney = (each: Operand): boolean =>
    isLike(each, figure) && !isPercent(each) && each.isSpan !== true;
  const prices = different(facts.filter((each) => isMoney(each) && sortOf(each.metric) === 'one')).slice(
    0,
    MAX_PRICES,
  );
  const counts = stated.filter((each) => isFactor(each) && each.isSpan !== true).slice(0, MAX_FACTORS);
  const amounts = stated.filter((each) => isMoney(each)).slice(0, MAX_FACTORS);
  for (const b of prices)
    for (const c of prices) {
      if (b === c) continue;
      for (const a of counts) {
        attempts.with(a, b, c);
        attempts.try(a.value * (b.value - c.value), 'a × (b − c)');
      }
      for (const a of amounts) {
        attempts.with(a, b, c);
        if (c.value !== 0) attempts.try((a.value * b.value) / c.value, 'a × b ÷ c');
      }
    }
  // `Ten of these and five of those`.
  for (const [first, a] of counts.entries())
    for (const b of counts.slice(first + 1))
      for (const c of prices)
        for (const d of prices) {
          if (c === d || c.entity === d.entity) continue;
          attempts.with(a, b, c, d);
          attempts.try(a.value * c.value + b.value * d.value, 'a × c + b × d');
        }
  const held = facts.find(({ metric }) => metric === 'quantity');
  const cost = facts.find(({ metric }) => metric === 'averageCost');
  if (held && cost && isMoney(cost))
    for (const count of counts)
      for (const price of [...amounts, ...prices]) {
        attempts.with(held, cost, count, price);
        attempts.try(
          (held.value * cost.value + count.value * price.value) / (held.value + count.value),
          '(a × b + c × d) ÷ (a + c)',
        );
      }
  return attempts.formula();
};

const MAX_PRICES = 12;
const MAX_FACTORS = 3;
const MAX_OF_THREE = 12;
/** A number without a unit that may be an amount of money. */
const AMOUNT = 1_000;

/** `10 × $271.50 × 1,463.25`, `40 × (272.95 − 210)`, `$1,000 × 401.99 ÷ 214.25`. */
export const fromTriples = (
  target: Target,
  operands: readonly Operand[],
  chance: number,
): string | undefined => {
  const { figure } = target;
  const few = operands.slice(0, MAX_OF_THREE);
  const isOwn = (each: Operand): boolean =>
    isLike(each, figure) && (each.kind !== 'plain' || Math.abs(each.value) >= AMOUNT);
  const attempts = new Attempts(target, chance);
  for (const [first, a] of few.entries())
    for (const [second, b] of few.entries()) {
      if (a === b) continue;
      for (const [third, c] of few.entries()) {
        // Divided by itself, a number is nothing new.
        if (c === a || c === b || c.value === a.value || c.value === b.value) continue;
        attempts.with(a, b, c);
        if (
          isOwn(a) &&
          isOwn(b) &&
          isOwn(c) &&
          second < third &&
          !isPercent(a) &&
          isOneSort(a, b) &&
          isOneSort(b, c)
        ) {
          attempts.try(a.value - b.value - c.value, 'a − b − c');
          attempts.try(a.value + b.value - c.value, 'a + b − c');
          if (first < second) attempts.try(a.value + b.value + c.value, 'a + b + c');
        }
        if (mayBeSame(b, c) && !isPercent(b)) {
          const isSame = isOneSort(b, c);
          const isTimes = isFactor(a) || (a.kind === 'money' && a.currency !== figure.currency);
          // `18 × 293,500 − 5,000,000`.
          if (isTimes && isOwn(b) && isOwn(c) && !isNegligible({ ...a, value: a.value * b.value }, target))
            attempts.try(c.value - a.value * b.value, 'c − a × b');
          if (isTimes && isOwn(b) && isSame) {
            attempts.try(a.value * (b.value - c.value), 'a × (b − c)');
            if (second < third) attempts.try(a.value * (b.value + c.value), 'a × (b + c)');
          }
          if (!isSame) continue;
          if (isOwn(a) && c.value !== 0) attempts.try((a.value * b.value) / c.value, 'a × b ÷ c');
          if (figure.kind === 'percent' && mayBeSame(a, b) && c.value !== 0)
            attempts.try(((a.value - b.value) / c.value) * PERCENT, '(a − b) ÷ c');
          if (figure.kind === 'percent' && mayBeSame(a, b) && c.value !== b.value)
            attempts.try(((a.value - b.value) / (c.value - b.value)) * PERCENT, '(a − b) ÷ (c − b)');
        }
        if (figure.kind !== 'money') continue;
        if (isFactor(a) && b.kind === 'money' && c.kind === 'money')
          if (b.currency !== figure.currency && c.currency === figure.currency && isPriceOf(c, b.currency))
            attempts.try(a.value * b.value * c.value, 'a × b × c');
        if (isFactor(a) && isOwn(b) && isPercent(c)) {
          attempts.try((a.value * b.value * c.value) / PERCENT, 'a × b × c');
          attempts.try(b.value * (1 + (a.value * c.value) / PERCENT), 'b × (1 + a × c)');
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
  const own = run
    .filter((each) => each.isSpan !== true && isLike(each, figure) && isPercent(each) === isPercent(figure))
    .slice(0, MAX_SUM);
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
