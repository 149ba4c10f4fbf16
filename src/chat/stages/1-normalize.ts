import type { MarkupReader } from '#src/kernel/platform-markup.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import type { Normalized, Received } from './stage-types.ts';

/**
 * Marks that turn the direction of a text by force could make it look like another one, and blanks without width
 * hide in front of a command. Joiners stay: emoji and some scripts are built with them.
 */
const UNSEEN = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

export type NormalizeText = (raw: string, timeZone?: string) => string;

/**
 * Brings a typed text into one form: with its lines, without mentions and the markup of platforms. Commands are
 * recognised in the same form that the model reads.
 */
export const createNormalizeText =
  ({ stripMentions, readable }: Pick<MarkupReader, 'stripMentions' | 'readable'>): NormalizeText =>
  (raw, timeZone) => {
    const lines = raw.normalize('NFC').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n');
    const text = stripControlCharacters(lines).replaceAll(UNSEEN, '');
    return readable(stripMentions(text), timeZone).trim();
  };

/** Brings the text into the form that the model reads. */
export const normalize = (normalizeText: NormalizeText): PipelineStage<Received, Normalized> => ({
  name: 'normalize',
  isRepeatable: true,
  execute: async (input) => {
    const { rawBody, timeZone } = input.ctx;
    const forwarded = input.ctx.forwarded?.map(({ text, ...passedOn }) => ({
      ...passedOn,
      text: normalizeText(text, timeZone),
    }));
    return StageResult.continue({
      ...input,
      ctx: {
        ...input.ctx,
        bodyForAgent: normalizeText(rawBody, timeZone),
        ...(forwarded && { forwarded }),
      },
      isNormalized: true,
    });
  },
});
