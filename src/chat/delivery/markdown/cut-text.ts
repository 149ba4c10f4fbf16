import { graphemes } from '#src/kernel/text.ts';
import type { Token } from 'marked';
import { newLexer } from '#src/platform/text/markdown-blocks.ts';
import { firstWhere } from './lines.ts';

/** Below this code there are no combining characters. */
const FIRST_COMBINING = 0x300;
/** Longer than any real grapheme cluster. */
const LOOK_AHEAD = 64;

/** The last position in (`from`, `at`] that does not split a grapheme. */
export const graphemeStart = (text: string, from: number, at: number): number => {
  if (at >= text.length) return text.length;
  if (text.charCodeAt(at) < FIRST_COMBINING && text.charCodeAt(at - 1) < FIRST_COMBINING) return at;
  const window = text.slice(from, at + LOOK_AHEAD);
  const start =
    from +
    (graphemes()
      .segment(window)
      .containing(at - from)?.index ?? 0);
  if (start > from) return start;
  // The cluster is longer than a whole message: at least keep surrogate pairs together.
  const next = text.charCodeAt(at);
  return next >= 0xdc00 && next <= 0xdfff && at - 1 > from ? at - 1 : at;
};

/** A range that must not be cut, such as a link. */
export interface Atom {
  readonly start: number;
  readonly end: number;
}

/** Above these limits the parser takes more than linear time. */
const MAX_LENGTH = 8_000;
const LONG_RUN = /([*_~`[\]<!])\1{23}/;

/** A text that would make the parser slow. */
export const isHostileText = (text: string): boolean => text.length > MAX_LENGTH || LONG_RUN.test(text);

const WHOLE: ReadonlySet<string> = new Set(['link', 'image', 'codespan', 'html', 'escape']);
const EMPHASIS: ReadonlySet<string> = new Set(['strong', 'em', 'del']);
/** Longer emphasis may be cut. */
const SHORT_EMPHASIS = 80;

const SCAN =
  /(?<!`)(`{1,8})(?!`)[^`\n]{1,500}\1(?!`)|!?\[[^[\]\n]{0,500}\]\([^()\s]{0,2000}(?: "[^"\n]{0,200}")?\)|<?\bhttps?:\/\/\S+/g;

const scanned = (text: string): readonly Atom[] =>
  [...text.matchAll(SCAN)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));

/** False if the tokens do not match the text. */
const collect = (tokens: readonly Token[], text: string, from: number, atoms: Atom[]): boolean => {
  let start = from;
  for (const token of tokens) {
    if (!text.startsWith(token.raw, start)) return false;
    const end = start + token.raw.length;
    if (WHOLE.has(token.type) || (EMPHASIS.has(token.type) && token.raw.length <= SHORT_EMPHASIS))
      atoms.push({ start, end });
    else if (EMPHASIS.has(token.type) && 'tokens' in token && 'text' in token) {
      const inside = text.indexOf(String(token.text), start);
      if (inside === -1 || !collect(token.tokens ?? [], text, inside, atoms)) return false;
    }
    start = end;
  }
  return true;
};

/** Links, addresses, inline code and short emphasis of a text block, in order. */
export const atomsOf = (text: string): readonly Atom[] => {
  if (!/[[`<\\*_~]|:\/\/|www\.|@/.test(text)) return [];
  if (isHostileText(text)) return scanned(text);
  // Quote marks are replaced by spaces, which keep all positions.
  const plain = text.replaceAll(/\n[ \t>]+/g, (found) => found.replaceAll('>', ' '));
  const atoms: Atom[] = [];
  const lexer = newLexer();
  return collect(lexer.inlineTokens(plain), plain, 0, atoms) ? atoms : scanned(text);
};

/** The atom that spans a position. */
export const atomAcross = (atoms: readonly Atom[], at: number): Atom | undefined => {
  const found = atoms[firstWhere(atoms, ({ end }) => end > at)];
  return found && found.start < at ? found : undefined;
};

interface Cut {
  /** `end` of the part, and start of the `next` one. */
  readonly end: number;
  readonly next: number;
  readonly kind: 'sentence' | 'space' | 'inside';
}

const SPACE = /\s/;
/** The end of a sentence; in Chinese and Japanese no space follows. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]」』*_]{0,4}$/;
const WIDE_END = /[。！？]/;
/** Text that would become a list, heading, quote, rule or table at the start of a line. */
const BLOCK_START = /^(?:#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|[-=*_]{3}|\|)/;
const FENCE_START = /^[ \t]*(?:```|~~~)/;
/** Characters that combine with the one before them. */
const JOINING = /^[\p{M}\u200d]/u;

const startsFence = (text: string, at: number): boolean => FENCE_START.test(text.slice(at, at + 8));

const canStart = (text: string, at: number): boolean => {
  const ahead = text.slice(at, at + 12);
  return !FENCE_START.test(ahead) && !JOINING.test(ahead);
};

/** The position behind the white space at `at`; the indentation of the next line is kept. */
const behindSpace = (text: string, at: number): number => {
  let next = at;
  let lineStart = -1;
  while (next < text.length && SPACE.test(text.charAt(next))) {
    next += 1;
    if (text.charAt(next - 1) === '\n') lineStart = next;
  }
  return lineStart === -1 ? next : lineStart;
};

/** The fallback: cuts within a word, a link that is too long or a run of marks. */
const cutInside = (text: string, from: number, to: number, atoms: readonly Atom[]): Cut => {
  const across = atomAcross(atoms, to);
  let end = graphemeStart(text, from, across && across.start > from ? across.start : to);
  // A run of marks must not open a fence at the start of the next part.
  let run = end;
  while (run > from && /[`~]/.test(text.charAt(run - 1)) && text.charAt(run - 1) === text.charAt(end))
    run -= 1;
  if (startsFence(text, run) && run - 1 > from) end = graphemeStart(text, from, run - 1);
  return { end, next: end, kind: 'inside' };
};

/**
 * The best cut of `text` in (`from`, `to`]: the end of a sentence in the second half, else a space, else within a word;
 * never within an atom that fits.
 */
export const cutText = (text: string, from: number, to: number, atoms: readonly Atom[]): Cut => {
  const half = from + (to - from) / 2;
  let space: Cut | undefined;
  let doubtful: Cut | undefined;
  for (let at = to; at > from; at -= 1) {
    if (at < half && space) return space;
    const across = atomAcross(atoms, at);
    if (across) {
      at = Math.max(across.start, from) + 1;
      continue;
    }
    const isSpace = SPACE.test(text.charAt(at));
    if (!isSpace && !WIDE_END.test(text.charAt(at - 1))) continue;
    const before = text.slice(Math.max(from, at - 6), at);
    if (before.trim() === '') continue;
    const next = isSpace ? behindSpace(text, at) : at;
    if (!canStart(text, next)) continue;
    if (BLOCK_START.test(text.slice(next, next + 12)) && isSpace && text.charAt(next - 1) !== '\n') {
      doubtful ??= { end: at, next, kind: 'space' };
      continue;
    }
    if (at >= half && SENTENCE_END.test(before)) return { end: at, next, kind: 'sentence' };
    space ??= { end: at, next, kind: 'space' };
  }
  return space ?? doubtful ?? cutInside(text, from, to, atoms);
};
