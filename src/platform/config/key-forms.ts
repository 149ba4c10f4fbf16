import { isPlausibleKey } from '#src/kernel/key-format.ts';
import { KEYED_PROVIDERS } from '#src/kernel/model.ts';
import type { KeyedProvider } from '#src/kernel/ports.ts';
import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';

const FORMS: Readonly<Record<KeyedProvider, string>> = { anthropic: 'sk-ant-…', openai: 'sk-…' };

const problemsOf = (
  name: string,
  provider: KeyedProvider,
  keys: readonly string[],
  anyForm: boolean,
): readonly string[] =>
  keys.flatMap((key, index) => {
    if (isPlausibleKey(provider, key, { anyForm })) return [];
    const which = keys.length > 1 ? `key ${index + 1} of ${keys.length}` : 'the key';
    return [
      `  ${name}: ${which} does not look like a key of ${provider} (${FORMS[provider]}); copy it again as a whole`,
    ];
  });

/** One line a key that cannot be one; never the key. Servers behind an address of their own take any form. */
export const checkKeyForms = (variables: Environment): readonly string[] => [
  ...problemsOf(
    'ANTHROPIC_API_KEY',
    'anthropic',
    variables.ANTHROPIC_API_KEY ?? [],
    variables.ANTHROPIC_BASE_URL !== undefined,
  ),
  ...problemsOf(
    'OPENAI_API_KEY',
    'openai',
    variables.OPENAI_API_KEY ?? [],
    variables.OPENAI_BASE_URL !== undefined,
  ),
];

/** The same for the configuration file, and secrets that nobody could fetch. */
export const checkFileKeys = (
  { providers }: Pick<ConfigFile, 'providers'>,
  variables: Environment,
): readonly string[] =>
  KEYED_PROVIDERS.flatMap((provider) => {
    const { apiKey, awsSecretId } = providers[provider];
    const baseUrl = provider === 'anthropic' ? variables.ANTHROPIC_BASE_URL : variables.OPENAI_BASE_URL;
    const name = `providers.${provider}.apiKey`;
    return [
      ...problemsOf(name, provider, apiKey === undefined ? [] : [apiKey], baseUrl !== undefined),
      ...(awsSecretId !== undefined && !providers.aws
        ? [`  providers.${provider}.awsSecretId: needs providers.aws.region to be read`]
        : []),
    ];
  });
