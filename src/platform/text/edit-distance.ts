const cell = (row: readonly number[], index: number): number => row[index] ?? Infinity;

/**
 * Damerau–Levenshtein distance: wrong, missing and extra characters and swapped neighbours. Infinity above `limit`.
 */
export const editDistance = (left: string, right: string, limit: number): number => {
  if (Math.abs(left.length - right.length) > limit) return Infinity;
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      current.push(
        Math.min(
          cell(previous, j) + 1,
          cell(current, j - 1) + 1,
          cell(previous, j - 1) + cost,
          isSwap ? cell(beforePrevious, j - 2) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...current) > limit) return Infinity;
    beforePrevious = previous;
    previous = current;
  }
  const distance = cell(previous, right.length);
  return distance > limit ? Infinity : distance;
};

/** The name that a typo probably means; undefined if none is close. */
export const nearestName = (typed: string, names: Iterable<string>): string | undefined => {
  const allowed = typed.length <= 3 ? 1 : 2;
  return Array.from(names, (name) => ({ name, distance: editDistance(typed, name, allowed) }))
    .filter(({ name, distance }) => distance <= allowed && distance < name.length)
    .toSorted((a, b) => a.distance - b.distance)[0]?.name;
};
