import { type Gate, PASS } from '#src/core/gate.ts';
import { detectLocale, type Locale, texts } from '#src/core/i18n.ts';
import { withoutKeys } from '#src/infra/mask-secrets.ts';

export interface SecretsDeps {
  readonly locale: Locale | 'auto';
}

/** A key in a message would be stored, sent to a model and read by others: it is refused before any of it. */
export const secrets = ({ locale: fixed }: SecretsDeps): Gate => ({
  name: 'secrets',
  check: (message) => {
    const words = withoutKeys(message.body);
    if (words === message.body) return PASS;
    const locale = detectLocale(words.slice(0, 1_000), message.locale, fixed);
    return { verdict: 'drop', reason: 'holds-a-key', reply: texts(locale).messageHoldsKey() };
  },
});
