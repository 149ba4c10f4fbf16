import { z } from 'zod';
import { QUEUE_MODES } from '#src/core/ports.ts';
import { nonEmpty, seconds } from './values.ts';

const ids = (what: string) => z.array(nonEmpty).default([]).describe(what);

/** A list that is not there lets everybody in; one that is empty, nobody. */
const allowed = (what: string) =>
  z.array(nonEmpty).exactOptional().describe(`${what} Left out: everybody. Empty: nobody.`);

/** `gates`: whom the bot listens to, where, and how much of it. */
export const gatesSchema = z
  .strictObject({
    maxMessageChars: z
      .number()
      .int()
      .min(100)
      .max(200_000)
      .default(20_000)
      .describe(
        'A longer message is not read; its sender is told. Commands have shorter limits of their own.',
      ),
    allowBots: ids('Bots that are answered, as `channel:id` or plain ids. All others are ignored.'),
    botLoop: z
      .strictObject({
        maxMessages: z
          .number()
          .int()
          .min(1)
          .max(1_000)
          .default(20)
          .describe('Of one bot, within the window.'),
        windowSeconds: seconds(60),
        silenceSeconds: seconds(60).describe('For so long a bot that wrote more is ignored.'),
      })
      .prefault({})
      .describe('Two bots that answer each other are stopped here.'),
    allow: z
      .strictObject({
        users: allowed('User ids, as `channel:id` or plain ids.'),
        roles: allowed(
          'Ids of platform roles, or `serverId:Name` on Discord; who has one of them needs no place in `users`.',
        ),
        guilds: allowed(
          'Discord servers and Slack teams, by id; a guest of another Slack team counts as one of theirs. Direct chats are meant for such guests only.',
        ),
        channels: allowed(
          'Platforms such as `discord`, or chats as `discord:id` or plain ids; direct chats are not meant.',
        ),
      })
      .prefault({})
      .describe('Who may use the bot, and where. The console user always may.'),
    direct: z
      .strictObject({
        policy: z
          .enum(['open', 'allowlist', 'pairing'])
          .default('open')
          .describe(
            '`open`: everybody; `allowlist`: `users` only; `pairing`: also those whose code an administrator confirmed with `/pair`.',
          ),
        users: ids('User ids, as `channel:id` or plain ids. Administrators need no place here.'),
      })
      .prefault({})
      .describe('Who may write to the bot directly.'),
    mention: z
      .strictObject({
        required: z
          .boolean()
          .default(true)
          .describe(
            'In groups and channels the bot answers only where it is mentioned, replied to, or takes part.',
          ),
        freeChats: ids('Chats in which it always answers, as `channel:id` or plain ids.'),
      })
      .prefault({})
      .describe('When a message of a group or channel is meant for the bot.'),
    rateLimitPerMinute: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .default(20)
      .describe('Messages of one person; 0 for no limit. FINCLAW_RATE_LIMIT goes before it.'),
  })
  .prefault({})
  .describe('What is refused before it is stored.');

const queueMode = z.enum(QUEUE_MODES);

/** `queue`: what becomes of messages that arrive while another one is answered. */
export const queueSchema = z
  .strictObject({
    maxPerSession: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .describe('Messages that may wait in one conversation.'),
    maxPerPerson: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Messages of one person that may wait in all conversations together.'),
    maxRunningPerPerson: z
      .number()
      .int()
      .min(1)
      .max(64)
      .default(4)
      .describe('Answers to one person that are made at once, in all conversations together.'),
    mode: queueMode
      .default('collect')
      .describe('Where nothing else is chosen. FINCLAW_QUEUE_MODE goes before it.'),
    channels: z
      .record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_-]*(?::\S+)?$/,
            'is neither a platform nor a chat; write a name such as discord, or discord:123 for one chat',
          ),
        queueMode,
      )
      .default({})
      .describe('Other modes for platforms (`discord`) or chats (`discord:123`).'),
  })
  .prefault({})
  .describe('What becomes of messages that arrive while another one is answered.');

/** Beside what platforms read as markup, nothing that a word or a number could begin with. */
const COMMAND_PREFIX = /^[^\p{L}\p{M}\p{N}\p{Z}\p{C}<>@#`*_~|\\]{1,3}$/u;

/** `pipeline`: the way of a message to its answer. */
export const pipelineSchema = z
  .strictObject({
    enableAck: z.boolean().default(true).describe('Reaction and typing indicator while an answer is made.'),
    commandPrefix: z
      .string()
      .regex(
        COMMAND_PREFIX,
        'must be one to three signs such as ! or //: no letters, digits, blanks, and none of < > @ # ` * _ ~ | \\',
      )
      .default('/')
      .describe('What a command begins with. `/` always works beside it.'),
    maxResponseLength: z
      .number()
      .int()
      .min(200)
      .default(100_000)
      .describe('Characters of a whole answer; what is beyond is cut, and the answer says so.'),
    timeoutSeconds: seconds(300).describe('For one message, from start to delivery.'),
    respectMarketHours: z
      .boolean()
      .default(false)
      .describe('Questions are answered only while one of `markets` is open. Commands always work.'),
    markets: z
      .array(nonEmpty)
      .min(1, 'must name at least one market, such as KRX; leave it out for every market')
      .exactOptional()
      .describe('Names such as `KRX` and `NYSE`. Left out: all that the bot has a calendar of.'),
    privacyNote: z
      .boolean()
      .default(true)
      .describe('The first answer to a person in a direct chat says what is stored.'),
  })
  .prefault({})
  .describe('The way of a message to its answer.');
