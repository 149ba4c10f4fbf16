import type { NumberCounts } from '#src/kernel/operations.ts';

/** Counts the numbers of answers since the start, for `/status`. */
export interface NumberTally {
  readonly add: (counts: NumberCounts) => void;
  readonly current: () => NumberCounts;
}

export const createNumberTally = (): NumberTally => {
  let sum: NumberCounts = { checked: 0, repaired: 0, struck: 0, marked: 0 };
  return {
    add: ({ checked, repaired, struck, marked }) => {
      sum = {
        checked: sum.checked + checked,
        repaired: sum.repaired + repaired,
        struck: sum.struck + struck,
        marked: sum.marked + marked,
      };
    },
    current: () => sum,
  };
};
