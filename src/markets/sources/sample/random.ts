/** FNV-1a. */
const seedFrom = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/** mulberry32: numbers in [0, 1), the same for the same seed on every machine. */
export const createRandom = (seed: string): (() => number) => {
  let state = seedFrom(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The sum of twelve numbers approximates a bell curve without log and cos, whose last digit differs by machine. */
export const bell = (random: () => number): number => {
  let sum = 0;
  for (let count = 0; count < 12; count += 1) sum += random();
  return sum - 6;
};
