import { stripControlCharacters, stripMentions } from '#src/core/text.ts';
import { readableMarkup } from './platform-markup.ts';

/**
 * Marks that turn the direction of a text by force could make it look like another one, and blanks without width
 * hide in front of a command. Joiners stay: emoji and some scripts are built with them.
 */
const UNSEEN = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

/**
 * What people typed, in one form: with its lines, without mentions. Whoever asks whether it is a command must ask about
 * the same text.
 */
export const normalizeText = (raw: string, timeZone?: string): string => {
  const lines = raw.normalize('NFC').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n');
  const text = stripControlCharacters(lines).replaceAll(UNSEEN, '');
  return readableMarkup(stripMentions(text), timeZone).trim();
};
