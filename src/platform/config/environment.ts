import { existsSync } from 'node:fs';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { z } from 'zod';
import { GROUNDING_MODES } from '#src/kernel/agent-settings.ts';
import { ROLES } from '#src/kernel/operations.ts';
import { QUEUE_MODES } from '#src/kernel/ports.ts';
import {
  HTTPS_ONLY,
  optionalVariable as optional,
  port,
  webAddress as url,
} from '#src/kernel/setting-schemas.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
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

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/.+/, 'must look like postgres://user:password@host:5432/database')
  .meta({ title: 'URL' });

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
      'Starts the health server on 127.0.0.1, with `/healthz`, `/readyz` and `/metrics`. It answers only requests for `localhost` or an IP address.',
    unset: 'no health server',
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
      'Messages per minute per sender; `0` removes the limit. Overrides `gates.rateLimitPerMinute`.',
    unset: '`20`',
  }),
  FINCLAW_SECRET_KEY: optional(keys, {
    description:
      'Encrypts API keys that administrators add: 32 random bytes in base64 (`openssl rand -base64 32`). Guessable keys are refused. To rotate it, put the old key behind the new one after a comma.',
    unset: 'added keys are kept in memory only',
  }),
  FINCLAW_LOG_LEVEL: optional(oneOf(['debug', 'info', 'warn', 'error']), {
    description: 'Least severe level that is logged, on stderr.',
    unset: '`info` on Discord or Slack, `warn` in the terminal',
  }),
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

const SECRET_NAME = /(?:_TOKEN|_KEY|_SECRET|PASSWORD)$/;

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
    .flatMap(([, value = '']) => [value, ...value.split(',').map((part) => part.trim())]);
  return [...new Set(values)].filter((value) => value !== '');
};
