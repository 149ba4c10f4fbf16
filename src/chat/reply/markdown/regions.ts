import type { Lexer, Token, Tokens } from 'marked';
import { closesFence, CONTAINER_MARKS, continued, fenceEnd, followFence, type OpenFence } from './fences.ts';
import { createRequire } from 'node:module';
import { indexFrom } from './lines.ts';

interface RegionBase {
  /** Indices of its first and last line. */
  readonly first: number;
  readonly last: number;
  readonly isInQuote: boolean;
  /** A block of the document itself; what lies in a list or a quote is none. */
  readonly isTopLevel: boolean;
}

/** A block without blocks inside, as lines of the source. */
export type Region = RegionBase &
  (
    | { readonly kind: 'fence'; readonly fence: OpenFence; readonly isClosed: boolean }
    | { readonly kind: 'table'; readonly prefix: string; readonly table: Tokens.Table | undefined }
    | { readonly kind: 'heading' }
    /** Code by indentation. */
    | { readonly kind: 'literal' }
    | { readonly kind: 'text' }
    /** Rules, definitions of links, HTML: lines with a meaning of their own. */
    | { readonly kind: 'other' }
  );

const require = createRequire(import.meta.url);

/** Loaded with the first answer that has to be taken apart: a bot that waits needs no parser. */
export const newLexer = (): Lexer => {
  const marked = require('marked') as { readonly Lexer: typeof Lexer };
  return new marked.Lexer({ gfm: true });
};

/** Beyond these the parser takes more than linear time, or more than the stack holds. */
const MAX_LENGTH = 16_000;
const MAX_LIST_LINES = 200;
const TOO_DEEP = new RegExp(String.raw`^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){17}|^[ \t]{80}`, 'm');
const PREFIX = new RegExp(`^${CONTAINER_MARKS}`);

/** The parser would not end in reasonable time: the text was made to hurt, or is no text. */
const isHostile = (text: string, lineCount: number): boolean =>
  text.length > MAX_LENGTH ||
  (lineCount > MAX_LIST_LINES && /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/m.test(text)) ||
  TOO_DEEP.test(text) ||
  /\[{64}/.test(text);

interface Place {
  readonly isInQuote: boolean;
  readonly isTopLevel: boolean;
}

/** The fence that stands in the lines, as it looks in the source; undefined when they hold none. */
const fenceAt = (lines: readonly string[], index: number): OpenFence | undefined => {
  const line = lines[index] ?? '';
  const indent = line.length - line.trimStart().length;
  // The parser has decided that it is a fence: deep indentation belongs to the list around.
  return followFence(line, undefined, indent);
};

/** Undefined when the parser's blocks cannot be found in the lines. */
const regionOf = (
  token: Token,
  lines: readonly string[],
  first: number,
  place: Place,
): Region | undefined => {
  const rawLines = token.raw.trim().split('\n');
  const base = { ...place, first, last: Math.min(first + rawLines.length, lines.length) - 1 };
  if (token.type === 'heading') return { ...base, kind: 'heading' };
  if (token.type === 'table') {
    const prefix = continued(PREFIX.exec(lines[first] ?? '')?.[0] ?? '');
    return { ...base, kind: 'table', prefix, table: token as Tokens.Table };
  }
  if (token.type === 'paragraph' || token.type === 'text') return { ...base, kind: 'text' };
  if (token.type !== 'code') return { ...base, kind: 'other' };
  if ((token as Tokens.Code).codeBlockStyle === 'indented') return { ...base, kind: 'literal' };
  const fence = fenceAt(lines, first);
  if (!fence) return undefined;
  const lastLine = rawLines.at(-1)?.trim() ?? '';
  const isClosed = rawLines.length > 1 && lastLine.startsWith(fence.marker) && /^[`~]+$/.test(lastLine);
  return { ...base, kind: 'fence', fence, isClosed };
};

/** Every block that holds no others, with where it lies. */
const leavesOf = function* (tokens: readonly Token[], place: Place): Generator<[Token, Place]> {
  for (const token of tokens) {
    if (token.type === 'list') {
      for (const item of (token as Tokens.List).items)
        yield* leavesOf(item.tokens, { ...place, isTopLevel: false });
    } else if (token.type === 'blockquote') {
      yield* leavesOf(token.tokens ?? [], { isInQuote: true, isTopLevel: false });
    } else if (token.raw.trim() !== '' && token.type !== 'checkbox') yield [token, place];
  }
};

/**
 * The blocks of a chunk as the parser sees them, found again in its lines. Undefined when the chunk would
 * take the parser too long, or when a block cannot be found.
 */
export const readRegions = (
  lines: readonly string[],
  lexer: Lexer = newLexer(),
): readonly Region[] | undefined => {
  const text = lines.join('\n');
  if (isHostile(text, lines.length)) return undefined;
  const regions: Region[] = [];
  let next = 0;
  for (const [token, place] of leavesOf(lexer.blockTokens(text, []), {
    isInQuote: false,
    isTopLevel: true,
  })) {
    const opening = token.raw.trim().split('\n', 1)[0]?.trimEnd() ?? '';
    // Lines between, that only carry marks of containers, belong to no block.
    const first = indexFrom(lines, next, (line) => line.trimEnd().endsWith(opening));
    const region = first < lines.length ? regionOf(token, lines, first, place) : undefined;
    if (!region) return undefined;
    regions.push(region);
    next = region.last + 1;
  }
  return regions;
};

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
