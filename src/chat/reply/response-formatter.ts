import { atOnce, type Steps } from '#src/platform/cooperative-tasks.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withoutDeceivingCharacters, withVisibleLinks } from '#src/kernel/visible-links.ts';
import { createBlockWriter, rewriteBlocks } from './markdown/rewrite-blocks.ts';
import { chunkSteps, collapseBlankLines } from './markdown/chunks.ts';
import { graphemeStart } from './markdown/cut-text.ts';
import { createCellReader } from './markdown/tables.ts';
import { shortenFences } from './markdown/fences.ts';
import { splitMarkdown } from './markdown/split-markdown.ts';

export interface FormatOptions {
  readonly maxLength: number;
  /** Plain text is always understood; no channel needs HTML. */
  readonly supportedFormats: readonly ('markdown' | 'plain-text')[];
  readonly supportsTables: boolean;
  /** How numbers are written in the answer: columns of them are aligned to the right. */
  readonly numberLocale: string;
}

export interface ResponsePart {
  readonly content: string;
}

export interface FormattedResponse {
  readonly parts: readonly ResponsePart[];
}

/** Marks a place where an answer was cut; the reader must know that something is missing. */
const CUT_MARK = '\n\n[…]';
/** A row of dashes between the head of a table and its body. */
const TABLE = /^[ \t>]*[|:-][|:\- \t]*$/m;

/**
 * Splits into parts of at most `maxLength` characters (20 at least), at the best places that the Markdown
 * offers. What fits is left alone. A code fence that must break is closed, and opened again with its language
 * in the next part; a table that must break shows its head again. Linear in time, for any text.
 */
const splitSteps = function* (content: string, maxLength: number): Steps<readonly string[]> {
  if (content.length <= maxLength) return [content];
  const source = shortenFences(content.replaceAll(/\r\n?/g, '\n'), maxLength);
  yield;
  return yield* splitMarkdown(source, maxLength);
};

/** At once, for texts that are known to be short. */
export const splitMessage = (content: string, maxLength: number): readonly string[] =>
  atOnce(splitSteps(content, maxLength));

/**
 * An answer as a platform can show it, in parts that it takes. What it can show already stays byte for byte, but for
 * links that hide where they lead.
 */
export const formatSteps = function* (content: string, options: FormatOptions): Steps<FormattedResponse> {
  const { maxLength, supportsTables, numberLocale } = options;
  const hasMarkdown = options.supportedFormats.includes('markdown');
  const plain = stripControlCharacters(content.replaceAll(/\r\n?/g, '\n'));
  yield;
  const honest = hasMarkdown ? withVisibleLinks(plain) : withoutDeceivingCharacters(plain);
  yield;
  const clean = yield* collapseBlankLines(honest);
  const isConcerned = (chunk: string): boolean =>
    !hasMarkdown || (!supportsTables && chunk.includes('|') && TABLE.test(chunk));
  const write = createBlockWriter({
    hasMarkdown,
    hasTables: supportsTables,
    reader: createCellReader(numberLocale),
  });
  yield;
  const written = yield* rewriteBlocks(clean, isConcerned, write);
  yield;
  // An empty code block is nothing without its fences, and nothing cannot be sent.
  const texts = yield* splitSteps(written.trim() === '' ? clean : written, maxLength);
  return { parts: texts.map((text) => ({ content: text })) };
};

/** At once, for texts that are known to be short. */
export const formatResponse = (content: string, options: FormatOptions): FormattedResponse =>
  atOnce(formatSteps(content, options));

/** Cuts what no one could read any more, and says so. A fence that is open at the cut is closed. */
export const limitLength = function* (content: string, maxLength: number): Steps<string> {
  if (content.length <= maxLength) return content;
  let end = maxLength - CUT_MARK.length;
  while (end > 0) {
    const text = content.slice(0, graphemeStart(content, 0, end));
    const close = (yield* chunkSteps(text)).at(-1)?.close ?? '';
    if (text.length + close.length + CUT_MARK.length <= maxLength) return text + close + CUT_MARK;
    end = Math.min(end - 1, maxLength - CUT_MARK.length - close.length);
  }
  return CUT_MARK.trim().slice(0, maxLength);
};
