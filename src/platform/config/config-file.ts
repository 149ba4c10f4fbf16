import { z } from 'zod';
import { GROUNDING_MODES } from '#src/kernel/agent/agent-settings.ts';
import { DEFAULT_MAX_ENTRIES } from '#src/kernel/market/ledger.ts';
import { MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL } from '#src/kernel/agent/model.ts';
import { nonEmpty } from '#src/kernel/operations/setting-schemas.ts';
import { isTimeZone } from '#src/kernel/time.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import { agentsSchema, bindingsSchema, checkBindings } from './agents-config.ts';
import { budgetsSchema } from './budgets.ts';
import { feedbackSchema, gatesSchema, liveSchema, pipelineSchema, queueSchema } from './chat-config.ts';
import { lanesSchema } from './lanes-config.ts';
import { modelsSchema, providersSchema, temperature } from './models-config.ts';
import { oncePerKey } from './once-per-key.ts';
import { operatorSchema } from './operator-config.ts';
import { approvalsSchema, pluginsSchema, skillsSchema, toolsSchema } from './tools-config.ts';
import { integer, roleId, userId } from './values.ts';

/** `alerts`: how often alerts are evaluated, and how many a person or channel may have. */
const alertsSchema = z
  .strictObject({
    everySeconds: integer(1, 3_600)
      .default(60)
      .describe('How often alerts are checked, in seconds, while their market is open.'),
    maxPerPerson: integer(1, 1_000).default(100).describe('Alerts of one person.'),
    maxPerChannel: integer(1, 1_000)
      .default(50)
      .describe('Alerts that notify in one channel, over all people. Direct chats are not counted.'),
    maxRepeatingPerChannel: integer(1, 1_000)
      .default(10)
      .describe('Repeating alerts of one person in one channel.'),
    repeatMinutesInChannel: integer(1, 1_440)
      .default(15)
      .describe('Shortest interval between two notifications of a repeating alert in a channel, in minutes.'),
    maxBriefingsPerChannel: integer(1, 100)
      .default(5)
      .describe('Briefings that are posted in one channel, over all people.'),
  })
  .prefault({})
  .describe('Alerts and briefings.');

/** `portfolio`: the risk-free rate, and how much a person may record. */
const portfolioSchema = z
  .strictObject({
    riskFreePercent: z
      .number()
      .min(-5)
      .max(50)
      .default(0)
      .describe('Annual risk-free rate for the Sharpe and Sortino ratios, which show it.'),
    maxEntries: integer(100, 20_000)
      .default(DEFAULT_MAX_ENTRIES)
      .describe('Entries of one person over all portfolios. Undone entries count too.'),
  })
  .prefault({})
  .describe('Portfolios.');

const share = (min: number, max: number) => z.number().min(min).max(max);

/** `agent.compaction`: when and how the older parts of a conversation are compacted. */
const compactionSchema = z
  .strictObject({
    warnAt: share(0.1, 0.9)
      .default(0.7)
      .describe(
        'Fill level of the window, less the room reserved for the answer, from which the log says so at `info`.',
      ),
    compactAt: share(0.2, 0.95)
      .default(0.85)
      .describe('Fill level from which older parts are compacted. Must be above `warnAt` and `target`.'),
    target: share(0.1, 0.8).default(0.5).describe('Fill level after compaction.'),
    keepMessages: integer(1, 100)
      .default(6)
      .describe('Newest messages that stay unchanged, as far as they fit.'),
    strategy: z
      .enum(['hybrid', 'summarize', 'truncate-tools', 'truncate-oldest'])
      .default('hybrid')
      .describe(
        '`summarize`: a model writes a summary. `truncate-tools`: tool results are shortened first. `truncate-oldest`: the oldest turns are dropped, without a model call. `hybrid`: shortened results if that is enough, otherwise a summary.',
      ),
  })
  .superRefine(({ warnAt, compactAt, target }, ctx) => {
    for (const [name, value] of Object.entries({ warnAt, target }))
      if (value >= compactAt)
        ctx.addIssue({
          code: 'custom',
          path: [name],
          message: `must be below compactAt (${compactAt})`,
        });
  })
  .prefault({})
  .describe('When and how the older parts of a conversation are compacted.');

/** `grounding`: what follows a number in an answer that no tool gave. */
const groundingSchema = z
  .strictObject({
    mode: z
      .enum(GROUNDING_MODES)
      .default('repair')
      .describe(
        '`repair`: the model looks once again at what the check doubts; a number that still has no source is marked. `mark`: marked at once, without another model call. `off`: answers are not checked. `FINCLAW_GROUNDING` overrides it.',
      ),
  })
  .prefault({})
  .describe(
    'The check that every number in an answer has a source, and that what it claims to have done was done.',
  );

/** `voice`: recordings that people send instead of typing. */
const voiceSchema = z
  .strictObject({
    model: nonEmpty
      .optional()
      .describe(
        'The model that transcribes recordings, at OpenAI or at the server of `OPENAI_BASE_URL`. Without it: `gpt-4o-mini-transcribe`, and none where `providers.openai.api` is `chat`. Its use counts against the budgets if its price is known (`gpt-4o-mini-transcribe`, `gpt-4o-transcribe`).',
      ),
    maxMinutes: integer(1, 20)
      .default(10)
      .describe('Longest recording that is transcribed. The sender of a longer one is told.'),
  })
  .prefault({})
  .describe('Voice messages and other recordings. They need an OpenAI key: Claude does not transcribe.');

/** `backup`: copies of all data. */
const backupSchema = z
  .strictObject({
    directory: nonEmpty
      .optional()
      .describe(
        'Where backups are kept, relative to this file. Another disk is safer. Without it: `backups` in the data directory.',
      ),
    keep: integer(1, 1_000).default(7).describe('Number of backups that are kept; the oldest is removed.'),
    everyHours: integer(0, 8_760)
      .optional()
      .describe(
        'Hours between automatic backups; `0` for none. Without it: 24 with SQLite, none with PostgreSQL, which usually has backups of its own.',
      ),
    beforeUpgrade: z
      .boolean()
      .default(true)
      .describe(
        'Make a backup before a new version changes the database. The newest three of these are kept in addition.',
      ),
  })
  .prefault({})
  .describe('Backups of all data. `FINCLAW_BACKUP_KEY` encrypts them.');

const createConfigFileSchema = (channels: readonly ChannelDefinition[]) => {
  // Only the channel itself knows what is in its block.
  const blocks: {} = Object.fromEntries(
    channels.flatMap(({ id, block }) => (block ? [[id, block] as const] : [])),
  );
  return z
    .strictObject({
      $schema: z.string().optional().describe('Path of the JSON Schema, for editors. The bot ignores it.'),
      admins: z
        .strictObject({
          users: z.array(userId).default([]).describe('User ids: `discord:123`, or `123` on any platform.'),
          roles: z.array(roleId).default([]).describe('Role ids, or `serverId:Name` on Discord.'),
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
      feedback: feedbackSchema,
      welcome: z
        .boolean()
        .default(true)
        .describe(
          'Introduce the bot once: in a server or channel that it is added to, and to a person in their first direct chat.',
        ),
      ...blocks,
      agent: z
        .strictObject({
          maxTurns: integer(1, 50)
            .default(10)
            .describe(
              'Model calls per message. At the limit, one last call without tools writes the answer.',
            ),
          maxOutputTokens: integer(256, 128_000)
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
          maxParallelTools: integer(1, 32)
            .default(8)
            .describe('Tool calls of one answer that run at the same time.'),
          maxResultChars: integer(500, 100_000)
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
      grounding: groundingSchema,
      voice: voiceSchema,
      agents: agentsSchema,
      bindings: bindingsSchema,
      alerts: alertsSchema,
      portfolio: portfolioSchema,
      retentionDays: integer(1, 3_650)
        .default(90)
        .describe(
          'Days for which answered messages, answers, ratings of answers, conversations and usage records are kept. A conversation that stays in use is kept whole, with its compacted parts, until its newest entry is that old.',
        ),
      backup: backupSchema,
      providers: providersSchema,
      models: modelsSchema,
      budgets: budgetsSchema,
      tools: toolsSchema,
      approvals: approvalsSchema,
      plugins: pluginsSchema,
      skills: skillsSchema,
      operator: operatorSchema,
    })
    .superRefine(checkBindings);
};

/**
 * `finclaw.config.json`: every setting that is neither a secret nor depends on the machine. One schema for a list of
 * channels, because making it takes longer than using it.
 */
export const configFileSchema = oncePerKey(createConfigFileSchema);

export type ConfigFile = z.output<ReturnType<typeof configFileSchema>>;

/** The text of finclaw.config.schema.json, which editors use. */
export const configJsonSchema = (channels: readonly ChannelDefinition[]): string => {
  const schema = z.toJSONSchema(configFileSchema(channels), { io: 'input' });
  return `${JSON.stringify({ title: 'finclaw.config.json', ...schema }, null, 2)}\n`;
};
