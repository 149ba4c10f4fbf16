import { graphemes } from '#src/kernel/text.ts';

/** Below this no two characters belong together. */
const FIRST_COMBINING = 0x300;
/** More than any cluster that a person writes. */
const LOOK_AHEAD = 64;

/** The last place in (`from`, `at`] that is not inside of what a reader sees as one character. */
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
  // A cluster longer than a whole message: at least no half character.
  const next = text.charCodeAt(at);
  return next >= 0xdc00 && next <= 0xdfff && at - 1 > from ? at - 1 : at;
};
