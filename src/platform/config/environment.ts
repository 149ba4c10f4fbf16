import { LOG_LEVELS } from '#src/kernel/operations/log.ts';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { z } from 'zod';
import { GROUNDING_MODES } from '#src/kernel/agent/agent-settings.ts';
import { ROLES } from '#src/kernel/operations/status.ts';
import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import {
  HTTPS_ONLY,
  optionalVariable as optional,
  port,
  webAddress as url,
} from '#src/kernel/operations/setting-schemas.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import { decoded } from './hide-secrets.ts';
import { PROXY_VARIABLES, proxyPasswords } from './proxy-config.ts';
import { oncePerKey } from './once-per-key.ts';

/** Adds the variables in `.env` of the working directory; those that are already set stay. */
export const loadDotEnv = (): void => {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (cause) {
    throw new FinClawError(`The file .env cannot be read: ${errorMessage(cause)}`, 'CONFIG_INVALID', {
      cause,
    });
  }
};

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).meta({ title: values.map((value) => `\`${value}\``).join(', ') });

const names = z.string().transform((value) =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

const keys = names
  .refine((list) => list.length > 0, 'holds no key')
  .meta({ title: 'secret, or several separated by commas' });

/** `none` disables fallbacks. */
const fallbacks = names
  .refine((list) => list.length > 0, 'names no model; use none for no fallbacks')
  .transform((list) => (list.length === 1 && list[0]?.toLowerCase() === 'none' ? [] : list))
  .meta({ title: 'list separated by commas, or `none`' });

const usd = z
  .string()
  .regex(
    /^(?:none|\d{1,9}(?:\.\d{1,6})?)$/i,
    'must be an amount of US dollars such as 5 or 2.50; none for no limit',
  )
  .meta({ title: 'amount in US dollars, or `none`' });

const rateLimit = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number of messages a minute, such as 20; 0 for no limit')
  .transform(Number)
  .refine((limit) => limit <= 10_000, 'must be 10000 at most; 0 for no limit')
  .meta({ title: 'integer, 0 to 10000' });

const httpHost = z
  .string()
  .refine((host) => isIP(host) !== 0, 'must be an IP address such as 127.0.0.1 or 0.0.0.0')
  .meta({ title: 'IP address' });

const MIN_TOKEN_CHARS = 32;
/** A random token of 32 hexadecimal digits has fewer with odds of 1 in a million. */
const MIN_DISTINCT_CHARS = 8;

/** Few characters, counting ones, or a part that comes again. */
const isPattern = (text: string): boolean => {
  const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  const periods = Array.from({ length: Math.floor(text.length / 2) }, (_none, index) => index + 1);
  return (
    new Set(codes).size < MIN_DISTINCT_CHARS ||
    steps.size === 1 ||
    periods.some((period) => text.startsWith(text.slice(period)))
  );
};

const operatorToken = z
  .string()
  .trim()
  .min(
    MIN_TOKEN_CHARS,
    `must have at least ${MIN_TOKEN_CHARS} characters, because it opens the operator page; make one with: openssl rand -base64 32`,
  )
  .refine(
    (token) => !isPattern(token),
    'can be guessed, because it repeats itself; make one with: openssl rand -base64 32',
  )
  .meta({ title: 'secret' });

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/.+/, {
    error: 'must look like postgres://user:password@host:5432/database',
    abort: true,
  })
  .refine(
    (text) => URL.canParse(text),
    'cannot be read; in a password, write %23 for #, %2F for /, %40 for @ and so on',
  )
  .meta({ title: 'URL' });

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const share = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'must be a number from 0 to 1, such as 0.1')
  .transform(Number)
  .meta({ title: 'number from 0 to 1' });

const PAIR = /^[!#$%&'*+.^_`|~\w-]+=[^\r\n]*$/;

/** Values are percent-encoded. */
const pairs = names
  .refine((list) => list.every((pair) => PAIR.test(pair)), 'must look like name=value,name=value')
  .meta({ title: '`name=value`, separated by commas' });

const headers = pairs.meta({ title: 'secret: `name=value`, separated by commas' });

const OWN_VARIABLES = {
  FINCLAW_DATA_DIR: optional(z.string(), {
    description:
      'Directory of the SQLite database, files and skills. Each process needs its own; with SQLite, a second process on the same directory refuses to start.',
    unset: '`./data`',
  }),
  FINCLAW_CONFIG: optional(z.string(), {
    description: 'Path of the configuration file.',
    unset: '`./finclaw.config.json`',
  }),
  DATABASE_URL: optional(databaseUrl, {
    description:
      'Stores everything in PostgreSQL instead of SQLite: `postgres://user:password@host:5432/database`. Any number of processes can share a database.',
    unset: 'SQLite in the data directory',
  }),
  FINCLAW_ROLE: optional(oneOf(ROLES), {
    description:
      'With PostgreSQL, what this process does: `gateway` receives messages, `worker` answers them, `all` does both.',
    unset: '`all`',
  }),
  FINCLAW_HTTP_PORT: optional(port, {
    description:
      'Starts the health server, with `/healthz`, `/readyz`, `/metrics` and the operator page at `/operator`. The first three answer only to IP addresses and names without a dot.',
    unset: 'no health server',
  }),
  FINCLAW_HTTP_HOST: optional(httpHost, {
    description:
      'IP address that the health server listens on: `0.0.0.0` in a container with a network of its own. On another address than that of this machine alone, the operator page is off until `operator.publicUrl` is set.',
    unset: '`127.0.0.1`',
  }),
  FINCLAW_OPERATOR_TOKEN: optional(operatorToken, {
    description:
      'A secret to log in to the operator page with, at least 32 characters: `openssl rand -base64 32` makes one. Administrators can always log in with a code from `/dashboard`.',
    unset: 'only codes from `/dashboard`',
  }),
  FINCLAW_LOCALE: optional(oneOf(['auto', 'ko', 'en']), {
    description: 'Language of the answers. `auto` follows the sender.',
    unset: '`auto`',
  }),
  ANTHROPIC_API_KEY: optional(keys, {
    description: 'Anthropic API key for Claude models. Several keys are used in turn.',
    unset: 'no Claude models',
  }),
  ANTHROPIC_BASE_URL: optional(url, {
    description: `Base URL of a server with the Anthropic API, such as a proxy. ${HTTPS_ONLY}`,
    unset: 'the API of Anthropic',
  }),
  OPENAI_API_KEY: optional(keys, {
    description: 'OpenAI API key for GPT models. Several keys are used in turn.',
    unset: 'no GPT models',
  }),
  OPENAI_BASE_URL: optional(url, {
    description: `Base URL of a server with the OpenAI API, such as Ollama. ${HTTPS_ONLY}`,
    unset: 'the API of OpenAI',
  }),
  FINCLAW_MODEL: optional(z.string().trim(), {
    description: 'Id or alias of the model that answers.',
    unset:
      'the first of `opus`, `sonnet`, `gpt`, `haiku`, `gpt-mini` that has a key; without a key, the offline model',
  }),
  FINCLAW_FALLBACKS: optional(fallbacks, {
    description: 'Models to try when the chosen one fails, in this order.',
    unset: 'the others of that list that cost no more, strongest with numbers first',
  }),
  FINCLAW_MARKET: optional(oneOf(['auto', 'yahoo', 'sample']), {
    description:
      'Source of prices. `yahoo`: real prices only. `sample`: made-up prices only, labelled as such. `auto`: real prices; a bot without any token or key uses sample prices when Yahoo cannot be reached.',
    unset: '`auto`',
  }),
  FINCLAW_YAHOO_URL: optional(url, {
    description: 'Base URL that replaces every Yahoo host, such as a proxy.',
    unset: 'the hosts of Yahoo',
  }),
  FINCLAW_UPBIT_URL: optional(url, {
    description: 'Base URL that replaces the Upbit API, such as a proxy.',
    unset: 'the API of Upbit',
  }),
  FINCLAW_USER_BUDGET_USD: optional(usd, {
    description: 'Spending limit per person per day. `0` allows nothing, `none` removes the limit.',
    unset: '`2` on Discord or Slack, `none` in the terminal',
  }),
  FINCLAW_DAILY_BUDGET_USD: optional(usd, {
    description: 'Spending limit of the whole bot per day. `0` allows nothing, `none` removes the limit.',
    unset: '`20` on Discord or Slack, `none` in the terminal',
  }),
  FINCLAW_QUEUE_MODE: optional(oneOf(QUEUE_MODES), {
    description: 'Handling of messages that arrive during an answer. Overrides `queue.mode`.',
    unset: '`collect`',
  }),
  FINCLAW_GROUNDING: optional(oneOf(GROUNDING_MODES), {
    description:
      'What follows a number without a source in an answer: the model corrects it, it is marked, or nothing is checked. Overrides `grounding.mode`.',
    unset: '`repair`',
  }),
  FINCLAW_RATE_LIMIT: optional(rateLimit, {
    description:
      'Messages per minute per sender, and as many presses of buttons; `0` removes the limit. Overrides `gates.rateLimitPerMinute`.',
    unset: '`20`',
  }),
  FINCLAW_SECRET_KEY: optional(keys, {
    description:
      'Encrypts API keys that administrators add: 32 random bytes in base64 (`openssl rand -base64 32`). Guessable keys are refused. To rotate it, put the old key behind the new one after a comma.',
    unset: 'added keys are kept in memory only',
  }),
  FINCLAW_BACKUP_KEY: optional(keys, {
    description:
      'Encrypts backups: 32 random bytes in base64 (`openssl rand -base64 32`). Keep it apart from the backups: without it they cannot be restored. To rotate it, put the old key behind the new one after a comma.',
    unset: 'backups are not encrypted',
  }),
  FINCLAW_LOG_LEVEL: optional(oneOf(LOG_LEVELS), {
    description: 'Least severe level that is logged, on stderr.',
    unset: '`info` on Discord or Slack, `warn` in the terminal',
  }),
  ...PROXY_VARIABLES,
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url, {
    description:
      'Sends traces to this OpenTelemetry collector: OTLP over HTTP, as JSON, to `/v1/traces` below it.',
    unset: 'no traces',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(url, {
    description: 'The same with its whole path. Overrides `OTEL_EXPORTER_OTLP_ENDPOINT`.',
    unset: 'no traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: optional(headers, {
    description: 'Headers for the collector: `api-key=…,tenant=…`. They are secret.',
    unset: 'none',
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: optional(headers, {
    description: 'The same for traces alone. Overrides `OTEL_EXPORTER_OTLP_HEADERS`.',
    unset: 'those of `OTEL_EXPORTER_OTLP_HEADERS`',
  }),
  OTEL_SERVICE_NAME: optional(z.string(), { description: 'Name in traces.', unset: '`finclaw`' }),
  OTEL_RESOURCE_ATTRIBUTES: optional(pairs, {
    description: 'More about this program, in every trace: `deployment.environment.name=production`.',
    unset: 'none',
  }),
  OTEL_TRACES_SAMPLER: optional(oneOf(SAMPLERS), {
    description: 'Which messages are traced.',
    unset: '`always_on`',
  }),
  OTEL_TRACES_SAMPLER_ARG: optional(share, {
    description: 'The share of the messages that a `traceidratio` sampler traces.',
    unset: '`1`',
  }),
  OTEL_TRACES_EXPORTER: optional(names, {
    description: '`none` turns traces off, and so does every list without `otlp`.',
    unset: '`otlp`',
  }),
  OTEL_SDK_DISABLED: optional(z.string(), { description: '`true` turns traces off.', unset: '`false`' }),
};

/**
 * The variables that this version reads: those of the channels, and its own. `.env.example` lists the same ones;
 * `npm run docs` writes their reference page.
 */
const createEnvironmentSchema = (channels: readonly ChannelDefinition[]) => {
  // Only the channels themselves know their variables.
  const ofChannels: {} = Object.assign({}, ...channels.map(({ variables }) => variables));
  return z.object({ ...ofChannels, ...OWN_VARIABLES });
};

/** One schema for a list of channels, because making it takes longer than using it. */
export const environmentSchema = oncePerKey(createEnvironmentSchema);

export type Environment = z.output<ReturnType<typeof environmentSchema>>;

const SECRET_NAME = /(?:_TOKEN|_KEY|_SECRET|PASSWORD|_HEADERS)$/;

/** Whether a variable holds a secret: by its name, or because its channel says so. */
export const isSecretVariable = (name: string, channels: readonly ChannelDefinition[]): boolean =>
  SECRET_NAME.test(name) || channels.some(({ secrets }) => secrets.includes(name));

/** All secret values in the environment, including those that this version does not read: none may be shown. */
export const secretValues = (
  env: NodeJS.ProcessEnv,
  channels: readonly ChannelDefinition[],
): readonly string[] => {
  const values = Object.entries(env)
    .filter(([name]) => isSecretVariable(name, channels))
    // A variable may hold several keys; one that contains a comma is also a secret as a whole.
    .flatMap(([name, value = '']) => {
      const parts = value.split(',').map((part) => part.trim());
      const ofHeaders = name.endsWith('_HEADERS')
        ? parts.map((part) => part.slice(part.indexOf('=') + 1)).flatMap((part) => [part, decoded(part)])
        : [];
      // Each also as it stands in an address.
      return [value, ...[...parts, ...ofHeaders].flatMap((secret) => [secret, encodeURIComponent(secret)])];
    });
  return [...new Set([...values, ...proxyPasswords(env)])].filter((value) => value !== '');
};
