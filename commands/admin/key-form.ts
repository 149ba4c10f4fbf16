import type { CommandForm } from '#src/kernel/command.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { keyMessages } from '#commands/admin/messages/keys.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { keyEntryMessages } from '#src/kernel/messages/key-entry.ts';
import { KEYED_PROVIDERS, PROVIDER_NAMES } from '#src/kernel/model.ts';
import type { KeyedProvider, Keys } from '#src/kernel/ports.ts';

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
    const t = keyMessages(locale).form;
    return {
      id: provider,
      title: t.title({ provider: PROVIDER_NAMES[provider] }),
      submitLabel: t.submit(),
      fields: [
        { id: 'key', label: t.key(), isRequired: true, maxLength: MAX_KEY_CHARS },
        { id: 'name', label: t.name(), isRequired: false, maxLength: MAX_NAME_CHARS },
      ],
    };
  },

  submit: async (formId, { key = '', name = '' }, locale) => {
    const provider = providerOf(formId);
    if (!provider) return channelMessages(locale).formGone();
    try {
      const { masked, name: shown, isSaved } = await keys.add(provider, key.trim(), name.trim() || undefined);
      return keyEntryMessages(locale).added({ provider, name: shown, masked, isSaved });
    } catch (error) {
      if (error instanceof FinClawError && error.code === 'KEY_INVALID')
        return keyEntryMessages(locale).invalid({ provider });
      throw error;
    }
  },
});
