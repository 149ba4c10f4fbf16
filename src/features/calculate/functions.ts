import { Decimal } from '#src/kernel/money.ts';
import { fail } from './problem.ts';
import { plainValue, type Quantity, quantity, requireSameUnit } from './quantity.ts';

interface CalculationFunction {
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  readonly apply: (first: Quantity, others: readonly Quantity[]) => Quantity;
}

const MAX_ARGUMENTS = 50;
const MAX_DECIMALS = 30;
/** e^230 has a hundred digits: what lies beyond is out of range anyway. */
const MAX_EXPONENT = 231;

const positive = (of: Quantity, name: string): Decimal => {
  const value = plainValue(of);
  return value.greaterThan(0) ? value : fail({ kind: 'noResult', name });
};

/** `sign` 1: the largest; −1: the smallest. */
const extreme = (first: Quantity, others: readonly Quantity[], sign: 1 | -1): Quantity => {
  for (const other of others) requireSameUnit(first, other);
  return others.reduce((best, each) => (each.value.comparedTo(best.value) === sign ? each : best), first);
};

const one = (name: string, apply: CalculationFunction['apply']): readonly [string, CalculationFunction] => [
  name,
  { usage: `${name}(a)`, least: 1, most: 1, apply },
];

const decimalsOf = (digits: Quantity | undefined): number => {
  if (!digits) return 0;
  const value = plainValue(digits);
  return value.isInteger() && !value.isNegative() && value.lessThanOrEqualTo(MAX_DECIMALS)
    ? value.toNumber()
    : fail({ kind: 'noResult', name: 'round' });
};

/** Half away from zero, as people round money; of a percentage the digits that are shown. */
const rounded = (of: Quantity, digits: Quantity | undefined): Quantity => {
  const decimals = decimalsOf(digits) + (of.isPercent ? 2 : 0);
  return quantity(of.value.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP), of.unit, of.isPercent);
};

/** How far it is from `a` to `b`, in percent of `a`. */
const percentChange = (a: Quantity, b: Quantity): Quantity => {
  requireSameUnit(a, b);
  if (a.value.isZero()) fail({ kind: 'dividedByZero' });
  return quantity(b.value.minus(a.value).dividedBy(a.value.abs()), undefined, true);
};

export const FUNCTIONS: ReadonlyMap<string, CalculationFunction> = new Map<string, CalculationFunction>([
  one('sqrt', (of) => {
    const value = plainValue(of);
    return value.isNegative() ? fail({ kind: 'noResult', name: 'sqrt' }) : quantity(value.sqrt());
  }),
  one('abs', ({ value, unit, isPercent }) => quantity(value.abs(), unit, isPercent)),
  one('ln', (of) => quantity(positive(of, 'ln').ln())),
  one('log10', (of) => quantity(positive(of, 'log10').log(10))),
  one('exp', (of) => {
    const value = plainValue(of);
    return value.abs().greaterThan(MAX_EXPONENT) ? fail({ kind: 'outOfRange' }) : quantity(value.exp());
  }),
  ['min', { usage: 'min(a, b, …)', least: 2, most: MAX_ARGUMENTS, apply: (a, rest) => extreme(a, rest, -1) }],
  ['max', { usage: 'max(a, b, …)', least: 2, most: MAX_ARGUMENTS, apply: (a, rest) => extreme(a, rest, 1) }],
  ['round', { usage: 'round(a, decimals)', least: 1, most: 2, apply: (a, [digits]) => rounded(a, digits) }],
  ['pct', { usage: 'pct(from, to)', least: 2, most: 2, apply: (a, [b = a]) => percentChange(a, b) }],
]);
