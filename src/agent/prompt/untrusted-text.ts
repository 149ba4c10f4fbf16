import { stripControlCharacters, withoutOurMarkup } from '#src/kernel/text.ts';

/** The beginning of a tag by which the prompt tells the words of strangers and the operator from its own. */
const OUR_FENCES = /<(?=[\s/]*(?:untrusted|attachment|earlier_messages|quoted|operator|context)\b)/gi;

/** A heading of our level would begin a section of ours. */
const HEADING = /^([ \t]*)#{1,2}(?=[ \t]|$)/gm;

/** Other characters that begin a line; as a line feed, none of them hides a heading. */
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;

/**
 * Words that others wrote (an operator, the author of a skill or a plugin), as they may stand in the system
 * prompt: they cannot end their fence, begin a section or steer the pipeline. Characters are taken out
 * first, so that nothing becomes markup afterwards.
 */
export const sanitizeText = (text: string): string =>
  withoutOurMarkup(stripControlCharacters(text.replaceAll(LINE_BREAKS, '\n')).trim())
    .replaceAll(OUR_FENCES, '‹')
    .replaceAll(HEADING, '$1###');

/** What is left of the last word, which a cut went through, and the comma before it. */
const LAST_WORD = /(?<![\s,;:])[\s,;:]+\S{0,30}$/;

/** The same on one line, of at most `maxLength` characters. */
export const sanitizeLine = (text: string, maxLength: number): string => {
  const line = Array.from(sanitizeText(text.replaceAll(/\s+/g, ' ')));
  if (line.length <= maxLength) return line.join('');
  const kept = line.slice(0, maxLength - 1).join('');
  return `${kept.replace(LAST_WORD, '')}…`;
};

/** By code unit: the same order on every machine, whatever its language. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
