import type { ChannelHost } from '#src/kernel/channel/host.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { keyEntryTexts } from '#src/kernel/agent/texts/key-entry.ts';
import { KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/agent/model.ts';
import type { Uses } from '#src/platform/services.ts';

interface KeyEntryDeps extends Uses<'logger'> {
  readonly locale: Locale;
  readonly say: (text: string) => Promise<void>;
  readonly hideNextLine: () => void;
  /** Commands are parsed without mentions, so a key behind a mention must be recognized too. */
  readonly stripMentions: (text: string) => string;
}

/** Any prefix matches, because the operator may change it. */
const COMMAND = /^[^\p{L}\p{N}\s]{1,3}(?:keys|키)$/u;
const ADD: ReadonlySet<string> = new Set(['add', '추가']);
const MAX_NAME_WORDS = 8;

/** Accepts at least what the command parser accepts, because any other line becomes a message. */
const tokensOf = (text: string, stripMentions: KeyEntryDeps['stripMentions']): readonly string[] =>
  stripMentions(text.normalize('NFC').replaceAll(/[\n\r\t\v\f]/g, ' '))
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .trim()
    .split(/\s+/);

/**
 * Handles `/keys add` before the line becomes a message, so that a key never reaches the inbox, the transcript or the
 * model. If the line does not contain the key, the next line is the key, and is hidden.
 */
export const createKeyEntry = ({ locale, say, hideNextLine, stripMentions, logger }: KeyEntryDeps) => {
  const t = keyEntryTexts(locale);
  let awaited: KeyedProvider | undefined;

  const add = async (
    provider: KeyedProvider,
    key: string,
    name: string | undefined,
    host: ChannelHost,
  ): Promise<void> => {
    try {
      const status = await host.keys.add(provider, key, name);
      await say(t.added({ provider, name: status.name, masked: status.masked, isSaved: status.isSaved }));
    } catch (error) {
      const isInvalid = error instanceof FinClawError && error.code === 'KEY_INVALID';
      if (!isInvalid) logger.error('Could not add a key', { error });
      await say(isInvalid ? t.invalid({ provider }) : t.failed());
    }
  };

  return {
    /** Stops waiting for a key; true if one was awaited. */
    cancel: (): boolean => {
      const wasAwaited = awaited !== undefined;
      awaited = undefined;
      return wasAwaited;
    },
    /** True if the line was about a key and must not become a message. */
    handle: async (text: string, host: ChannelHost): Promise<boolean> => {
      if (awaited) {
        const provider = awaited;
        awaited = undefined;
        const key = text.trim();
        if (key === '') await say(t.cancelled());
        else await add(provider, key, undefined, host);
        return true;
      }
      const [command = '', verb = '', asked = '', key, ...name] = tokensOf(text, stripMentions);
      if (!COMMAND.test(command.toLowerCase()) || !ADD.has(verb.toLowerCase())) return false;
      const provider = KEYED_PROVIDERS.find((id) => id === asked.toLowerCase());
      if (!provider) await say(t.usage());
      else if (key) await add(provider, key, name.slice(0, MAX_NAME_WORDS).join(' ') || undefined, host);
      else {
        // Set before any await, because the key may have been typed ahead.
        awaited = provider;
        hideNextLine();
        await say(t.paste({ provider }));
      }
      return true;
    },
  };
};
