import { stripControlCharacters, stripMentions } from '#src/core/text.ts';
import { readableMarkup } from './platform-markup.ts';

export interface NormalizedText {
  /** As it was written, with its lines, without mentions. */
  readonly body: string;
  /** On one line. */
  readonly normalizedBody: string;
}

/**
 * Marks that turn the direction of a text by force could make it look like another one, and blanks without width
 * hide in front of a command. Joiners stay: emoji and some scripts are built with them.
 */
const UNSEEN = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** One form for what people type: whoever asks whether it is a command must ask about the same text. */
export const normalizeText = (raw: string, timeZone?: string): NormalizedText => {
  const lines = raw.normalize('NFC').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n');
  const text = stripControlCharacters(lines).replaceAll(UNSEEN, '');
  const body = readableMarkup(stripMentions(text), timeZone).trim();
  return { body, normalizedBody: body.replace(/\s+/g, ' ') };
};
