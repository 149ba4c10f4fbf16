/** The concentration of a portfolio. Shares are fractions of the sum of all position sizes. */
export interface Concentration {
  readonly largest: number;
  readonly topFive: number;
  /** The sum of squared shares: 1 for a single position, 1/n for n equal ones. */
  readonly herfindahl: number;
  /** The number of equal positions with the same concentration: 1 / `herfindahl`. */
  readonly effectiveNumber: number;
  readonly count: number;
}

const FEW = 5;

/** Undefined without positions. A short position counts by its size. */
export const concentrationOf = (values: readonly number[]): Concentration | undefined => {
  const sizes = values
    .map(Math.abs)
    .filter((size) => size > 0)
    .toSorted((a, b) => b - a);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return undefined;
  const shares = sizes.map((size) => size / total);
  const herfindahl = shares.reduce((sum, share) => sum + share ** 2, 0);
  return {
    largest: shares[0] ?? 0,
    topFive: Math.min(
      1,
      shares.slice(0, FEW).reduce((sum, share) => sum + share, 0),
    ),
    herfindahl,
    effectiveNumber: 1 / herfindahl,
    count: sizes.length,
  };
};
