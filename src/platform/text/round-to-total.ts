import { Decimal } from '#src/kernel/money.ts';

/**
 * Rounds the parts of a sum so that the rounded parts add up to the rounded total (largest remainder method): each part
 * is rounded down, and the missing units go to the parts that lost most. Parts that do not add up to the total are
 * rounded individually. Halves are rounded up, also below zero: $586.725 - $600.00 is -$13.275, shown as $586.73 and
 * -$13.27.
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

/** A rounded sum and its two exact parts. */
interface Pair {
  readonly shown: Decimal;
  readonly parts: readonly [Decimal, Decimal];
}

/** The range of the first part in which both parts are rounded by less than one unit. */
const firstOf = ({ shown, parts: [first, second] }: Pair, decimals: number) => {
  const down = (value: Decimal): Decimal => value.toDecimalPlaces(decimals, Decimal.ROUND_FLOOR);
  const up = (value: Decimal): Decimal => value.toDecimalPlaces(decimals, Decimal.ROUND_CEIL);
  const least = Decimal.max(down(first), shown.minus(up(second)));
  const most = Decimal.min(up(first), shown.minus(down(second)));
  return { least, room: most.greaterThan(least), lost: first.minus(least) };
};

/**
 * Rounds the parts of several sums of two, so that each rounded sum equals its rounded parts and the rounded first parts
 * add up to `firsts`. If no rounding reaches `firsts`, each pair is rounded individually.
 */
export const shownPairs = (
  pairs: readonly Pair[],
  firsts: Decimal,
  decimals: number,
): readonly (readonly [Decimal, Decimal])[] => {
  const unit = new Decimal(10).pow(-decimals);
  const found = pairs.map((pair) => firstOf(pair, decimals));
  const missing = found.reduce((left, { least }) => left.minus(least), firsts).dividedBy(unit);
  const raised = new Set(
    [...found.entries()]
      .filter(([, { room }]) => room)
      .toSorted(([a, one], [b, other]) => other.lost.comparedTo(one.lost) || a - b)
      .slice(0, Math.max(0, missing.toNumber()))
      .map(([index]) => index),
  );
  const isReached = missing.equals(raised.size);
  return pairs.map(({ shown, parts }, index) => {
    const least = found[index]?.least ?? shown;
    const first = isReached
      ? least.plus(raised.has(index) ? unit : 0)
      : (shownParts(parts, shown, decimals)[0] ?? shown);
    return [first, shown.minus(first)];
  });
};
