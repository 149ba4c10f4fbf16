import { z } from 'zod';
import { KEYED_PROVIDERS, MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL } from '#src/core/model.ts';
import { MODEL_PRICES } from '#src/core/model-prices.ts';

const provider = {
  apiKey: z.string().min(1).optional().describe('Better kept in the environment; this file is not a safe.'),
  awsSecretId: z.string().min(1).optional().describe('Name or ARN of a secret in AWS Secrets Manager.'),
  maxConcurrency: z.number().int().min(1).max(1_000).default(64).describe('Requests at once.'),
  idleTimeoutSeconds: z
    .number()
    .positive()
    .max(600)
    .default(30)
    .describe('A connection that brings nothing for so long is given up.'),
};

/** `providers`: who serves the models, and with which keys. */
export const providersSchema = z
  .strictObject({
    anthropic: z.strictObject(provider).prefault({}),
    openai: z
      .strictObject({
        ...provider,
        api: z
          .enum(['responses', 'chat'])
          .default('responses')
          .describe('`chat` for compatible servers such as Ollama, behind OPENAI_BASE_URL.'),
      })
      .prefault({}),
    aws: z
      .strictObject({
        region: z.string().min(1),
        endpoint: z.url().optional().describe('Of a compatible service; default: that of AWS.'),
      })
      .optional(),
    allowDefaultKeys: z.boolean().default(false).describe('For development only.'),
    defaultKeys: z
      .strictObject({ anthropic: z.string().min(1).optional(), openai: z.string().min(1).optional() })
      .prefault({})
      .describe('Used last, and only where they are allowed.'),
  })
  .prefault({});

/** Used by `agent` and by each of `agents`. */
export const temperature = z
  .number()
  .min(0)
  .max(2)
  .describe(
    'How freely the model chooses its words: 0 to 2, for models of Anthropic to 1. Sent only to models that take one. Left out: never sent.',
  );

const modelDefinition = z.strictObject({
  provider: z.enum(KEYED_PROVIDERS),
  displayName: z.string().min(1).optional(),
  contextWindow: z.number().int().min(MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL),
  maxOutputTokens: z.number().int().min(256),
  aliases: z.array(z.string().min(1)).default([]),
  pricing: MODEL_PRICES.extend({ asOf: z.iso.date().optional() })
    .optional()
    .describe('US dollars; without it the cost is unknown and counts against no budget.'),
  vision: z.boolean().default(false),
  functionCalling: z.boolean().default(true),
  streaming: z.boolean().default(true),
  extendedThinking: z.boolean().default(false),
  temperature: z
    .boolean()
    .optional()
    .describe(
      'Whether it takes a temperature. Default: yes for `openai` without extended thinking, as compatible servers do; otherwise no.',
    ),
  numericalReasoningTier: z.enum(['low', 'medium', 'high']).default('low'),
});

export type ModelDefinition = z.output<typeof modelDefinition>;

/** What may lead to another try; `context-overflow` is left out unless asked for. */
const fallbackReasons = z.enum([
  'rate-limit',
  'server-error',
  'timeout',
  'model-unavailable',
  'auth',
  'billing',
  'refusal',
  'empty-answer',
  'context-overflow',
]);

/** `models`: which models there are, what they are called, and which of them answers. */
export const modelsSchema = z
  .strictObject({
    definitions: z
      .record(z.string().min(1), modelDefinition)
      .default({})
      .describe('Further models, by id; one that is built in is replaced.'),
    aliases: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('Name to id or built-in name.'),
    defaultModel: z.string().min(1).optional().describe('FINCLAW_MODEL goes before it.'),
    fallbacks: z.array(z.string().min(1)).optional().describe('FINCLAW_FALLBACKS goes before it.'),
    choices: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Models that people may choose with /model, by id or name. Without it: those that cost no more than the configured one. Administrators may choose any.',
      ),
    fallbackOn: z.array(fallbackReasons).optional(),
    maxRetriesPerKey: z.number().int().min(0).max(5).default(1),
  })
  .prefault({});

const usdOrNone = z.union([z.number().min(0), z.literal('none')]).optional();

/** `budgets`: US dollars a day. */
export const budgetsSchema = z
  .strictObject({
    perDayUsd: usdOrNone.describe(
      'For everybody together; `none` for no limit. Default: 20 where Discord or Slack is on. FINCLAW_DAILY_BUDGET_USD goes before it.',
    ),
    perUserUsd: usdOrNone.describe(
      'For each person; `none` for no limit. Default: 2 where Discord or Slack is on. FINCLAW_USER_BUDGET_USD goes before it.',
    ),
  })
  .prefault({});
