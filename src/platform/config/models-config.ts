import { z } from 'zod';
import {
  FALLBACK_REASONS,
  KEYED_PROVIDERS,
  MIN_WINDOW_TOKENS,
  MODEL_PRICES,
  WINDOW_TOO_SMALL,
} from '#src/kernel/agent/model.ts';
import { integer } from './values.ts';

const provider = {
  apiKey: z.string().min(1).optional().describe('API key. The environment or `/keys add` is a safer place.'),
  awsSecretId: z
    .string()
    .min(1)
    .optional()
    .describe('Name or ARN of a secret in AWS Secrets Manager that holds the key.'),
  maxConcurrency: integer(1, 1_000).default(64).describe('Requests that run at the same time.'),
  idleTimeoutSeconds: z
    .number()
    .positive()
    .max(600)
    .default(30)
    .describe('A connection that sends nothing for this long is closed.'),
};

/** `providers`: the services that run the models, and their keys. */
export const providersSchema = z
  .strictObject({
    anthropic: z.strictObject(provider).prefault({}).describe('Anthropic.'),
    openai: z
      .strictObject({
        ...provider,
        api: z
          .enum(['responses', 'chat'])
          .default('responses')
          .describe(
            'API of the server. `chat` is for compatible servers such as Ollama at `OPENAI_BASE_URL`.',
          ),
      })
      .prefault({})
      .describe('OpenAI and compatible servers.'),
    aws: z
      .strictObject({
        region: z.string().min(1).describe('AWS region.'),
        endpoint: z.url().optional().describe('Endpoint of a compatible service. Without it: AWS.'),
      })
      .optional()
      .describe(
        'AWS Secrets Manager, for `awsSecretId`. Needs `npm install @aws-sdk/client-secrets-manager`.',
      ),
    allowDefaultKeys: z.boolean().default(false).describe('Allow `defaultKeys`. For development only.'),
    defaultKeys: z
      .strictObject({
        anthropic: z.string().min(1).optional().describe('API key.'),
        openai: z.string().min(1).optional().describe('API key.'),
      })
      .prefault({})
      .describe('Keys of last resort, for development.'),
  })
  .prefault({})
  .describe('Model providers and their keys.');

/** A setting of `agent` and of each of `agents`. */
export const temperature = z
  .number()
  .min(0)
  .max(2)
  .describe(
    'Sampling temperature; at most 1 for Anthropic models. Sent only to models that accept one. Without it: not sent.',
  );

const modelDefinition = z.strictObject({
  provider: z.enum(KEYED_PROVIDERS).describe('Provider that serves the model.'),
  displayName: z.string().min(1).optional().describe('Name shown to people. Without it: the id.'),
  contextWindow: z
    .number()
    .int()
    .min(MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL)
    .describe('Tokens that the server really reads.'),
  maxOutputTokens: z.number().int().min(256).describe('Longest answer in tokens.'),
  aliases: z.array(z.string().min(1)).default([]).describe('Other names of the model.'),
  pricing: MODEL_PRICES.extend({ asOf: z.iso.date().optional().describe('Date of the prices.') })
    .optional()
    .describe('Prices in US dollars. Without them the cost is unknown and counts against no budget.'),
  vision: z.boolean().default(false).describe('The model reads pictures.'),
  functionCalling: z.boolean().default(true).describe('The model calls tools.'),
  streaming: z.boolean().default(true).describe('The server streams answers.'),
  extendedThinking: z.boolean().default(false).describe('The model reasons before it answers.'),
  temperature: z
    .boolean()
    .optional()
    .describe(
      'The model accepts a temperature. Without it: yes for `openai` without extended thinking, otherwise no.',
    ),
  numericalReasoningTier: z
    .enum(['low', 'medium', 'high'])
    .default('low')
    .describe('How reliable the model is with numbers; decides the order of fallbacks.'),
});

export type ModelDefinition = z.output<typeof modelDefinition>;

/** `models`: additional models, their names, and which of them answers. */
export const modelsSchema = z
  .strictObject({
    definitions: z
      .record(z.string().min(1), modelDefinition)
      .default({})
      .describe('Additional models by id. A built-in model with the same id is replaced.'),
    aliases: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('Aliases: a name, and the id or built-in name that it stands for.'),
    defaultModel: z
      .string()
      .min(1)
      .optional()
      .describe('Model that answers, by id or alias. `FINCLAW_MODEL` overrides it.'),
    fallbacks: z
      .array(z.string().min(1))
      .optional()
      .describe('Models to try when the chosen one fails, in this order. `FINCLAW_FALLBACKS` overrides it.'),
    choices: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Models that people may choose with `/model`. Without it: those that cost no more than the configured one. Administrators may choose any model.',
      ),
    fallbackOn: z
      .array(z.enum(FALLBACK_REASONS))
      .optional()
      .describe(
        'Failures after which the next key or model is tried. Without it: all but `context-overflow`.',
      ),
    maxRetriesPerKey: integer(0, 5)
      .default(1)
      .describe('Retries with the same key before the next key or model is tried.'),
  })
  .prefault({})
  .describe('Models, their names, and which of them answers.');
