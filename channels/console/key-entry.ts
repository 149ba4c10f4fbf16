import type { ChannelHost } from '#src/kernel/channel.ts';
import type { keyEntryMessages } from '#src/kernel/messages/key-entry.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/model.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

export interface KeyEntryDeps {
  readonly t: ReturnType<typeof keyEntryMessages>;
  readonly say: (text: string) => Promise<void>;
  /** From now on and for one line, what is typed is not shown. */
  readonly hideNextLine: () => void;
  /** As commands are read: a key behind a mention is a key, too. */
  readonly stripMentions: (text: string) => string;
  readonly logger: FinClawLogger;
}

export interface KeyEntry {
  /** True when the line was about a key, and is no message. */
  readonly handle: (text: string, host: ChannelHost) => Promise<boolean>;
  /** True when a key was waited for, and is no longer. */
  readonly cancel: () => boolean;
}

/** Behind whatever prefix the operator chose. */
const COMMAND = /^[^\p{L}\p{N}\s]{1,3}(?:keys|키)$/u;
const ADD: ReadonlySet<string> = new Set(['add', '추가']);
const MAX_NAME_WORDS = 8;

/** Not more narrowly than the command itself is read: what is not recognised here becomes a message. */
const wordsOf = (text: string, stripMentions: KeyEntryDeps['stripMentions']): readonly string[] =>
  stripMentions(text.normalize('NFC').replaceAll(/[\n\r\t\v\f]/g, ' '))
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .trim()
    .split(/\s+/);

/**
 * `/keys add` of the terminal. It stands before the message is one: a key must not reach the inbox, the
 * transcript or the model. Without the key in the same line, the next line is the key, and is not shown.
 */
export const createKeyEntry = ({ t, say, hideNextLine, stripMentions, logger }: KeyEntryDeps): KeyEntry => {
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
      await say(t.added({ provider, name: shown, masked, isSaved: status.isSaved }));
    } catch (error) {
      const isInvalid = error instanceof FinClawError && error.code === 'KEY_INVALID';
      if (!isInvalid) logger.error('A key could not be added', { error });
      await say(isInvalid ? t.invalid({ provider }) : t.failed());
    }
  };

  return {
    cancel: () => {
      const wasAwaited = awaited !== undefined;
      awaited = undefined;
      return wasAwaited;
    },
    handle: async (text, host) => {
      if (awaited) {
        const provider = awaited;
        awaited = undefined;
        const key = text.trim();
        if (key === '') await say(t.cancelled());
        else await add(provider, key, undefined, host);
        return true;
      }
      const [command = '', verb = '', asked = '', key, ...name] = wordsOf(text, stripMentions);
      if (!COMMAND.test(command.toLowerCase()) || !ADD.has(verb.toLowerCase())) return false;
      const provider = KEYED_PROVIDERS.find((id) => id === asked.toLowerCase());
      if (!provider) await say(t.usage());
      else if (key) await add(provider, key, name.slice(0, MAX_NAME_WORDS).join(' ') || undefined, host);
      else {
        // Before anything is awaited: the key may have been typed ahead.
        awaited = provider;
        hideNextLine();
        await say(t.paste({ provider }));
      }
      return true;
    },
  };
};
