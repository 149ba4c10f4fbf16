/** Control characters other than tab and line feed. Terminals would execute some of them. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export const stripControlCharacters = (text: string): string => text.replace(CONTROL_CHARACTERS, '');

/**
 * Invisible characters that could make a text look like another one: direction marks, zero-width characters, unusual
 * line ends, blank letters and braille.
 */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** Replaces invisible characters and line breaks with spaces. */
export const visibleLine = (text: string): string => text.replaceAll(UNSEEN, ' ');

const MARKUP = /[`*_~|[\]<>\\]/g;
const withoutLinks = (text: string): string => text.replaceAll('://', ': //').trim();

/** Untrusted text that is safe to repeat in a message: on one line, without markup and links. */
export const withoutMarkup = (typed: string): string =>
  withoutLinks(visibleLine(typed).replaceAll(MARKUP, ''));

/** The beginning of untrusted text, safe to repeat in a message. */
export const shortened = (typed: string): string =>
  withoutLinks(Array.from(visibleLine(typed).replaceAll(MARKUP, '')).slice(0, 32).join(''));

const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** Shortens to at most `max` characters with an ellipsis, never inside a surrogate pair. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(HALF_CHARACTER, '')}…`;

/** Splits into parts of at most `max` characters, at line ends if they are not too far back. */
export const splitAtLines = (text: string, max: number): readonly string[] => {
  if (text.length <= max) return [text];
  const lineEnd = text.lastIndexOf('\n', max);
  const part = lineEnd > max / 2 ? text.slice(0, lineEnd) : text.slice(0, max).replace(HALF_CHARACTER, '');
  return [part, ...splitAtLines(text.slice(part.length).replace(/^\n/, ''), max)];
};

/** Tokens by which the model controls the pipeline, written as `<<NAME>>`. */
export const CONTROL_TOKEN_NAMES = [
  'HEARTBEAT_OK',
  'NO_REPLY',
  'SILENT_REPLY',
  'NEED_INPUT',
  'ATTACH_DISCLAIMER',
  'ATTACH_QUOTE',
] as const;

const CONTROL_TOKENS = new RegExp(`<<(?:${CONTROL_TOKEN_NAMES.join('|')})>>`, 'g');

/** The model's answer as stored, without control tokens. */
export const stripControlTokens = (text: string): string => text.replaceAll(CONTROL_TOKENS, '').trim();

const OUR_MARKUP = new RegExp(
  `<<(?:${CONTROL_TOKEN_NAMES.join('|')})>>|<\\s*(?:/\\s*)?context\\b[^<>]*>`,
  'gi',
);

/**
 * Disarms our own markup in untrusted text: a control token that the model only repeats must not silence the bot, and a
 * forged context must not look like the program's.
 */
export const withoutOurMarkup = (text: string): string =>
  text.replace(OUR_MARKUP, (found) => found.replaceAll('<', '‹').replaceAll('>', '›'));

let segmenter: Intl.Segmenter | undefined;

/** Splits text into user-perceived characters. Created on first use, because loading its tables takes 20 ms. */
export const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter());
