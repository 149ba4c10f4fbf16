import { type Gate, PASS } from '#src/kernel/gate.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/kernel/guild-settings.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { intakeMessages } from '../messages.ts';
import { bodyTextOf } from '../../turns/message-context.ts';
import type { CommandOf } from '../../turns/read-command.ts';

export interface LengthDeps {
  readonly maxMessageChars: number;
  /** A command has a limit of its own. */
  readonly commandOf: CommandOf;
  readonly locale: LocaleRule;
}

/**
 * A message that is longer than any question, or than a command can need, is refused with a word to the sender, before
 * it costs storage or tokens.
 */
export const length = ({ maxMessageChars, commandOf, locale: rule }: LengthDeps): Gate => ({
  name: 'length',
  check: (message) => {
    const found = bodyTextOf(message).length;
    const commandLimit = commandOf(message)?.maxChars;
    const limit = Math.min(commandLimit ?? maxMessageChars, maxMessageChars);
    if (found <= limit) return PASS;
    const locale = detectLocale(message.body.slice(0, 1_000), message.locale, fixedLocaleIn(message, rule));
    const shown = new Intl.NumberFormat(locale);
    const sentence =
      commandLimit === undefined
        ? intakeMessages(locale).messageTooLong
        : intakeMessages(locale).commandTooLong;
    return {
      verdict: 'drop',
      reason: 'too-long',
      reply: sentence({ found: shown.format(found), limit: shown.format(limit) }),
    };
  },
});
