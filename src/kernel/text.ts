/** Control characters other than tab and line feed: no message needs them, and terminals obey some of them. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export const stripControlCharacters = (text: string): string => text.replace(CONTROL_CHARACTERS, '');

/**
 * Marks of direction, of no width, line ends of other kinds, letters and braille without a shape: they could make a
 * text look like another one.
 */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** One line in which everything that is there is seen. */
export const visibleLine = (text: string): string => text.replaceAll(UNSEEN, ' ');

/** What a person or a model typed, as it may be repeated in a sentence of ours: short, one line, no markup, no link. */
export const shortened = (typed: string): string =>
  Array.from(visibleLine(typed).replaceAll(/[`*_~|[\]<>\\]/g, ''))
    .slice(0, 32)
    .join('')
    .replaceAll('://', ': //')
    .trim();

/** The words by which the model steers the pipeline, written as `<<NAME>>`. */
export const CONTROL_TOKEN_NAMES = [
  'HEARTBEAT_OK',
  'NO_REPLY',
  'SILENT_REPLY',
  'NEED_INPUT',
  'ATTACH_DISCLAIMER',
  'ATTACH_QUOTE',
] as const;

const CONTROL_TOKENS = new RegExp(`<<(?:${CONTROL_TOKEN_NAMES.join('|')})>>`, 'g');

/** An answer of the model as it is kept, without the tokens that were acted on. */
export const stripControlTokens = (text: string): string => text.replaceAll(CONTROL_TOKENS, '').trim();

const OUR_MARKUP = new RegExp(
  `<<(?:${CONTROL_TOKEN_NAMES.join('|')})>>|<\\s*(?:/\\s*)?context\\b[^<>]*>`,
  'gi',
);

/**
 * Text from outside (a person, a tool's source) in which nothing can be taken for our own markup: a token
 * that the model only repeats must not silence the bot, and a forged context must not speak for the program.
 */
export const withoutOurMarkup = (text: string): string =>
  text.replace(OUR_MARKUP, (found) => found.replaceAll('<', '‹').replaceAll('>', '›'));

let segmenter: Intl.Segmenter | undefined;

/** Splits text into what readers see as characters. Made on first use: loading its tables takes 20 ms and megabytes. */
export const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter());
