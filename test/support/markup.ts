import { CHANNELS } from '#channels/index.ts';
import { createMarkupReader } from '#src/platform/text/platform-markup.ts';
import { createNormalizeText } from '#src/chat/commands/normalize-text.ts';

/** Reads what all channels write. */
export const markup = createMarkupReader(CHANNELS.flatMap((channel) => channel.markup ?? []));
export const { stripMentions } = markup;
export const normalizeText = createNormalizeText(markup);
