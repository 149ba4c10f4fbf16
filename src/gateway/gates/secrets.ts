import { type Gate, PASS } from '#src/core/gate.ts';
import { detectLocale, type Locale, texts } from '#src/core/i18n.ts';
import { looksLikeKey } from '#src/infra/mask-secrets.ts';

export interface SecretsDeps {
  readonly locale: Locale | 'auto';
}

/** A key in a message would be stored, sent to a model and read by others: it is refused before any of it. */
export const secrets = ({ locale: fixed }: SecretsDeps): Gate => ({
  name: 'secrets',
  check: (message) => {
    if (!looksLikeKey(message.body)) return PASS;
    const locale = detectLocale(message.body.slice(0, 1_000), message.locale, fixed);
    return { verdict: 'drop', reason: 'holds-a-key', reply: texts(locale).messageHoldsKey() };
  },
});
