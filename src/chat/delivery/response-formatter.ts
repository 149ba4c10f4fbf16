import type { ChannelCapabilities } from '#src/kernel/chat/capabilities.ts';
import { atOnce, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withoutDeceivingCharacters, withVisibleLinks } from '#src/platform/text/visible-links.ts';
import { createBlockWriter, rewriteBlocks } from './markdown/rewrite-blocks.ts';
import { chunkSteps, collapseBlankLines } from './markdown/chunks.ts';
import { graphemeStart } from './markdown/cut-text.ts';
import { shortenFences } from './markdown/fences.ts';
import { splitMarkdown } from './markdown/split-markdown.ts';

export interface FormatOptions extends Pick<ChannelCapabilities, 'supportsMarkdown' | 'supportsTables'> {
  readonly maxLength: number;
}

/** Tells the reader that the answer was cut. */
const CUT_MARK = '\n\n[…]';
/** The delimiter row of a table. */
const TABLE = /^[ \t>]*[|:-][|:\- \t]*$/m;

/**
 * Splits into parts of at most `maxLength` characters (at least 20), at the best breaks in the Markdown. A text that fits
 * stays unchanged. A split code fence is closed and reopened with its language; a split table repeats its header. Takes
 * linear time for any text.
 */
const splitSteps = function* (content: string, maxLength: number): Steps<readonly string[]> {
  if (content.length <= maxLength) return [content];
  const source = shortenFences(content.replaceAll(/\r\n?/g, '\n'), maxLength);
  yield;
  return yield* splitMarkdown(source, maxLength);
};

/** Synchronous, for short texts. */
export const splitMessage = (content: string, maxLength: number): readonly string[] =>
  atOnce(splitSteps(content, maxLength));

/**
 * Formats an answer for a platform and splits it into parts. Text that the platform can show stays byte for byte, except
 * for links that hide their target.
 */
export const formatSteps = function* (
  content: string,
  { maxLength, supportsMarkdown, supportsTables }: FormatOptions,
): Steps<readonly string[]> {
  const plain = stripControlCharacters(content.replaceAll(/\r\n?/g, '\n'));
  yield;
  const honest = supportsMarkdown ? withVisibleLinks(plain) : withoutDeceivingCharacters(plain);
  yield;
  const clean = yield* collapseBlankLines(honest);
  const isConcerned = (chunk: string): boolean =>
    !supportsMarkdown || (!supportsTables && chunk.includes('|') && TABLE.test(chunk));
  const write = createBlockWriter({ hasMarkdown: supportsMarkdown, hasTables: supportsTables });
  const written = yield* rewriteBlocks(clean, isConcerned, write);
  yield;
  // An empty code block without its fences would be an empty message.
  return yield* splitSteps(written.trim() === '' ? clean : written, maxLength);
};

/** Synchronous, for short texts. */
export const formatResponse = (content: string, options: FormatOptions): readonly string[] =>
  atOnce(formatSteps(content, options));

/** Cuts a text that is too long, marks the cut, and closes an open code fence. */
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
