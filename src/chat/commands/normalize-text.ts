import type { MarkupReader } from '#src/platform/text/platform-markup.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';

/**
 * Direction overrides could make a text look like another one, and a zero-width space could hide a command's prefix.
 * Joiners stay, because emoji and some scripts need them.
 */
const UNSEEN = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

export type NormalizeText = (raw: string, timeZone?: string) => string;

/**
 * Normalizes a text: keeps its lines, removes mentions and platform markup. Commands are parsed from the same form that
 * the model reads.
 */
export const createNormalizeText =
  ({ stripMentions, readable }: Pick<MarkupReader, 'stripMentions' | 'readable'>): NormalizeText =>
  (raw, timeZone) => {
    const lines = raw.normalize('NFC').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n');
    const text = stripControlCharacters(lines).replaceAll(UNSEEN, '');
    return readable(stripMentions(text), timeZone).trim();
  };
