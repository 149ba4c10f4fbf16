import { z } from 'zod';
import { LIVE_MODES } from '#src/kernel/chat/live-answer.ts';
import { FEEDBACK_MODES } from '#src/kernel/chat/feedback.ts';
import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import { nonEmpty } from '#src/kernel/operations/setting-schemas.ts';
import { chatId, guildId, integer, platformOrChat, roleId, seconds, userId } from './values.ts';

const ids = (each: z.ZodString, what: string) => z.array(each).default([]).describe(what);

/** An absent list allows everybody, an empty list nobody. */
const allowed = (each: z.ZodString, what: string) =>
  z.array(each).exactOptional().describe(`${what} Without it: everybody. Empty list: nobody.`);

/** `gates`: who may use the bot, where, and how much. */
export const gatesSchema = z
  .strictObject({
    maxMessageChars: integer(100, 200_000)
      .default(20_000)
      .describe(
        'Longest accepted message, in characters. The sender of a longer one is told. Commands have shorter limits.',
      ),
    allowBots: ids(userId, 'Bots that are answered: `discord:123` or `123`. All other bots are ignored.'),
    botLoop: z
      .strictObject({
        maxMessages: integer(1, 1_000).default(20).describe('Messages of one bot within the window.'),
        windowSeconds: seconds(60).describe('Length of the window.'),
        silenceSeconds: seconds(60).describe('How long a bot that exceeded the limit is ignored.'),
      })
      .prefault({})
      .describe('Stops two bots that answer each other.'),
    allow: z
      .strictObject({
        users: allowed(userId, 'User ids: `discord:123` or `123`.'),
        roles: allowed(
          roleId,
          'Role ids, or `serverId:Name` on Discord. Members of a role need no entry in `users`.',
        ),
        guilds: allowed(
          guildId,
          'Ids of Discord servers and Slack teams. A guest of another Slack team counts as a member of that team. In direct chats, only such guests are checked.',
        ),
        channels: allowed(
          chatId,
          'Platforms (`discord`) or chats (`discord:123` or `123`). Direct chats are not checked.',
        ),
      })
      .prefault({})
      .describe('Access control: who may use the bot, and where. The user of the terminal always may.'),
    direct: z
      .strictObject({
        policy: z
          .enum(['open', 'allowlist', 'pairing'])
          .default('open')
          .describe(
            '`open`: everybody. `allowlist`: `users` only. `pairing`: `users`, and people whose code an administrator confirmed with `/pair`.',
          ),
        users: ids(userId, 'User ids: `discord:123` or `123`. Administrators need no entry.'),
      })
      .prefault({})
      .describe('Who may send the bot direct messages.'),
    mention: z
      .strictObject({
        required: z
          .boolean()
          .default(true)
          .describe(
            'In groups and channels, answer only when mentioned, replied to, or already part of the thread.',
          ),
        freeChats: ids(chatId, 'Chats where the bot answers every message: `discord:123` or `123`.'),
      })
      .prefault({})
      .describe('Which messages of a group or channel are meant for the bot.'),
    rateLimitPerMinute: integer(0, 10_000)
      .default(20)
      .describe(
        'Messages per minute per sender, and as many presses of buttons; 0 removes the limit. `FINCLAW_RATE_LIMIT` overrides it.',
      ),
  })
  .prefault({})
  .describe('Checks that a message passes before it is stored.');

const queueMode = z.enum(QUEUE_MODES);

/** `queue`: how messages that arrive during an answer are handled. */
export const queueSchema = z
  .strictObject({
    maxPerSession: integer(1, 1_000)
      .default(50)
      .describe('Messages that may wait in one conversation. Further ones are refused.'),
    maxPerPerson: integer(1, 10_000)
      .default(100)
      .describe('Messages of one person that may wait, over all conversations.'),
    maxRunningPerPerson: integer(1, 64)
      .default(4)
      .describe('Answers to one person that run at the same time, over all conversations.'),
    mode: queueMode.default('collect').describe('Default queue mode. `FINCLAW_QUEUE_MODE` overrides it.'),
    channels: z
      .record(platformOrChat, queueMode)
      .default({})
      .describe('Queue mode per platform (`discord`) or chat (`discord:123`).'),
  })
  .prefault({})
  .describe('Handling of messages that arrive during an answer.');

/** Excludes what platforms read as markup, and whatever a word or a number could begin with. */
const COMMAND_PREFIX = /^[^\p{L}\p{M}\p{N}\p{Z}\p{C}<>@#`*_~|\\]{1,3}$/u;

/** `pipeline`: how an accepted message is processed. */
export const pipelineSchema = z
  .strictObject({
    enableAck: z
      .boolean()
      .default(true)
      .describe('Show a reaction and a typing indicator while the bot works.'),
    commandPrefix: z
      .string()
      .regex(
        COMMAND_PREFIX,
        'must be one to three signs such as ! or //: no letters, digits, blanks, and none of < > @ # ` * _ ~ | \\',
      )
      .default('/')
      .describe('What a typed command begins with, such as `!`. `/` always works too.'),
    maxResponseLength: z
      .number()
      .int()
      .min(200)
      .default(100_000)
      .describe('Longest answer, in characters. A longer one is cut, and says so.'),
    timeoutSeconds: seconds(300).describe(
      'Time limit for one message, from its start to the delivery of the answer.',
    ),
    respectMarketHours: z
      .boolean()
      .default(false)
      .describe('Answer questions only while one of `markets` is open. Commands always work.'),
    markets: z
      .array(nonEmpty)
      .min(1, 'must name at least one market, such as KRX; leave it out for every market')
      .exactOptional()
      .describe('Markets such as `KRX` and `NYSE`. Without it: every market with a calendar.'),
    privacyNote: z.boolean().default(true).describe('The first answer in a direct chat says what is stored.'),
  })
  .prefault({})
  .describe('Processing of a message, from acceptance to the answer.');

/** `live`: what people see while the bot works on an answer. */
export const liveSchema = z
  .strictObject({
    mode: z
      .enum(LIVE_MODES)
      .optional()
      .describe(
        'Mode. `off`: only the reaction. `status`: what the bot is doing. `stream`: the answer while it is written. Without one: `stream` in direct chats, on Slack and in the terminal, `status` in the channels of Discord servers.',
      ),
    channels: z
      .record(platformOrChat, z.enum(LIVE_MODES))
      .default({})
      .describe('Mode per platform (`discord`) or chat (`discord:123`).'),
  })
  .prefault({})
  .describe('What people see while the bot works on an answer.');

/** `feedback`: where readers are asked what they think of an answer. */
export const feedbackSchema = z
  .strictObject({
    mode: z
      .enum(FEEDBACK_MODES)
      .optional()
      .describe(
        'Mode. `off`: nowhere. `direct`: in direct chats. `on`: in all chats. Without one: `on` on Slack, `direct` on Discord.',
      ),
    channels: z
      .record(platformOrChat, z.enum(FEEDBACK_MODES))
      .default({})
      .describe('Mode per platform (`discord`) or chat (`discord:123`).'),
  })
  .prefault({})
  .describe('The buttons 👍 and 👎 below answers of a model. The terminal has none.');
