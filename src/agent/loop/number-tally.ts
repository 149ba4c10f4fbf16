import { NO_NUMBERS, type NumberCounts } from '#src/kernel/operations/status.ts';

/** Counts the numbers of answers since the start, for `/status`. */
export type NumberTally = ReturnType<typeof createNumberTally>;

const NAMES = Object.keys(NO_NUMBERS) as readonly (keyof NumberCounts)[];

export const createNumberTally = () => {
  const sum: Record<keyof NumberCounts, number> = { ...NO_NUMBERS };
  return {
    add: (counts: NumberCounts) => {
      for (const name of NAMES) sum[name] += counts[name];
    },
    current: (): NumberCounts => ({ ...sum }),
  };
};
