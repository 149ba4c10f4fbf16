/** How much of a portfolio is in few hands. Shares are fractions of all that is held, whichever way round. */
export interface Concentration {
  readonly largest: number;
  readonly topFive: number;
  /** The sum of the squared shares: 1 where all is in one, 1/n where n are alike. */
  readonly herfindahl: number;
  /** As many alike would be as concentrated: one by the sum above. */
  readonly effectiveNumber: number;
  readonly count: number;
}

const FEW = 5;

/** Undefined where nothing is held. A short position counts by its size. */
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
