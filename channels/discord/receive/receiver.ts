import { ChannelType, Routes } from 'discord.js';
import { detectLocale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { type AccountId, asId, type ChatId, type MessageId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { createMarkupReader } from '#src/platform/text/platform-markup.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { Uses } from '#src/platform/services.ts';
import { discordMarkup } from '../send/markup.ts';
import type { DiscordApi } from '../api.ts';
import type { CatchUp } from './catch-up.ts';
import type { Identity } from '../connect/connection.ts';
import { isByProgram, isEdit, isSaid, placeOf, toEdit, toInboundMessage } from './inbound.ts';
import { type DiscordMessage, isWhole } from '../wire.ts';
import type { ChannelFacts, Standing } from '../directory.ts';
import type { DiscordOutboundDeps } from '../send/outbound.ts';
import { sentence } from '../send/render.ts';
import { DISCORD } from '../settings.ts';
import { isSnowflake, timeOf } from '../snowflake.ts';

const markup = createMarkupReader([discordMarkup]);

interface ReceiverDeps extends DiscordOutboundDeps, Uses<'host'> {
  readonly api: DiscordApi;
  readonly waitFor: CatchUp['waitFor'];
  readonly signal: AbortSignal;
}

const RETRY = { maxAttempts: 4, minDelayMs: 250, maxDelayMs: 2_000, jitter: false };
const LOOK_UP_MS = 5_000;
const JOINED_MEMORY_MS = 24 * 60 * 60_000;
const NOBODY: Standing = { roles: [], managesGuild: false };

interface Gone {
  readonly ids: readonly string[];
  readonly channelId: string;
  readonly guildId: string | undefined;
}

/** Stores messages of the gateway in the inbox. Calls resolve when it is done; each channel keeps its order. */
export const createReceiver = (deps: ReceiverDeps) => {
  const { api, directory, host, self, waitFor, clock, logger, signal } = deps;
  const byChannel = new SerialQueue();
  const joined = new Dedupe(clock, JOINED_MEMORY_MS, 1_000);

  const inOrder = async (
    channelId: string,
    work: (me: Identity) => Promise<void>,
    event: Parameters<CatchUp['waitFor']>[1] = {},
  ): Promise<void> => {
    // For what was missed before this event alone. In the queue, it might wait for a later gap, and what is read of that
    // would be stored first.
    const caughtUp = waitFor(channelId, event);
    const handle = async (): Promise<void> => {
      await caughtUp;
      const me = self();
      if (me) await work(me);
    };
    await byChannel.run(channelId, handle);
  };

  /** Until the message is stored, a restart reads again from it on. If a stop prevents that, the hold stays. */
  const holdProgress = ({ id }: DiscordMessage): (() => void) => {
    const me = self();
    if (!me || !isSnowflake(id)) return () => undefined;
    const letGo = host.progress.hold(DISCORD, asId<AccountId>(me.applicationId), timeOf(id));
    return () => {
      if (!signal.aborted) letGo();
    };
  };

  const channelOf = async (channelId: string, guildId: string | undefined): Promise<ChannelFacts> => {
    const known = directory.known(channelId);
    if (known) return known;
    try {
      return await directory.find(channelId, AbortSignal.timeout(LOOK_UP_MS));
    } catch (error) {
      logger.warn('Discord: could not look up a channel', { channelId, error });
      return { id: channelId, guildId, type: guildId === undefined ? ChannelType.DM : ChannelType.GuildText };
    }
  };

  const joinThread = (channelId: string): void => {
    if (joined.has(channelId)) return;
    joined.add(channelId);
    void api
      .request('PUT', Routes.threadMembers(channelId, '@me'), {}, signal)
      .catch((error: unknown) => logger.debug('Discord: could not join a thread', { error }));
  };

  const store = async (message: MsgContext, channelId: string): Promise<void> => {
    try {
      await retry(() => host.receive(message), { ...RETRY, clock }, signal);
      // After the end, another process counts, and what this one still held is forgotten.
      if (!signal.aborted) host.progress.saw(DISCORD, message.accountId, message.timestamp);
    } catch (error) {
      // Discord does not send a message again. After a stop the next start reads it; otherwise its author is told.
      if (signal.aborted) return;
      logger.error('Discord: could not store a message', { error });
      await tellNotStored(deps, channelId, message);
    }
  };

  const receive = async (message: DiscordMessage, channel: ChannelFacts, me: Identity): Promise<void> => {
    const { author, member, guild_id: guildId, channel_id: channelId } = message;
    // The bot answers neither itself nor Discord: its notes, and its accounts.
    if (!isSaid(message) || author.id === me.botId || author.system === true) return;
    const inbound = toInboundMessage(message, {
      self: me,
      channel,
      ownsBot: directory.ownsBot(author.id),
      standing: guildId === undefined ? NOBODY : directory.standing(guildId, author.id, member?.roles ?? []),
      isOwnRole: (roleId) => guildId !== undefined && directory.isOwnRole(guildId, roleId, me.botId),
      languages: directory.languagesOf(author.id, guildId),
    });
    if (inbound.threadId && inbound.mentionsBot) joinThread(channelId);
    await store(inbound, channelId);
  };

  return {
    created: async (message: DiscordMessage) => {
      if (!isWhole(message)) throw new Error('a message of an unknown form');
      const { author, channel_id: channelId, guild_id: guildId } = message;
      // Bots cannot join group chats, so a message without a server is from the author's direct chat.
      const directWith = guildId === undefined && !isByProgram(message) ? author.id : undefined;
      const letGo = holdProgress(message);
      try {
        await inOrder(
          channelId,
          async (me) => {
            if (directWith !== undefined) directory.learnDirect(channelId, directWith);
            await receive(message, await channelOf(channelId, guildId), me);
          },
          { directWith, ...(isSnowflake(message.id) ? { messageId: message.id } : {}) },
        );
      } finally {
        letGo();
      }
    },
    updated: async (message: Partial<DiscordMessage>) => {
      if (!isEdit(message)) return;
      const { channel_id: channelId, guild_id: guildId, author } = message;
      await inOrder(channelId, async (me) => {
        const { chatId } = placeOf(await channelOf(channelId, guildId), guildId, author.id);
        const change = toEdit(message, chatId, me);
        await retry(() => host.revise(change), { ...RETRY, clock }, signal);
      });
    },
    deleted: ({ ids, channelId, guildId }: Gone): Promise<void> =>
      inOrder(channelId, async (me) => {
        const channel = await channelOf(channelId, guildId);
        const chatId: ChatId = placeOf(channel, guildId, channel.recipientId ?? '').chatId;
        const accountId = asId<AccountId>(me.applicationId);
        for (const id of ids) {
          const messageId = asId<MessageId>(id);
          const change = { kind: 'deleted', channelId: DISCORD, accountId, chatId, messageId } as const;
          await retry(() => host.revise(change), { ...RETRY, clock }, signal);
        }
      }),
    /** Stores a message that was read over REST. Never rejects. */
    missed: async (message: DiscordMessage, channel: ChannelFacts) => {
      const me = self();
      if (!me || !isWhole(message)) return;
      await receive(message, channel, me).catch((error: unknown) =>
        host.eventFailed(DISCORD, 'missed message', error),
      );
    },
    /** Resolves when all messages that arrived are stored. */
    idle: (): Promise<void> => byChannel.idle(),
  };
};

const tellNotStored = async (
  { messages, locale: fixed, logger }: Pick<ReceiverDeps, 'messages' | 'locale' | 'logger'>,
  channelId: string,
  message: MsgContext,
): Promise<void> => {
  const locale = detectLocale(markup.stripMentions(message.body), message.locale, fixed);
  const body = sentence(channelTexts(locale).notStored());
  await messages
    .post(channelId, body, { replyTo: message.messageId }, AbortSignal.timeout(LOOK_UP_MS))
    .catch((error: unknown) => logger.warn('Discord: could not report a lost message', { error }));
};
