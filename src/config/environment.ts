import { z } from 'zod';
import { QUEUE_MODES } from '#src/core/ports.ts';

/** A variable set to nothing counts as not set: `.env` files are full of them. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const port = z.coerce.number('must be a port number').int().min(1).max(65_535);

const names = z.string().transform((value) =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

/** One key, or several behind each other, separated by commas. */
const keys = names.refine((list) => list.length > 0, 'holds no key');

const url = z.url({ protocol: /^https?$/, error: 'must be an address such as https://api.example.com' });

/** Set to `none`, there are no fallbacks at all. */
const fallbacks = names
  .refine((list) => list.length > 0, 'names no model; use none for no fallbacks')
  .transform((list) => (list.length === 1 && list[0]?.toLowerCase() === 'none' ? [] : list));

const usd = z
  .string()
  .regex(
    /^(?:none|\d{1,9}(?:\.\d{1,6})?)$/i,
    'must be an amount of US dollars such as 5 or 2.50; none for no limit',
  );

const rateLimit = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number of messages a minute, such as 20; 0 for no limit')
  .transform(Number)
  .refine((limit) => limit <= 10_000, 'must be 10000 at most; 0 for no limit');

/** Tokens are copied by hand, out of pages that show other secrets too: the wrong one is told apart by its beginning. */
const token = (beginning: string, where: string) =>
  z
    .string()
    .trim()
    .startsWith(beginning, `must begin with ${beginning}: copy it from ${where}`)
    .regex(/^\S+$/, 'must not contain blanks');

const discordToken = z
  .string()
  .trim()
  .regex(/^(?!Bot )/i, 'must be the token alone, without the word Bot before it')
  .regex(/^\S+$/, 'must not contain blanks');

/** The variables that this version reads. README and `.env.example` say the same. */
export const environmentSchema = z.object({
  DISCORD_BOT_TOKEN: optional(discordToken),
  DISCORD_API_URL: optional(url),
  SLACK_BOT_TOKEN: optional(token('xoxb-', 'OAuth & Permissions, Bot User OAuth Token')),
  SLACK_APP_TOKEN: optional(token('xapp-', 'Basic Information, App-Level Tokens')),
  SLACK_API_URL: optional(url),
  FINCLAW_DATA_DIR: optional(z.string()),
  FINCLAW_CONFIG: optional(z.string()),
  DATABASE_URL: optional(
    z.string().regex(/^postgres(ql)?:\/\/.+/, 'must look like postgres://user:password@host:5432/database'),
  ),
  FINCLAW_HTTP_PORT: optional(port),
  FINCLAW_LOCALE: optional(z.enum(['auto', 'ko', 'en'])),
  ANTHROPIC_API_KEY: optional(keys),
  ANTHROPIC_BASE_URL: optional(url),
  OPENAI_API_KEY: optional(keys),
  OPENAI_BASE_URL: optional(url),
  FINCLAW_MODEL: optional(z.string().trim()),
  FINCLAW_FALLBACKS: optional(fallbacks),
  FINCLAW_MARKET: optional(z.enum(['auto', 'yahoo', 'sample'])),
  FINCLAW_YAHOO_URL: optional(url),
  FINCLAW_UPBIT_URL: optional(url),
  FINCLAW_USER_BUDGET_USD: optional(usd),
  FINCLAW_DAILY_BUDGET_USD: optional(usd),
  FINCLAW_QUEUE_MODE: optional(z.enum(QUEUE_MODES)),
  FINCLAW_RATE_LIMIT: optional(rateLimit),
  FINCLAW_SECRET_KEY: optional(keys),
  FINCLAW_LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error'])),
});

/** Part of the runtime contract, read from a later version on. Set today, they do nothing, and the bot says so. */
const LATER_VARIABLES: readonly string[] = ['SLACK_SIGNING_SECRET', 'SLACK_PORT', 'FINCLAW_ROLE'];

export const unusedVariables = (env: NodeJS.ProcessEnv): readonly string[] =>
  LATER_VARIABLES.filter((name) => env[name] !== undefined && env[name] !== '');

/** How variables are called whose value is a secret. */
export const SECRET_NAME = /(?:_TOKEN|_KEY|_SECRET|PASSWORD)$/;

/** Every value in the environment that must never be seen again, whether this version uses it or not. */
export const secretValues = (env: NodeJS.ProcessEnv): readonly string[] => {
  const values = Object.entries(env)
    .filter(([name]) => SECRET_NAME.test(name))
    // Several keys may stand in one variable; one that contains a comma is a secret as a whole.
    .flatMap(([, value = '']) => [value, ...value.split(',').map((part) => part.trim())]);
  return [...new Set(values)].filter((value) => value !== '');
};

export type Environment = z.output<typeof environmentSchema>;
