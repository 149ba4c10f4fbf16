import type { KeyedProvider } from './ports.ts';

export interface KeyFormatOptions {
  /** For servers that speak a provider's protocol but give out keys of their own form. */
  readonly anyForm?: boolean;
}

/** What fits into a header as one word. */
const WORD = /^[\x21-\x7e]{1,300}$/;
const MIN_LENGTH = 20;

const HAS_PREFIX: Readonly<Record<KeyedProvider, (key: string) => boolean>> = {
  anthropic: (key) => key.startsWith('sk-ant-'),
  openai: (key) => key.startsWith('sk-') && !key.startsWith('sk-ant-'),
};

/** Whether this can be a key of that provider at all: catches the wrong provider, a cut and a sentence. */
export const isPlausibleKey = (
  provider: KeyedProvider,
  key: string,
  options: KeyFormatOptions = {},
): boolean => {
  if (!WORD.test(key)) return false;
  return options.anyForm === true || (key.length >= MIN_LENGTH && HAS_PREFIX[provider](key));
};
