import { indexFrom } from './lines.ts';

/** A fence that is open at some line. */
export interface OpenFence {
  readonly marker: string;
  readonly language: string;
  /** What stands before the code on every line of it: marks of quotes, indentation of lists. */
  readonly prefix: string;
  readonly quoteDepth: number;
  /** Columns that a line needs to be still inside the list item; 0 outside of lists. */
  readonly itemOffset: number;
}

/** Marks of quotes and lists in front of a line's own text. */
export const CONTAINER_MARKS = String.raw`(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;

const OPENING = new RegExp(`^(${CONTAINER_MARKS})(\`{3,}|~{3,})([^\\n]*)`);
const LANGUAGE = /^\S{1,32}(?!\S)/;
const BULLET = /[^>\s]/;
const QUOTE_MARK = /[ \t]*>/y;

/** The text behind `depth` marks of quotes; undefined when the line has fewer. */
const behindQuotes = (line: string, depth: number): string | undefined => {
  if (depth === 0) return line;
  QUOTE_MARK.lastIndex = 0;
  for (let mark = 0; mark < depth; mark += 1) if (!QUOTE_MARK.test(line)) return undefined;
  const rest = line.slice(QUOTE_MARK.lastIndex);
  return /^[ \t]/.test(rest) ? rest.slice(1) : rest;
};

/** Columns of white space at the beginning; a tab leads to the next fourth one. */
const indentOf = (text: string): number => {
  let columns = 0;
  for (const character of text) {
    if (character !== ' ' && character !== '\t') break;
    columns += character === ' ' ? 1 : 4 - (columns % 4);
  }
  return columns;
};

/** Columns between the marks of quotes, with the space that belongs to them, and the text. */
const ownIndent = (prefix: string): number => {
  const quoteEnd = prefix.lastIndexOf('>') + 1;
  return Math.max(0, indentOf(continued(prefix.slice(quoteEnd))) - (quoteEnd > 0 ? 1 : 0));
};

/** A list's mark becomes spaces: the item goes on, it does not begin again. */
export const continued = (prefix: string): string => prefix.replaceAll(/[^>\s]/g, ' ');

/** The line that ends the fence, behind the last line of code. */
export const closingOf = ({ prefix, marker }: OpenFence): string => `\n${prefix}${marker}`;

const openedBy = (line: string, itemOffset: number): OpenFence | undefined => {
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const [, prefix = '', marker = '', info = ''] = OPENING.exec(line) ?? [];
  // Backticks behind the marker make it code in a line, not a fence.
  if (marker === '' || (marker.startsWith('`') && info.includes('`'))) return undefined;
  const indent = ownIndent(prefix);
  const isItem = BULLET.test(prefix);
  // Four spaces outside of a list make a line of indented code.
  if (itemOffset === 0 && !isItem && indent > 3) return undefined;
  return {
    marker,
    language: LANGUAGE.exec(info.trim())?.[0] ?? '',
    prefix: continued(prefix),
    quoteDepth: prefix.split('>').length - 1,
    itemOffset: isItem ? indent : indent >= itemOffset ? itemOffset : 0,
  };
};

/** The parser takes both kinds of marks behind the closing one. */
export const closesFence = (line: string, open: OpenFence): boolean => {
  const { marker, prefix, quoteDepth, itemOffset } = open;
  const text = behindQuotes(line, quoteDepth);
  const trimmed = text?.trim() ?? '';
  return (
    text !== undefined &&
    trimmed.startsWith(marker) &&
    /^[`~]+$/.test(trimmed) &&
    indentOf(text) <= (itemOffset > 0 ? ownIndent(prefix) : 0) + 3
  );
};

/**
 * The fence that is open after `line`, given the one open before it. `itemOffset` is the indentation of
 * what belongs to the list item around; 0 where there is none.
 */
export const followFence = (
  line: string,
  open: OpenFence | undefined,
  itemOffset: number,
): OpenFence | undefined => {
  if (!open) return openedBy(line, itemOffset);
  if (closesFence(line, open)) return undefined;
  const text = behindQuotes(line, open.quoteDepth);
  if (text === undefined) return openedBy(line, itemOffset);
  const hasLeft = open.itemOffset > 0 && text.trim() !== '' && indentOf(text) < open.itemOffset;
  return hasLeft ? openedBy(line, itemOffset) : open;
};

/** The first line behind `index` that is not inside of the fence any more: its end, or what left it. */
export const fenceEnd = (lines: readonly string[], index: number, fence: OpenFence): number =>
  indexFrom(lines, index + 1, (line) => followFence(line, fence, 0) !== fence);

const MARKER = /`{3}|~{3}/;

/** A marker that no line of the code can be taken for. */
const shortMarker = (code: readonly string[]): string => {
  const text = code.join('\n');
  const free = ['```', '~~~'].find((marker) => !text.includes(marker));
  if (free !== undefined) return free;
  const runs = text.match(/~{3,}/g) ?? [];
  return '~'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
};

/**
 * Fences whose marker and language would fill half of a part get a short marker; what stood behind the
 * long one becomes the first line of the code. Everything else stays as it is.
 */
export const shortenFences = (source: string, limit: number): string => {
  const isTooLong = (line: string, { marker, prefix }: OpenFence): boolean =>
    line.length + prefix.length + marker.length + 2 > limit / 2;
  // Few documents have such a line at all.
  const longest = Math.max(4, Math.ceil(limit / 4) - 1);
  const lines = source.split('\n');
  if (!lines.some((line) => line.length >= longest && MARKER.test(line.slice(0, 1_003)))) return source;
  const made: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const fence = followFence(line, undefined, 0);
    const end = fence ? fenceEnd(lines, index, fence) : index + 1;
    const isClosed = fence !== undefined && end < lines.length && closesFence(lines[end] ?? '', fence);
    const code = lines.slice(index + 1, end);
    if (fence && isTooLong(line, fence) && (isClosed || code.length > 0)) {
      const markerAt = line.indexOf(fence.marker);
      const info = line.slice(markerAt + fence.marker.length).trim();
      const marker = shortMarker([info, ...code]);
      made.push(line.slice(0, markerAt) + marker, ...(info === '' ? [] : [fence.prefix + info]), ...code);
      if (isClosed) made.push(fence.prefix + marker);
    } else made.push(line, ...code, ...(isClosed ? [lines[end] ?? ''] : []));
    index = isClosed ? end + 1 : end;
  }
  return made.join('\n');
};
