import { indexFrom } from './lines.ts';

export interface OpenFence {
  readonly marker: string;
  readonly language: string;
  /** Quote marks and list indentation before every line of code. */
  readonly prefix: string;
  readonly quoteDepth: number;
  /** The indentation of lines that belong to the list item; 0 outside of lists. */
  readonly itemOffset: number;
}

const CONTAINER_MARKS = String.raw`(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;
const PREFIX = new RegExp(`^${CONTAINER_MARKS}`);

/** The quote and list marks before a line's own text. */
export const prefixOf = (line: string): string => PREFIX.exec(line.slice(0, 1_000))?.[0] ?? '';

const OPENING = new RegExp(`^(${CONTAINER_MARKS})(\`{3,}|~{3,})([^\\n]*)`);
const LANGUAGE = /^\S{1,32}(?!\S)/;
const BULLET = /[^>\s]/;
const QUOTE_MARK = /[ \t]*>/y;

/** The text behind `depth` quote marks; undefined if the line has fewer. */
const behindQuotes = (line: string, depth: number): string | undefined => {
  if (depth === 0) return line;
  QUOTE_MARK.lastIndex = 0;
  for (let mark = 0; mark < depth; mark += 1) if (!QUOTE_MARK.test(line)) return undefined;
  const rest = line.slice(QUOTE_MARK.lastIndex);
  return /^[ \t]/.test(rest) ? rest.slice(1) : rest;
};

/** The indentation in columns, with tab stops at every fourth column. */
const indentOf = (text: string): number => {
  let columns = 0;
  for (const character of text) {
    if (character !== ' ' && character !== '\t') break;
    columns += character === ' ' ? 1 : 4 - (columns % 4);
  }
  return columns;
};

/** The indentation between the quote marks (with their space) and the text. */
const ownIndent = (prefix: string): number => {
  const quoteEnd = prefix.lastIndexOf('>') + 1;
  return Math.max(0, indentOf(continued(prefix.slice(quoteEnd))) - (quoteEnd > 0 ? 1 : 0));
};

/** Replaces list marks by spaces, so that the item continues instead of starting again. */
export const continued = (prefix: string): string => prefix.replaceAll(/[^>\s]/g, ' ');

/** The line break and the closing line of the fence. */
export const closingOf = ({ prefix, marker }: OpenFence): string => `\n${prefix}${marker}`;

const openedBy = (line: string, itemOffset: number): OpenFence | undefined => {
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const [, prefix = '', marker = '', info = ''] = OPENING.exec(line) ?? [];
  // Backticks after the marker make it inline code, not a fence.
  if (marker === '' || (marker.startsWith('`') && info.includes('`'))) return undefined;
  const indent = ownIndent(prefix);
  const isItem = BULLET.test(prefix);
  // Four spaces outside of a list make indented code.
  if (itemOffset === 0 && !isItem && indent > 3) return undefined;
  return {
    marker,
    language: LANGUAGE.exec(info.trim())?.[0] ?? '',
    prefix: continued(prefix),
    quoteDepth: prefix.split('>').length - 1,
    itemOffset: isItem ? indent : indent >= itemOffset ? itemOffset : 0,
  };
};

/** The parser accepts both kinds of marks after the closing marker. */
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
 * The fence that is open after `line`, given the one before it. `itemOffset` is the indentation of the surrounding list
 * item; 0 outside of lists.
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

/** The first line after `index` that is no longer in the fence: its closing line, or a line outside. */
export const fenceEnd = (lines: readonly string[], index: number, fence: OpenFence): number =>
  indexFrom(lines, index + 1, (line) => followFence(line, fence, 0) !== fence);

const MARKER = /`{3}|~{3}/;

/** A marker that does not occur in the code. */
const shortMarker = (code: readonly string[]): string => {
  const text = code.join('\n');
  const free = ['```', '~~~'].find((marker) => !text.includes(marker));
  if (free !== undefined) return free;
  const runs = text.match(/~{3,}/g) ?? [];
  return '~'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
};

/**
 * Gives a short marker to fences whose opening line would fill half of a part; its info text becomes the first line of the
 * code. Everything else stays unchanged.
 */
export const shortenFences = (source: string, limit: number): string => {
  const isTooLong = (line: string, { marker, prefix }: OpenFence): boolean =>
    line.length + prefix.length + marker.length + 2 > limit / 2;
  // Most documents have no such line.
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
