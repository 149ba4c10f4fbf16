import { type Currency, type Decimal, RateDecimal } from '#src/kernel/money.ts';
import { fail } from './problem.ts';

/** Powers of currencies: won per dollar is { KRW: 1, USD: -1 }. Empty for a plain number. */
type Unit = ReadonlyMap<Currency, number>;

export interface Quantity {
  /** A percentage is a fraction: 5 % is 0.05. */
  readonly value: Decimal;
  readonly unit: Unit;
  readonly isPercent: boolean;
}

/** The largest exponent; it keeps every step cheap. */
const MAX_MAGNITUDE = 100;
const MAX_UNIT_POWER = 3;
const MAX_POWER = 1e12;

const PLAIN: Unit = new Map();

/** Every result is made here, so a number out of range ends the calculation. */
export const quantity = (value: Decimal, unit: Unit = PLAIN, isPercent = false): Quantity => {
  if (!value.isFinite() || (!value.isZero() && Math.abs(value.e) > MAX_MAGNITUDE))
    fail({ kind: 'outOfRange' });
  return { value, unit, isPercent };
};

export const unitQuantity = (code: Currency): Quantity => quantity(new RateDecimal(1), new Map([[code, 1]]));

const powerText = ([code, power]: readonly [string, number]): string =>
  power === 1 ? code : `${code}^${power}`;

/** `KRW`, `KRW/USD`; empty for a plain number. */
export const unitText = ({ unit }: Pick<Quantity, 'unit'>): string => {
  const powers = [...unit].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const above = powers.filter(([, power]) => power > 0).map(powerText);
  const below = powers.filter(([, power]) => power < 0).map(([code, power]) => powerText([code, -power]));
  return [above.join('·') || (below.length > 0 ? '1' : ''), ...below].join('/');
};

const nameOf = (of: Quantity): string => unitText(of) || (of.isPercent ? '%' : '1');

const isPlain = ({ unit }: Quantity): boolean => unit.size === 0;

const combined = (a: Unit, b: Unit, sign: 1 | -1): Unit => {
  const powers = new Map(a);
  for (const [code, power] of b) powers.set(code, (powers.get(code) ?? 0) + sign * power);
  const unit = new Map([...powers].filter(([, power]) => power !== 0));
  if ([...unit.values()].some((power) => Math.abs(power) > MAX_UNIT_POWER)) fail({ kind: 'outOfRange' });
  return unit;
};

/** A plain number, or the fraction that a percentage is. */
export const plainValue = (of: Quantity): Decimal =>
  isPlain(of) ? of.value : fail({ kind: 'plainNeeded', unit: unitText(of) });

/** Fails for different units: won and dollars do not add up. */
export const requireSameUnit = (left: Quantity, right: Quantity): void => {
  const isSame = unitText(left) === unitText(right) && left.isPercent === right.isPercent;
  if (!isSame) fail({ kind: 'differentUnits', left: nameOf(left), right: nameOf(right) });
};

export const negative = ({ value, unit, isPercent }: Quantity): Quantity =>
  quantity(value.negated(), unit, isPercent);

/** A percentage counts from the left operand: `100 + 5%` is 105. */
export const sum = (left: Quantity, right: Quantity, sign: 1 | -1): Quantity => {
  if (right.isPercent && !left.isPercent)
    return quantity(left.value.times(right.value.times(sign).plus(1)), left.unit);
  if (left.isPercent && !right.isPercent && isPlain(right)) fail({ kind: 'percentFirst' });
  requireSameUnit(left, right);
  return quantity(left.value.plus(right.value.times(sign)), left.unit, left.isPercent);
};

export const product = (left: Quantity, right: Quantity): Quantity =>
  quantity(left.value.times(right.value), combined(left.unit, right.unit, 1));

export const quotient = (left: Quantity, right: Quantity): Quantity => {
  if (right.value.isZero()) fail({ kind: 'dividedByZero' });
  return quantity(left.value.dividedBy(right.value), combined(left.unit, right.unit, -1));
};

/** Checks the size of the result before it is computed, so that no power takes long. */
export const power = (base: Quantity, exponent: Quantity): Quantity => {
  const to = plainValue(exponent);
  if (to.abs().greaterThan(MAX_POWER)) fail({ kind: 'outOfRange' });
  if (base.value.isZero() && to.isNegative()) fail({ kind: 'dividedByZero' });
  if (base.value.isNegative() && !to.isInteger()) fail({ kind: 'noResult', name: '^' });
  const digits = base.value.isZero() ? 0 : to.toNumber() * Math.log10(base.value.abs().toNumber());
  if (Math.abs(digits) > MAX_MAGNITUDE) fail({ kind: 'outOfRange' });
  if (!isPlain(base) && (!to.isInteger() || to.abs().greaterThan(MAX_UNIT_POWER)))
    fail({ kind: 'plainNeeded', unit: unitText(base) });
  const unit = new Map([...base.unit].map(([code, each]) => [code, each * to.toNumber()] as const));
  return quantity(base.value.pow(to), combined(PLAIN, unit, 1));
};
