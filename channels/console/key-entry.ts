import type { ChannelHost } from '#src/core/channel.ts';
import { errorMessage } from '#src/core/errors.ts';
import type { texts } from '#src/core/i18n.ts';
import type { KeyedProvider } from '#src/core/ports.ts';

export interface KeyEntryDeps {
  readonly words: ReturnType<typeof texts>;
  readonly say: (text: string) => Promise<void>;
  /** From now on and for one line, what is typed is not shown. */
  readonly hideNextLine: () => void;
}

const ADD = /^\/(?:keys|키)\s+(?:add|추가)(?:\s+(?<provider>\S+))?(?:\s+(?<key>\S+))?(?:\s+(?<name>.+))?$/i;
const PROVIDERS: readonly KeyedProvider[] = ['anthropic', 'openai'];

/**
 * `/keys add` of the terminal. It stands before the message is one: a key must not reach the inbox, the
 * transcript or the model. Without the key in the same line, the next line is the key, and is not shown.
 */
export const createKeyEntry = ({ words, say, hideNextLine }: KeyEntryDeps) => {
  let awaited: KeyedProvider | undefined;

  const add = async (
    provider: KeyedProvider,
    key: string,
    name: string | undefined,
    host: ChannelHost,
  ): Promise<void> => {
    try {
      const status = await host.keys.add(provider, key, name);
      const { masked, name: shown } = status;
      await say(words.keyEntry.added({ provider, name: shown, masked, isSaved: status.isSaved }));
    } catch (error) {
      await say(words.keyEntry.refused({ why: errorMessage(error) }));
    }
  };

  /** True when the line was about a key, and is no message. */
  return async (text: string, host: ChannelHost): Promise<boolean> => {
    if (awaited) {
      const provider = awaited;
      awaited = undefined;
      const key = text.trim();
      if (key === '') await say(words.keyEntry.cancelled());
      else await add(provider, key, undefined, host);
      return true;
    }
    const asked = ADD.exec(text.trim())?.groups;
    if (!asked) return false;
    const provider = PROVIDERS.find((id) => id === asked['provider']?.toLowerCase());
    if (!provider) await say(words.keyEntry.usage());
    else if (asked['key']) await add(provider, asked['key'], asked['name'], host);
    else {
      awaited = provider;
      await say(words.keyEntry.paste({ provider }));
      hideNextLine();
    }
    return true;
  };
};
