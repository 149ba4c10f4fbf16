import { Decimal } from './money.ts';

/**
 * Parts of a sum, rounded so that what is shown adds up to the total that is shown: each is rounded down, and the units
 * that are missing then go to those that lost most (largest remainder). A part that needs no rounding stays as it is.
 * Parts that are not those of this total are rounded each by itself. Halves go up, also below zero: $586.725 - $600.00 is
 * -$13.275, shown as $586.73 and -$13.27.
 */
export const shownParts = (
  parts: readonly Decimal[],
  total: Decimal,
  decimals: number,
): readonly Decimal[] => {
  const unit = new Decimal(10).pow(-decimals);
  const floors = parts.map((part) => part.toDecimalPlaces(decimals, Decimal.ROUND_FLOOR));
  const shownTotal = total.toDecimalPlaces(decimals, Decimal.ROUND_HALF_CEIL);
  const missing = floors.reduce((left, floor) => left.minus(floor), shownTotal).dividedBy(unit);
  if (missing.isNegative() || missing.greaterThan(parts.length))
    return parts.map((part) => part.toDecimalPlaces(decimals, Decimal.ROUND_HALF_CEIL));
  const lost = parts.map((part, index) => ({ index, by: part.minus(floors[index] ?? part) }));
  const raised = new Set(
    lost
      .toSorted((a, b) => b.by.comparedTo(a.by) || a.index - b.index)
      .slice(0, missing.toNumber())
      .map(({ index }) => index),
  );
  return floors.map((floor, index) => (raised.has(index) ? floor.plus(unit) : floor));
};
