import { graphemeStart } from './grapheme.ts';
import { type Atom, atomAcross } from './inline-atoms.ts';

export interface Cut {
  /** Where the part ends, and where the next one begins. */
  readonly end: number;
  readonly next: number;
  readonly kind: 'sentence' | 'space' | 'inside';
}

const SPACE = /\s/;
/** Ends of sentences; in Chinese and Japanese no space follows. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]」』*_]{0,4}$/;
const WIDE_END = /[。！？]/;
/** What would become a list, a heading, a quote, a rule or a table at the beginning of a line. */
const BLOCK_START = /^(?:#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|[-=*_]{3}|\|)/;
const FENCE_START = /^[ \t]*(?:```|~~~)/;
/** Marks that change the character before them. */
const JOINING = /^[\p{M}\u200d]/u;

const startsFence = (text: string, at: number): boolean => FENCE_START.test(text.slice(at, at + 8));

const canStart = (text: string, at: number): boolean => {
  const ahead = text.slice(at, at + 12);
  return !FENCE_START.test(ahead) && !JOINING.test(ahead);
};

/** Behind the white space at `at`; the indentation of a line of its own stays with it. */
const behindSpace = (text: string, at: number): number => {
  let next = at;
  let lineStart = -1;
  while (next < text.length && SPACE.test(text.charAt(next))) {
    next += 1;
    if (text.charAt(next - 1) === '\n') lineStart = next;
  }
  return lineStart === -1 ? next : lineStart;
};

/** No place but inside of a word, of a link that is too long, or of a run of marks. */
const cutInside = (text: string, from: number, to: number, atoms: readonly Atom[]): Cut => {
  const across = atomAcross(atoms, to);
  let end = graphemeStart(text, from, across && across.start > from ? across.start : to);
  // A run of marks must not open a fence at the beginning of the next part.
  let run = end;
  while (run > from && /[`~]/.test(text.charAt(run - 1)) && text.charAt(run - 1) === text.charAt(end))
    run -= 1;
  if (startsFence(text, run) && run - 1 > from) end = graphemeStart(text, from, run - 1);
  return { end, next: end, kind: 'inside' };
};

/**
 * The best place to cut `text` in (`from`, `to`]: the end of a sentence in the second half, else a space,
 * else inside a word; never inside an atom that could stay whole.
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
