import { type Gate, PASS } from '#src/core/gate.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/core/guild-settings.ts';
import { detectLocale, texts } from '#src/core/i18n.ts';
import { wordsOf } from '../message-context.ts';

export interface LengthDeps {
  readonly maxMessageChars: number;
  readonly locale: LocaleRule;
}

/** A message longer than any question is refused with a word to the sender, before it costs storage or tokens. */
export const length = ({ maxMessageChars, locale: rule }: LengthDeps): Gate => ({
  name: 'length',
  check: (message) => {
    const found = wordsOf(message).length;
    if (found <= maxMessageChars) return PASS;
    const locale = detectLocale(message.body.slice(0, 1_000), message.locale, fixedLocaleIn(message, rule));
    const shown = new Intl.NumberFormat(locale);
    return {
      verdict: 'drop',
      reason: 'too-long',
      reply: texts(locale).messageTooLong({
        found: shown.format(found),
        limit: shown.format(maxMessageChars),
      }),
    };
  },
});
