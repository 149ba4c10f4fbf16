import { Decimal } from '#src/kernel/money.ts';
import { Exact } from './number-words.ts';

/** Integers that a float holds exactly stay floats, which is much faster. */
export type Count = number | Decimal;

const MAX_FLOAT_DIGITS = 15;
export const countOf = (digits: string): Count =>
  digits.length <= MAX_FLOAT_DIGITS && !digits.includes('.') ? Number(digits) : new Decimal(digits);

const POWERS = Array.from({ length: 29 }, (_, power) => 10 ** power);
export const raised = (count: Count, power: number): Count => {
  if (power === 0) return count;
  const float = typeof count === 'number' ? count * (POWERS[power] ?? Infinity) : Infinity;
  return float <= Number.MAX_SAFE_INTEGER ? float : new Exact(count).times(`1e${power}`);
};

export const sum = (one: Count, other: Count): Count => {
  const float = typeof one === 'number' && typeof other === 'number' ? one + other : Infinity;
  return float <= Number.MAX_SAFE_INTEGER ? float : new Exact(one).plus(other);
};

export const isLess = (count: Count, limit: number): boolean =>
  typeof count === 'number' ? count < limit : count.lessThan(limit);

/** The constructor copies every digit. */
export const decimalOf = (count: Count): Decimal =>
  typeof count !== 'number' && count.constructor === Decimal ? count : new Decimal(count);
