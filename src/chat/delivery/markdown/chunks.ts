import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { closingOf, followFence, type OpenFence } from './fences.ts';
import { isBlank, linesOf } from './lines.ts';

/** A part of a document that can be parsed without the rest. */
export interface Chunk {
  readonly start: number;
  /** Excludes trailing blank lines. */
  readonly end: number;
  /** `item` continues a list. */
  readonly level: 'block' | 'item';
  /** A heading belongs to the chunk that follows it. */
  readonly isHeading: boolean;
  /** The line that closes a fence the chunk leaves open, or the empty string. */
  readonly close: string;
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const BULLET = /^[-*+][ \t]+\S/;
/** Ends a list item if it is not indented; other text would continue the item's paragraph. */
const ENDS_ITEM = /^(?:>|#{1,6}[ \t]|```|~~~|([-*_])[ \t]*(?:\1[ \t]*){2,}$)/;
const HEADING = /^#{1,6}[ \t]/;

const LINES_A_STEP = 256;

/**
 * Cuts a document before unindented lines that follow a blank line or begin a list item. By the rules of Markdown every
 * open block ends there, except a top-level fence.
 */
export const chunkSteps = function* (source: string): Steps<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let fence: OpenFence | undefined;
  let current: { start: number; level: Chunk['level']; lines: number } | undefined;
  let end = 0;
  let itemOffset = 0;
  let isAfterBlank = true;

  const finish = (): void => {
    if (!current) return;
    const isHeading = current.lines === 1 && HEADING.test(source.slice(current.start, current.start + 8));
    chunks.push({
      start: current.start,
      end,
      level: current.level,
      isHeading,
      close: fence ? closingOf(fence) : '',
    });
  };

  let count = 0;
  for (const line of linesOf(source)) {
    count += 1;
    if (count % LINES_A_STEP === 0) yield;
    if (isBlank(source, line)) {
      isAfterBlank = true;
      continue;
    }
    const text = source.slice(line.start, line.end);
    const isFlush = !/^[ \t]/.test(text);
    const isInDocumentFence = fence !== undefined && fence.quoteDepth === 0 && fence.itemOffset === 0;
    const begins = isFlush && (isAfterBlank || BULLET.test(text) || (itemOffset > 0 && ITEM.test(text)));
    if (!current || (begins && !isInDocumentFence)) {
      finish();
      const item = ITEM.exec(text);
      const level = item && itemOffset > 0 ? 'item' : 'block';
      current = { start: line.start, level, lines: 0 };
      itemOffset = item?.[0].length ?? 0;
      fence = undefined;
    }
    if (current.lines > 0 && isFlush && ENDS_ITEM.test(text)) itemOffset = 0;
    fence = followFence(text, fence, itemOffset);
    current.lines += 1;
    end = line.end;
    isAfterBlank = false;
  }
  finish();
  return chunks;
};

const MANY = /\n(?:[ \t]*\n){3,}/g;
const TWO_BLANK = '\n\n\n';

/** Whether the chunk may contain code, fenced or indented. */
const mayHoldCode = (chunk: string): boolean => /```|~~~|^(?: {4}|\t)/m.test(chunk);

/** Reduces longer runs of blank lines to two, except in code. */
export const collapseBlankLines = function* (source: string): Steps<string> {
  if (source.search(MANY) === -1) return source;
  let made = '';
  let from = 0;
  for (const { start, end } of yield* chunkSteps(source)) {
    yield;
    const chunk = source.slice(start, end);
    made += source.slice(from, start).replaceAll(MANY, TWO_BLANK);
    made += mayHoldCode(chunk) ? chunk : chunk.replaceAll(MANY, TWO_BLANK);
    from = end;
  }
  return made + source.slice(from).replaceAll(MANY, TWO_BLANK);
};
