import { graphemes } from '#src/kernel/text.ts';

const HEAD_SHARE = 0.7;
/** A cut moves at most this far to reach the end of a line or word. */
const LINE_REACH_CHARS = 200;
const WORD_REACH_CHARS = 40;
/** Below this room, a note and two pieces are useless. */
const MIN_PIECES_CHARS = 60;

/** The last position up to `at` that splits no grapheme. */
const graphemeStart = (text: string, at: number): number => {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const from = Math.max(0, at - WORD_REACH_CHARS);
  const segment = graphemes()
    .segment(text.slice(from, at + WORD_REACH_CHARS))
    .containing(at - from);
  // A segment that began before the window is longer than any grapheme, and is cut between characters.
  const start = segment ? from + segment.index : at;
  const isInPair = /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
  return start > from ? start : at - (isInPair ? 1 : 0);
};

/** The end of the first piece: at the end of a line or word if one is near, never after `at`. */
const headEnd = (text: string, at: number): number => {
  const line = text.lastIndexOf('\n', at);
  if (line > at - LINE_REACH_CHARS && line > 0) return line;
  const word = text.lastIndexOf(' ', at);
  return word > at - WORD_REACH_CHARS && word > 0 ? word : graphemeStart(text, at);
};

/** The start of the last piece: at a line or word if one is near, never before `at`. */
const tailStart = (text: string, at: number): number => {
  const line = text.indexOf('\n', at - 1);
  if (line !== -1 && line < at + LINE_REACH_CHARS) return line + 1;
  const word = text.indexOf(' ', at - 1);
  if (word !== -1 && word < at + WORD_REACH_CHARS) return word + 1;
  const start = graphemeStart(text, at);
  if (start === at) return at;
  const next = graphemes()
    .segment(text.slice(start, at + WORD_REACH_CHARS))
    .containing(0);
  return start + (next?.segment.length ?? 1);
};

const grouped = (count: number): string => count.toLocaleString('en-US');

/**
 * Keeps the beginning and the end of a text that is too long, with a line between them that says how much was
 * removed. Never longer than `maxChars`. `remark` is added to that line.
 */
export const truncateMiddle = (text: string, maxChars: number, remark = ''): string => {
  if (text.length <= maxChars) return text;
  const note = (gone: number): string =>
    `\n[truncated: ${grouped(gone)} of ${grouped(text.length)} characters left out here${remark}]\n`;
  const budget = maxChars - note(text.length).length;
  if (budget < MIN_PIECES_CHARS) return text.slice(0, graphemeStart(text, maxChars));
  const end = headEnd(text, Math.floor(budget * HEAD_SHARE));
  const start = tailStart(text, text.length - Math.floor(budget * (1 - HEAD_SHARE)));
  return text.slice(0, end) + note(start - end) + text.slice(start);
};
