import type { CommandOption } from '#src/kernel/command-definition.ts';
import type { Locale, Localized } from '#src/kernel/locale.ts';
import { queueMessages } from '#commands/chat/messages.ts';
import { QUEUE_MODES } from '#src/kernel/ports.ts';

/** A label in each language, from the messages of the answers. */
export const choiceLabels = (label: (locale: Locale) => string): Localized => ({
  ko: label('ko'),
  en: label('en'),
});

export const queueModeChoices = QUEUE_MODES.map((mode) => ({
  value: mode,
  label: choiceLabels((locale) => `${mode} — ${queueMessages(locale).meanings[mode]}`),
})) satisfies CommandOption['choices'];
