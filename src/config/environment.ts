import { z } from 'zod';

/** A variable set to nothing counts as not set: `.env` files are full of them. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const port = z.coerce.number('must be a port number').int().min(1).max(65_535);

/** The variables that this version reads. README and `.env.example` say the same. */
export const environmentSchema = z.object({
  FINCLAW_DATA_DIR: optional(z.string()),
  FINCLAW_CONFIG: optional(z.string()),
  DATABASE_URL: optional(
    z.string().regex(/^postgres(ql)?:\/\/.+/, 'must look like postgres://user:password@host:5432/database'),
  ),
  FINCLAW_HTTP_PORT: optional(port),
  FINCLAW_LOCALE: optional(z.enum(['auto', 'ko', 'en'])),
  FINCLAW_LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error'])),
});

/** Part of the runtime contract, read from a later version on. Set today, they do nothing, and the bot says so. */
const LATER_VARIABLES: readonly string[] = [
  'DISCORD_BOT_TOKEN',
  'DISCORD_API_URL',
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_PORT',
  'SLACK_API_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'FINCLAW_MODEL',
  'FINCLAW_FALLBACKS',
  'FINCLAW_MARKET',
  'FINCLAW_YAHOO_URL',
  'FINCLAW_ROLE',
  'FINCLAW_QUEUE_MODE',
  'FINCLAW_RATE_LIMIT',
  'FINCLAW_DAILY_BUDGET_USD',
  'FINCLAW_SECRET_KEY',
];

export const unusedVariables = (env: NodeJS.ProcessEnv): readonly string[] =>
  LATER_VARIABLES.filter((name) => env[name] !== undefined && env[name] !== '');

/** Every value in the environment that must never be seen again, whether this version uses it or not. */
export const secretValues = (env: NodeJS.ProcessEnv): readonly string[] => {
  const values = Object.entries(env)
    .filter(([name]) => /(?:_TOKEN|_KEY|_SECRET|PASSWORD)$/.test(name))
    // Several keys may stand in one variable; one that contains a comma is a secret as a whole.
    .flatMap(([, value = '']) => [value, ...value.split(',').map((part) => part.trim())]);
  return [...new Set(values)].filter((value) => value !== '');
};
