import type { CommandForm } from '#src/core/command.ts';
import { FinClawError } from '#src/core/errors.ts';
import { texts } from '#src/core/i18n.ts';
import { KEYED_PROVIDERS, PROVIDER_NAMES } from '#src/core/model.ts';
import type { KeyedProvider, Keys } from '#src/core/ports.ts';

const ADD: ReadonlySet<string> = new Set(['add', '추가']);
const MAX_KEY_CHARS = 500;
const MAX_NAME_CHARS = 40;

const providerOf = (typed: string): KeyedProvider | undefined =>
  KEYED_PROVIDERS.find((id) => id === typed.toLowerCase());

/** `/keys add anthropic`: the key is filled in where it cannot become a message. */
export const keyForm = (keys: Pick<Keys, 'add'>): CommandForm => ({
  open: ([action = '', typed = ''], locale) => {
    const provider = providerOf(typed);
    if (!ADD.has(action.toLowerCase()) || !provider) return undefined;
    const words = texts(locale).keys.form;
    return {
      id: provider,
      title: words.title({ provider: PROVIDER_NAMES[provider] }),
      submitLabel: words.submit(),
      fields: [
        { id: 'key', label: words.key(), isRequired: true, maxLength: MAX_KEY_CHARS },
        { id: 'name', label: words.name(), isRequired: false, maxLength: MAX_NAME_CHARS },
      ],
    };
  },

  submit: async (formId, { key = '', name = '' }, locale) => {
    const words = texts(locale);
    const provider = providerOf(formId);
    if (!provider) return words.channels.formGone();
    try {
      const { masked, name: shown, isSaved } = await keys.add(provider, key.trim(), name.trim() || undefined);
      return words.keyEntry.added({ provider, name: shown, masked, isSaved });
    } catch (error) {
      if (error instanceof FinClawError && error.code === 'KEY_INVALID')
        return words.keyEntry.invalid({ provider });
      throw error;
    }
  },
});
