import type { CommandOption } from '#src/core/command.ts';
import type { Locale, Localized } from '#src/core/locale.ts';
import { queueMessages } from '#src/core/i18n/queue.ts';
import { QUEUE_MODES } from '#src/core/ports.ts';

/** One label in each language, from the sentences that the answers are made of. */
export const choiceLabels = (label: (locale: Locale) => string): Localized => ({
  ko: label('ko'),
  en: label('en'),
});

export const queueModeChoices = QUEUE_MODES.map((mode) => ({
  value: mode,
  label: choiceLabels((locale) => `${mode} — ${queueMessages(locale).meanings[mode]}`),
})) satisfies CommandOption['choices'];
