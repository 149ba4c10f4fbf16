import { z } from 'zod';
import { editDistance } from '#src/platform/text/edit-distance.ts';
import { createHideSecrets } from './hide-secrets.ts';
import { isPlausibleKey, KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/agent/model.ts';
import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';
import { isPrivateHost } from '../net/public-address.ts';
import type { ChannelDefinition } from '../channel-definition.ts';

const MAX_SHOWN = 60;

const hideKeys = createHideSecrets([]);

const shown = (value: unknown): string => {
  // The value may be a key in the wrong place.
  const text = hideKeys(JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const property = (node: unknown, key: PropertyKey): unknown =>
  typeof node === 'object' && node !== null ? (node as Record<PropertyKey, unknown>)[key] : undefined;

/** The names of the settings that exist at this path of the file. */
const knownKeysAt = (path: readonly PropertyKey[], file: z.ZodType): readonly string[] => {
  const schema: unknown = z.toJSONSchema(file, { io: 'input' });
  // A number is an index of a list; a name that is no property is a key of a table.
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
 * One line for each problem: the setting, what is wrong, and, for the file, the value found there. Values of the
 * environment are never repeated, because some of them are secrets.
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
    // The key of the table itself is wrong, not its value.
    if (issue.code === 'invalid_key') return [`  ${path}: ${issue.issues[0]?.message ?? issue.message}`];
    // A value below `providers` may be a key in the wrong place.
    const isHidden = file === undefined || issue.path[0] === 'providers';
    const found = isHidden ? '' : ` (found ${shown(issue.path.reduce(property, file))})`;
    return [`  ${path}: ${issue.message}${found}`];
  });
  return `${where} is not valid. Please fix this and start again:\n${lines.join('\n')}`;
};

const FORMS: Readonly<Record<KeyedProvider, string>> = { anthropic: 'sk-ant-…', openai: 'sk-…' };

const baseUrlOf = (provider: KeyedProvider, variables: Environment): string | undefined =>
  provider === 'anthropic' ? variables.ANTHROPIC_BASE_URL : variables.OPENAI_BASE_URL;

const problemsOf = (
  name: string,
  provider: KeyedProvider,
  keys: readonly string[],
  variables: Environment,
): readonly string[] =>
  keys.flatMap((key, index) => {
    const anyForm = baseUrlOf(provider, variables) !== undefined;
    if (isPlausibleKey(provider, key, { anyForm })) return [];
    const which = keys.length > 1 ? `key ${index + 1} of ${keys.length}` : 'the key';
    return [
      `  ${name}: ${which} does not look like a key of ${provider} (${FORMS[provider]}); copy it again as a whole`,
    ];
  });

/** One line for each malformed API key, without the key. A server at another address may use keys of any form. */
export const checkKeyForms = (variables: Environment): readonly string[] => [
  ...problemsOf('ANTHROPIC_API_KEY', 'anthropic', variables.ANTHROPIC_API_KEY ?? [], variables),
  ...problemsOf('OPENAI_API_KEY', 'openai', variables.OPENAI_API_KEY ?? [], variables),
];

/** The same for keys in the file, and for secrets that cannot be fetched because no AWS region is set. */
export const checkFileKeys = ({ providers }: ConfigFile, variables: Environment): readonly string[] =>
  KEYED_PROVIDERS.flatMap((provider) => {
    const { apiKey, awsSecretId } = providers[provider];
    const name = `providers.${provider}.apiKey`;
    return [
      ...problemsOf(name, provider, apiKey === undefined ? [] : [apiKey], variables),
      ...(awsSecretId !== undefined && !providers.aws
        ? [`  providers.${provider}.awsSecretId: needs providers.aws.region to be read`]
        : []),
    ];
  });

const urlOf = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

const crossesInternet = (url: URL): boolean => url.protocol === 'http:' && !isPrivateHost(url.hostname);

/**
 * One line for each address that would receive keys, tokens and messages unencrypted over the internet. An address is
 * checked even without a key, because one can be added while the bot runs. Market data needs no key and may use http.
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

/** A process that does only a part of the work needs others, and a platform where they meet. */
export const checkRole = (
  { FINCLAW_ROLE, DATABASE_URL }: Environment,
  platforms: Readonly<Record<string, object>>,
): readonly string[] => {
  if (FINCLAW_ROLE === undefined || FINCLAW_ROLE === 'all') return [];
  if (DATABASE_URL === undefined)
    return [
      `  FINCLAW_ROLE: ${FINCLAW_ROLE} needs a database that processes share; set DATABASE_URL, or leave FINCLAW_ROLE out`,
    ];
  return Object.keys(platforms).length === 0
    ? [
        `  FINCLAW_ROLE: ${FINCLAW_ROLE} needs a platform; set the tokens of Discord or Slack, or leave FINCLAW_ROLE out`,
      ]
    : [];
};

/** Whether pg would connect without TLS. */
const isWithoutTls = ({ searchParams }: URL): boolean => {
  const mode = searchParams.get('sslmode');
  if (mode !== null) return mode === 'disable';
  return !['true', '1'].includes(searchParams.get('ssl') ?? '');
};

/** Warnings about unencrypted connections, for the log at start and for the doctor. */
export const transportWarnings = ({ DATABASE_URL = '' }: Environment): readonly string[] => {
  const url = urlOf(DATABASE_URL);
  if (!url || url.hostname === '' || isPrivateHost(url.hostname) || !isWithoutTls(url)) return [];
  return [
    `DATABASE_URL reaches ${url.hostname} without TLS, so messages cross the internet unencrypted. Add ?sslmode=verify-full to it.`,
  ];
};
