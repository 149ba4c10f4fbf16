import { styleText } from 'node:util';
import { displayWidth } from '#src/platform/text/display-width.ts';

export type Style =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'cyan'
  | 'yellow'
  | 'magenta'
  | 'red'
  | 'green'
  | 'blueBright';

/** A piece of text that looks the same all over. */
export interface StyledSpan {
  readonly text: string;
  readonly styles: readonly Style[];
}

export type Spans = readonly StyledSpan[];

export const span = (text: string, ...styles: readonly Style[]): StyledSpan => ({ text, styles });

export const widthOf = (spans: Spans): number => spans.reduce((sum, { text }) => sum + displayWidth(text), 0);

export const textOf = (spans: Spans): string => spans.map(({ text }) => text).join('');

/** Keeps words on one line. */
export const HARD_SPACE = '\u00a0';

/** Words of one span were taken apart to find the end of a line. */
const joined = (spans: Spans): Spans => {
  const whole: StyledSpan[] = [];
  for (const { text, styles } of spans) {
    const last = whole.at(-1);
    if (last?.styles === styles) whole[whole.length - 1] = { text: last.text + text, styles };
    else whole.push({ text, styles });
  }
  return whole;
};

export const paint = (spans: Spans, hasColour: boolean): string =>
  joined(spans)
    .map(({ text, styles }) =>
      hasColour && styles.length > 0 ? styleText([...styles], text, { validateStream: false }) : text,
    )
    .join('')
    .replaceAll(HARD_SPACE, ' ');

interface Word {
  readonly parts: Spans;
  readonly width: number;
  readonly isSpace: boolean;
}

/** A word may consist of several spans: `**삼성전자**는`. */
const wordsOf = (spans: Spans): readonly Word[] => {
  const words: { parts: StyledSpan[]; width: number; readonly isSpace: boolean }[] = [];
  for (const { text, styles } of spans)
    for (const [piece] of text.matchAll(/ +|[^ ]+/g)) {
      const isSpace = piece.startsWith(' ');
      const part = { text: piece, styles };
      const last = words.at(-1);
      if (last?.isSpace !== isSpace) words.push({ parts: [part], width: displayWidth(piece), isSpace });
      else {
        last.parts.push(part);
        last.width += displayWidth(piece);
      }
    }
  return words;
};

const graphemes = new Intl.Segmenter();

/** The pieces of a word that is too wide for a line. A character is never cut, whatever its width. */
const cutWord = ({ parts }: Word, width: number): readonly Word[] => {
  const pieces: Word[] = [];
  let held: StyledSpan[] = [];
  let heldWidth = 0;
  const release = (): void => {
    if (held.length > 0) pieces.push({ parts: held, width: heldWidth, isSpace: false });
    held = [];
    heldWidth = 0;
  };
  for (const { text, styles } of parts)
    for (const { segment } of graphemes.segment(text)) {
      const wide = displayWidth(segment);
      if (heldWidth + wide > width) release();
      held.push({ text: segment, styles });
      heldWidth += wide;
    }
  release();
  return pieces;
};

/** Words that belong together are taken apart only where they are wider than a line. */
const softened = (word: Word, width: number): readonly Word[] =>
  word.width > width && word.parts.some(({ text }) => text.includes(HARD_SPACE))
    ? wordsOf(word.parts.map(({ text, styles }) => ({ text: text.replaceAll(HARD_SPACE, ' '), styles })))
    : [word];

/**
 * Breaks a line between words. A word that is wider than a line stays whole, so that an address can still be opened;
 * with `cutsWords` it is cut between characters.
 */
export const wrapSpans = (spans: Spans, width: number, cutsWords = false): readonly Spans[] => {
  const lines: StyledSpan[][] = [];
  let line: StyledSpan[] = [];
  let used = 0;
  let space: Word | undefined;
  const words = wordsOf(spans)
    .flatMap((word) => softened(word, width))
    .flatMap((word) => (cutsWords && !word.isSpace && word.width > width ? cutWord(word, width) : [word]));
  for (const word of words) {
    if (word.isSpace) {
      space = word;
      continue;
    }
    const gap = space?.width ?? 0;
    if (used > 0 && used + gap + word.width > width) {
      lines.push(line);
      line = [];
      used = 0;
    } else if (space) {
      line.push(...space.parts);
      used += gap;
    }
    line.push(...word.parts);
    used += word.width;
    space = undefined;
  }
  return [...lines, line];
};
