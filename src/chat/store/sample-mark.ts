import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';

/**
 * Marks a text of which a fact is sample data, once, and no other text. Outbox, notifications and live answers mark here
 * alone, so no model, command or feature can omit the mark, and one that writes it too does not double it.
 */
export const withSampleMark = (
  text: string,
  facts: ReplyPayload['facts'],
  locale: Locale,
  /** `above` where the end of the text may be cut off. */
  place: 'above' | 'below' = 'below',
): string => {
  if (!facts?.some(({ isSample }) => isSample)) return text;
  const mark = marketNoteTexts(locale).sampleMark();
  const unmarked = text
    .split(PARAGRAPH)
    .filter((paragraph) => paragraph.trim() !== mark)
    .join(PARAGRAPH);
  if (unmarked === '') return mark;
  return (place === 'above' ? [mark, unmarked] : [unmarked, mark]).join(PARAGRAPH);
};

const PARAGRAPH = '\n\n';

/** A payload as it is stored: marked by its facts, without them. */
export const markedPayload = ({ facts, ...payload }: ReplyPayload): Omit<ReplyPayload, 'facts'> => {
  const { text, textWithCards, locale = detectLocale(text, undefined, 'auto') } = payload;
  return {
    ...payload,
    text: withSampleMark(text, facts, locale),
    ...(textWithCards !== undefined && { textWithCards: withSampleMark(textWithCards, facts, locale) }),
  };
};
