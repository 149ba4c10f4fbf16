/** A line as offsets into a text, without its line break. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

export const linesOf = (source: string, from = 0, to = source.length): readonly Line[] => {
  const lines: Line[] = [];
  let start = from;
  while (start <= to) {
    const found = source.indexOf('\n', start);
    const end = found === -1 || found > to ? to : found;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
};

const SPACE = /\s/;

export const isBlank = (source: string, { start, end }: Line): boolean => {
  for (let at = start; at < end; at += 1) if (!SPACE.test(source.charAt(at))) return false;
  return true;
};

/** Binary search: the first index at which `isBehind` holds in a list that is ordered by it; else the length. */
export const firstWhere = <T>(items: readonly T[], isBehind: (item: T) => boolean): number => {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && isBehind(item)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The first index from `from` on at which `isFound` holds; else the length. */
export const indexFrom = (
  lines: readonly string[],
  from: number,
  isFound: (line: string) => boolean,
): number => {
  for (let index = from; index < lines.length; index += 1) if (isFound(lines[index] ?? '')) return index;
  return lines.length;
};
