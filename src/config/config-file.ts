import { z } from 'zod';
import { MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL } from '#src/core/model.ts';
import { isTimeZone } from '#src/core/time-zone.ts';
import { agentsSchema, bindingsSchema, checkBindings } from './agents-config.ts';
import { compactionSchema } from './compaction-config.ts';
import { budgetsSchema, modelsSchema, providersSchema, temperature } from './engine-settings.ts';
import { gatesSchema, pipelineSchema, queueSchema } from './gateway-config.ts';
import { lanesSchema } from './lanes-config.ts';
import { alertsSchema, portfolioSchema } from './personal-config.ts';
import { discordSchema, liveSchema } from './platforms-config.ts';
import { approvalsSchema, pluginsSchema, skillsSchema, toolsSchema } from './tools-config.ts';

/** `finclaw.config.json`: everything that is not a secret and not a matter of the machine. */
export const configFileSchema = z
  .strictObject({
    $schema: z.string().optional().describe('For editors; ignored.'),
    admins: z
      .strictObject({
        users: z.array(z.string()).default([]).describe('User ids, as `channel:id` or plain ids.'),
        roles: z
          .array(z.string())
          .default([])
          .describe('Ids of platform roles, or `serverId:Name` on Discord.'),
      })
      .prefault({})
      .describe('Who may use administrator commands. The console user always may.'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'is not a time zone; use a name such as Asia/Seoul')
      .optional()
      .describe('Zone of the times shown to people. Default: that of the machine.'),
    gates: gatesSchema,
    queue: queueSchema,
    lanes: lanesSchema,
    pipeline: pipelineSchema,
    live: liveSchema,
    discord: discordSchema,
    agent: z
      .strictObject({
        maxTurns: z
          .number()
          .int()
          .min(1)
          .max(50)
          .default(10)
          .describe('Model calls for one message; at the limit, one more gives the answer.'),
        maxOutputTokens: z
          .number()
          .int()
          .min(256)
          .max(128_000)
          .default(8_192)
          .describe('Of one answer, where the model allows as many.'),
        maxContextTokens: z
          .number()
          .int()
          .min(MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL)
          .max(2_000_000)
          .default(200_000)
          .describe(
            'The most tokens of a conversation, even where the model could read more, because every request pays for all of them. Older parts are shortened before that.',
          ),
        compaction: compactionSchema,
        temperature: temperature.optional(),
        maxParallelTools: z.number().int().min(1).max(32).default(8),
        maxResultChars: z
          .number()
          .int()
          .min(500)
          .max(100_000)
          .default(10_000)
          .describe('Characters of a tool result that the model reads.'),
        instructions: z
          .string()
          .max(4_000)
          .optional()
          .describe('Your own words to the model, behind the built-in ones, in every conversation.'),
      })
      .prefault({}),
    agents: agentsSchema,
    bindings: bindingsSchema,
    alerts: alertsSchema,
    portfolio: portfolioSchema,
    retentionDays: z
      .number()
      .int()
      .min(1)
      .max(3_650)
      .default(90)
      .describe('Days for which settled messages, answers, conversations and the use of models are kept.'),
    providers: providersSchema,
    models: modelsSchema,
    budgets: budgetsSchema,
    tools: toolsSchema,
    approvals: approvalsSchema,
    plugins: pluginsSchema,
    skills: skillsSchema,
  })
  .superRefine(checkBindings);

export type ConfigFile = z.output<typeof configFileSchema>;
