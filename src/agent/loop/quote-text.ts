import type { ContentBlock } from '#src/kernel/model.ts';
import { withoutOurMarkup } from '#src/kernel/text.ts';

/** What no screen shows and every model reads: letters without a shape, turns of the direction. */
const UNSEEN = /[\u{e0000}-\u{e007f}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const BREAKS = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** The beginning of anything like a tag. `PER <15` is none. */
const TAG = /[<＜﹤](?=[\s/\\\p{Cf}\p{M}]{0,8}\p{L})/gu;
/** How our lines begin. */
const LINE_START = /[[［](?=\s*\d{4}-\d)/gu;

const shortened = (text: string, maxChars: number): string => {
  const characters = Array.from(text);
  return characters.length > maxChars ? `${characters.slice(0, maxChars - 1).join('')}…` : text;
};

/** On one line, and nothing in it passes for markup, for another line or for the end of the block. */
export const quotedLine = (text: string, maxChars: number): string =>
  shortened(
    withoutOurMarkup(text.toWellFormed().replaceAll(UNSEEN, '').replaceAll(BREAKS, ' ').trim())
      .replaceAll(TAG, '‹')
      .replaceAll(LINE_START, '('),
    maxChars,
  );

const MAX_NAME_CHARS = 100;

/** The name of a file, as whoever made it chose it. */
export const quotedName = (name: string): string => quotedLine(name.replaceAll('"', ' '), MAX_NAME_CHARS);

/** Words of the program in the place of a picture, in the fence of a file: its name is not the person's. */
export const pictureNote = (name: string, note: string): ContentBlock => ({
  type: 'text',
  text: `<attachment name="${quotedName(name)}">\n[${note}]\n</attachment>`,
});
