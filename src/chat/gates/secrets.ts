import { type Gate, PASS } from './gate.ts';
import { withoutKeys } from '#src/platform/text/mask-secrets.ts';
import { bodyTextOf, type LocaleSettings } from '../context/message-context.ts';
import { intakeTexts } from './texts.ts';
import { replyLocale } from './throttled-reply.ts';

/** Refuses a message with a secret key before it is stored, sent to a model or read by others. */
export const secrets = (settings: LocaleSettings): Gate => ({
  name: 'secrets',
  check: (message) => {
    const text = bodyTextOf(message);
    const masked = withoutKeys(text);
    if (masked === text) return PASS;
    const locale = replyLocale({ ...message, body: masked }, settings);
    return { verdict: 'drop', reason: 'holds-a-key', reply: intakeTexts(locale).messageHoldsKey() };
  },
});
