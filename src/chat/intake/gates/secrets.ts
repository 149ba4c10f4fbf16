import { type Gate, PASS } from '#src/kernel/gate.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/kernel/guild-settings.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { intakeMessages } from '../messages.ts';
import { withoutKeys } from '#src/platform/mask-secrets.ts';
import { bodyTextOf } from '../../turns/message-context.ts';

export interface SecretsDeps {
  readonly locale: LocaleRule;
}

/** A key in a message would be stored, sent to a model and read by others: it is refused before any of it. */
export const secrets = ({ locale: rule }: SecretsDeps): Gate => ({
  name: 'secrets',
  check: (message) => {
    const said = bodyTextOf(message);
    const words = withoutKeys(said);
    if (words === said) return PASS;
    const locale = detectLocale(words.slice(0, 1_000), message.locale, fixedLocaleIn(message, rule));
    return { verdict: 'drop', reason: 'holds-a-key', reply: intakeMessages(locale).messageHoldsKey() };
  },
});
