import type { CommandOption } from '#src/kernel/chat/command-definition.ts';
import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import { choiceLabels } from '../shared/labels.ts';
import { queueTexts } from './texts.ts';

export const queueModeChoices = QUEUE_MODES.map((mode) => ({
  value: mode,
  label: choiceLabels((locale) => `${mode} — ${queueTexts(locale).meanings[mode]}`),
})) satisfies CommandOption['choices'];
