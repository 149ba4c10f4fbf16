import { CONTAINER_MARKS, closesFence, continued, fenceEnd, followFence } from './fence-tracker.ts';
import type { Region } from './region.ts';

const PREFIX = new RegExp(`^${CONTAINER_MARKS}`);
const DELIMITERS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?[ \t]*)?$/;

/** How many lines from `first` on are a table; 0 when none begins there. */
const tableLength = (lines: readonly string[], first: number): number => {
  const delimiters = lines[first + 1];
  if (!lines[first]?.includes('|') || delimiters === undefined || delimiters.length > 10_000) return 0;
  if (!DELIMITERS.test(delimiters)) return 0;
  let end = first + 2;
  while (lines[end]?.includes('|')) end += 1;
  return end - first;
};

/** The blocks of a chunk read line by line: less exact than the parser, but never slow. */
export const scanRegions = (lines: readonly string[]): readonly Region[] => {
  const regions: Region[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const prefix = PREFIX.exec(line.slice(0, 1_000))?.[0] ?? '';
    const base = { first: index, isInQuote: prefix.includes('>'), isTopLevel: prefix === '' };
    const fence = followFence(line, undefined, 0);
    const rows = tableLength(lines, index);
    if (fence) {
      const last = fenceEnd(lines, index, fence);
      const isClosed = last < lines.length && closesFence(lines[last] ?? '', fence);
      const end = isClosed ? last : last - 1;
      regions.push({ ...base, kind: 'fence', fence, isClosed, last: end });
      index = end + 1;
    } else if (rows > 0) {
      const last = index + rows - 1;
      regions.push({ ...base, kind: 'table', prefix: continued(prefix), table: undefined, last });
      index = last + 1;
    } else {
      regions.push({ ...base, kind: 'text', last: index });
      index += 1;
    }
  }
  return regions;
};
