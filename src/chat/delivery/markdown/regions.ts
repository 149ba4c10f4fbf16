import type { Lexer, Token, Tokens } from 'marked';
import { markdownBlocks, newLexer } from '#src/platform/text/markdown-blocks.ts';
import { closesFence, continued, fenceEnd, followFence, type OpenFence, prefixOf } from './fences.ts';
import { indexFrom } from './lines.ts';

interface RegionBase {
  /** Line indices. */
  readonly first: number;
  readonly last: number;
  readonly isInQuote: boolean;
  /** Not within a list or a quote. */
  readonly isTopLevel: boolean;
}

/** A block without nested blocks, as lines of the source. */
export type Region = RegionBase &
  (
    | { readonly kind: 'fence'; readonly fence: OpenFence; readonly isClosed: boolean }
    | { readonly kind: 'table'; readonly prefix: string; readonly table: Tokens.Table | undefined }
    | { readonly kind: 'heading' }
    /** Indented code. */
    | { readonly kind: 'literal' }
    | { readonly kind: 'text' }
    /** Rules, link definitions, HTML. */
    | { readonly kind: 'other' }
  );

interface Place {
  readonly isInQuote: boolean;
  readonly isTopLevel: boolean;
}

/** The fence that begins at a line; undefined if there is none. */
const fenceAt = (lines: readonly string[], index: number): OpenFence | undefined => {
  const line = lines[index] ?? '';
  const indent = line.length - line.trimStart().length;
  // The parser says that it is a fence, so deep indentation belongs to the surrounding list.
  return followFence(line, undefined, indent);
};

/** Undefined if the parser's fence is not found in the lines. */
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
    const prefix = continued(prefixOf(lines[first] ?? ''));
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

/** The blocks without nested blocks, with their context. */
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
 * Parses a chunk and maps its blocks to lines. Undefined if parsing would take too long or fail, or a block is not found in
 * the lines.
 */
export const readRegions = (
  lines: readonly string[],
  lexer: Lexer = newLexer(),
): readonly Region[] | undefined => {
  const tokens = markdownBlocks(lines.join('\n'), lexer);
  if (!tokens) return undefined;
  const regions: Region[] = [];
  let next = 0;
  for (const [token, place] of leavesOf(tokens, { isInQuote: false, isTopLevel: true })) {
    const opening = token.raw.trim().split('\n', 1)[0]?.trimEnd() ?? '';
    // Lines that contain only quote or list marks belong to no block.
    const first = indexFrom(lines, next, (line) => line.trimEnd().endsWith(opening));
    const region = first < lines.length ? regionOf(token, lines, first, place) : undefined;
    if (!region) return undefined;
    regions.push(region);
    next = region.last + 1;
  }
  return regions;
};

const DELIMITERS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?[ \t]*)?$/;

/** The number of table lines from `first` on; 0 if no table begins there. */
const tableLength = (lines: readonly string[], first: number): number => {
  const delimiters = lines[first + 1];
  if (!lines[first]?.includes('|') || delimiters === undefined || delimiters.length > 10_000) return 0;
  if (!DELIMITERS.test(delimiters)) return 0;
  let end = first + 2;
  while (lines[end]?.includes('|')) end += 1;
  return end - first;
};

/** Finds the blocks of a chunk line by line: less exact than the parser, but always fast. */
export const scanRegions = (lines: readonly string[]): readonly Region[] => {
  const regions: Region[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const prefix = prefixOf(line);
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
