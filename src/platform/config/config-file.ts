import { z } from 'zod';
import { MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL } from '#src/kernel/model.ts';
import { isTimeZone } from '#src/kernel/time-zone.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import { agentsSchema, bindingsSchema, checkBindings } from './agents-config.ts';
import { compactionSchema } from './compaction-config.ts';
import { budgetsSchema, modelsSchema, providersSchema, temperature } from './engine-settings.ts';
import { gatesSchema, pipelineSchema, queueSchema } from './gateway-config.ts';
import { lanesSchema } from './lanes-config.ts';
import { alertsSchema, portfolioSchema } from './account-config.ts';
import { liveSchema } from './platforms-config.ts';
import { approvalsSchema, pluginsSchema, skillsSchema, toolsSchema } from './tools-config.ts';

/** `finclaw.config.json`: everything that is not a secret and not a matter of the machine. */
export const configFileSchema = (channels: readonly ChannelDefinition[]) => {
  // Each channel reads its own block; nobody else knows what is in it.
  const blocks: {} = Object.fromEntries(
    channels.flatMap(({ id, block }) => (block ? [[id, block] as const] : [])),
  );
  return z
    .strictObject({
      $schema: z.string().optional().describe('Path of the JSON Schema, for editors. The bot ignores it.'),
      admins: z
        .strictObject({
          users: z
            .array(z.string())
            .default([])
            .describe('User ids: `discord:123`, or `123` on any platform.'),
          roles: z.array(z.string()).default([]).describe('Role ids, or `serverId:Name` on Discord.'),
        })
        .prefault({})
        .describe('Administrators of the bot. The user of the terminal always is one.'),
      timeZone: z
        .string()
        .refine(isTimeZone, 'is not a time zone; use a name such as Asia/Seoul')
        .optional()
        .describe(
          'Time zone for people whose own zone is not known, such as `Asia/Seoul`. Without it: the zone of the machine.',
        ),
      gates: gatesSchema,
      queue: queueSchema,
      lanes: lanesSchema,
      pipeline: pipelineSchema,
      live: liveSchema,
      ...blocks,
      agent: z
        .strictObject({
          maxTurns: z
            .number()
            .int()
            .min(1)
            .max(50)
            .default(10)
            .describe(
              'Model calls per message. At the limit, one last call without tools writes the answer.',
            ),
          maxOutputTokens: z
            .number()
            .int()
            .min(256)
            .max(128_000)
            .default(8_192)
            .describe('Longest answer of one model call, where the model allows that many.'),
          maxContextTokens: z
            .number()
            .int()
            .min(MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL)
            .max(2_000_000)
            .default(200_000)
            .describe(
              'Largest conversation sent to a model, even if its window is larger: every request pays for all of it. Older parts are compacted before that.',
            ),
          compaction: compactionSchema,
          temperature: temperature.optional(),
          maxParallelTools: z
            .number()
            .int()
            .min(1)
            .max(32)
            .default(8)
            .describe('Tool calls of one answer that run at the same time.'),
          maxResultChars: z
            .number()
            .int()
            .min(500)
            .max(100_000)
            .default(10_000)
            .describe('Longest tool result that the model reads, in characters.'),
          instructions: z
            .string()
            .max(4_000)
            .optional()
            .describe('Your instructions to the model, after the built-in ones, in every conversation.'),
        })
        .prefault({})
        .describe('How answers are made, for every agent.'),
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
        .describe('Days for which answered messages, answers, conversations and usage records are kept.'),
      providers: providersSchema,
      models: modelsSchema,
      budgets: budgetsSchema,
      tools: toolsSchema,
      approvals: approvalsSchema,
      plugins: pluginsSchema,
      skills: skillsSchema,
    })
    .superRefine(checkBindings);
};

export type ConfigFile = z.output<ReturnType<typeof configFileSchema>>;
