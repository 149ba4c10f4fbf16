import { z } from 'zod';
import { editDistance } from '#src/kernel/edit-distance.ts';
import { createHideSecrets } from './hide-secrets.ts';
import { isPlausibleKey, KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/model.ts';
import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';
import { isPrivateHost } from '../public-address.ts';
import type { ChannelDefinition } from '../channel-definition.ts';

const MAX_SHOWN = 60;

const hideKeys = createHideSecrets([]);

const shown = (value: unknown): string => {
  // A key in the wrong place is shown to nobody.
  const text = hideKeys(JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const property = (node: unknown, key: PropertyKey): unknown =>
  typeof node === 'object' && node !== null ? (node as Record<PropertyKey, unknown>)[key] : undefined;

/** The settings that exist at this place of the file. */
const knownKeysAt = (path: readonly PropertyKey[], file: z.ZodType): readonly string[] => {
  const schema: unknown = z.toJSONSchema(file, { io: 'input' });
  // A number is a place in a list; what no name fits is an entry of a table.
  const inside = (node: unknown, key: PropertyKey): unknown =>
    typeof key === 'number'
      ? property(node, 'items')
      : (property(property(node, 'properties'), key) ?? property(node, 'additionalProperties'));
  const here = path.reduce(inside, schema);
  return Object.keys(property(here, 'properties') ?? {}).filter((key) => key !== '$schema');
};

const unknownKey = (key: string, path: readonly PropertyKey[], schema: z.ZodType): string => {
  const known = knownKeysAt(path, schema);
  const near = known.find((candidate) => editDistance(key.toLowerCase(), candidate.toLowerCase(), 2) <= 2);
  const advice = near ? `did you mean "${near}"?` : `the settings here are ${known.join(', ')}`;
  return `  ${[...path, key].join('.')}: there is no such setting; ${advice}`;
};

/**
 * One line a problem: where it is, what is wrong, and, for the file, what was found there. Values of the
 * environment are never repeated: some of them are secrets.
 */
export const describeIssues = (
  where: string,
  error: z.ZodError,
  schema: z.ZodType,
  file?: unknown,
): string => {
  const lines = error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownKey(key, issue.path, schema));
    const path = issue.path.length > 0 ? issue.path.join('.') : '(top level)';
    // What is wrong is the name itself, not what it stands for.
    if (issue.code === 'invalid_key') return [`  ${path}: ${issue.issues[0]?.message ?? issue.message}`];
    // Whatever stands there may be a key in the wrong place.
    const isHidden = file === undefined || issue.path[0] === 'providers';
    const found = isHidden ? '' : ` (found ${shown(issue.path.reduce(property, file))})`;
    return [`  ${path}: ${issue.message}${found}`];
  });
  return `${where} is not valid. Please fix this and start again:\n${lines.join('\n')}`;
};

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

const urlOf = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

const crossesInternet = (url: URL): boolean => url.protocol === 'http:' && !isPrivateHost(url.hostname);

/**
 * One line for each address that would receive keys, tokens and messages unencrypted over the internet. It counts
 * before there is a key too: one can be added while the bot runs. Market data needs no key and may come over http.
 */
export const checkPlainHttp = (
  variables: Environment,
  { providers }: ConfigFile,
  channels: readonly ChannelDefinition[],
): readonly string[] => {
  const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL } = variables;
  const all: Readonly<Record<string, unknown>> = variables;
  const ofChannels = channels.flatMap(({ addresses = [] }) => addresses);
  const named: readonly (readonly [name: string, address: unknown])[] = [
    ['ANTHROPIC_BASE_URL', ANTHROPIC_BASE_URL],
    ['OPENAI_BASE_URL', OPENAI_BASE_URL],
    ...ofChannels.map((name) => [name, all[name]] as const),
    ['providers.aws.endpoint', providers.aws?.endpoint],
  ];
  return named.flatMap(([name, address]) => {
    const url = typeof address === 'string' ? urlOf(address) : undefined;
    if (!url || !crossesInternet(url)) return [];
    return [
      `  ${name}: would send keys and messages unencrypted to ${url.hostname}; begin the address with https://. Plain http is for this machine and private networks only: localhost, private IP addresses, names without a dot, and names ending in .local or .internal`,
    ];
  });
};

/** What pg understands as a connection without TLS. */
const isWithoutTls = ({ searchParams }: URL): boolean => {
  const mode = searchParams.get('sslmode');
  if (mode !== null) return mode === 'disable';
  return !['true', '1'].includes(searchParams.get('ssl') ?? '');
};

/** What starts all the same, but the operator should know: for the log at start and for the doctor. */
export const transportWarnings = ({ DATABASE_URL = '' }: Environment): readonly string[] => {
  const url = urlOf(DATABASE_URL);
  if (!url || url.hostname === '' || isPrivateHost(url.hostname) || !isWithoutTls(url)) return [];
  return [
    `DATABASE_URL reaches ${url.hostname} without TLS, so messages cross the internet unencrypted. Add ?sslmode=verify-full to it.`,
  ];
};
