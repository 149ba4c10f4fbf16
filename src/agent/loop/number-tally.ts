import { NO_NUMBERS, type NumberCounts } from '#src/kernel/operations/status.ts';

/** Counts the numbers of answers since the start, for `/status`. */
export interface NumberTally {
  readonly add: (counts: NumberCounts) => void;
  readonly current: () => NumberCounts;
}

const NAMES = Object.keys(NO_NUMBERS) as readonly (keyof NumberCounts)[];

export const createNumberTally = (): NumberTally => {
  const sum: Record<keyof NumberCounts, number> = { ...NO_NUMBERS };
  return {
    add: (counts) => {
      for (const name of NAMES) sum[name] += counts[name];
    },
    current: () => ({ ...sum }),
  };
};
