import { stripControlCharacters, withoutOurMarkup } from '#src/kernel/text.ts';

/** The start of a tag that the prompt uses to mark untrusted text and the operator's instructions. */
const OUR_FENCES = /<(?=[\s/]*(?:untrusted|attachment|earlier_messages|quoted|operator|context)\b)/gi;

/** A heading of this level would start a section of the prompt. */
const HEADING = /^([ \t]*)#{1,2}(?=[ \t]|$)/gm;

/** Characters that break a line; as line feeds, none of them hides a heading. */
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;

/**
 * Makes untrusted text (of an operator, or the author of a skill or plugin) safe for the system prompt: it
 * cannot close its fence, start a section or emit control tokens. Control characters are removed first, so that
 * their removal creates no markup.
 */
export const sanitizeText = (text: string): string =>
  withoutOurMarkup(stripControlCharacters(text.replaceAll(LINE_BREAKS, '\n')).trim())
    .replaceAll(OUR_FENCES, '‹')
    .replaceAll(HEADING, '$1###');

/** The rest of a word that was cut, with the comma before it. */
const LAST_WORD = /(?<![\s,;:])[\s,;:]+\S{0,30}$/;

/** Same as `sanitizeText`, on one line of at most `maxLength` characters. */
export const sanitizeLine = (text: string, maxLength: number): string => {
  const line = sanitizeText(text.replaceAll(/\s+/g, ' '));
  if (line.length <= maxLength) return line;
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  const kept = characters.slice(0, maxLength - 1).join('');
  return `${kept.replace(LAST_WORD, '')}…`;
};

/** Compares by code unit, which gives the same order in every locale. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
