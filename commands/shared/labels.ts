import type { Locale, Localized } from '#src/kernel/locale.ts';
import { visibleLine } from '#src/kernel/text.ts';

/** Shows a name or code literally, on one line and without markup. */
export const asCode = (text: string): string => `\`${visibleLine(text).replaceAll('`', "'")}\``;

/** A label in each language, from the messages of the answers. */
export const choiceLabels = (label: (locale: Locale) => string): Localized => ({
  ko: label('ko'),
  en: label('en'),
});
