import { indexFrom } from './source-lines.ts';

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
