import { type Gate, PASS } from './gate.ts';
import { bodyTextOf, type LocaleSettings } from '../context/message-context.ts';
import type { CommandOf } from '../context/read-command.ts';
import { intakeTexts } from './texts.ts';
import { replyLocale } from './throttled-reply.ts';

interface LengthDeps extends LocaleSettings {
  readonly maxMessageChars: number;
  /** Commands have their own limits. */
  readonly commandOf: CommandOf;
}

/** Refuses a message or command that is too long, before it costs storage or tokens. */
export const length = ({ maxMessageChars, commandOf, ...settings }: LengthDeps): Gate => ({
  name: 'length',
  check: (message) => {
    const found = bodyTextOf(message).length;
    const commandLimit = commandOf(message)?.maxChars;
    const limit = Math.min(commandLimit ?? maxMessageChars, maxMessageChars);
    if (found <= limit) return PASS;
    const locale = replyLocale(message, settings);
    const shown = new Intl.NumberFormat(locale);
    const { messageTooLong, commandTooLong } = intakeTexts(locale);
    const sentence = commandLimit === undefined ? messageTooLong : commandTooLong;
    return {
      verdict: 'drop',
      reason: 'too-long',
      reply: sentence({ found: shown.format(found), limit: shown.format(limit) }),
    };
  },
});
