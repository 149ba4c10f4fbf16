import { ChannelType, Routes } from 'discord.js';
import type { ChannelHost } from '#src/kernel/channel.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type AccountId, asId, type ChatId, type MessageId } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { createMarkupReader } from '#src/kernel/platform-markup.ts';
import { Dedupe } from '#src/platform/dedupe.ts';
import { retry } from '#src/platform/retry.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import { discordMarkup } from './markup.ts';
import type { DiscordApi } from './api.ts';
import type { Identity } from './connection.ts';
import { type DiscordMessage, isEdit, isSaid, placeOf, toEdit, toInboundMessage } from './inbound.ts';
import type { Messages } from './posting.ts';
import type { ChannelFacts, Places, Standing } from './channel-info.ts';
import { sentence } from './render.ts';
import { DISCORD, type DiscordDeps } from './settings.ts';
import { isSnowflake, timeOf } from './snowflake.ts';

const markup = createMarkupReader([discordMarkup]);

export interface ReceiverDeps extends Omit<DiscordDeps, 'settings'> {
  readonly api: DiscordApi;
  readonly messages: Messages;
  readonly places: Places;
  readonly host: Pick<ChannelHost, 'receive' | 'revise' | 'progress'>;
  readonly self: () => Identity | undefined;
  /** Resolves when earlier messages of the channel have been taken. `directWith`: the person, for a direct chat. */
  readonly waitFor: (channelId: string, directWith?: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Everything returns at once and never throws; events of one channel are taken one after the other. */
export interface Receiver {
  readonly created: (message: DiscordMessage) => void;
  readonly updated: (message: Partial<DiscordMessage>) => void;
  readonly deleted: (gone: {
    readonly ids: readonly string[];
    readonly channelId: string;
    readonly guildId: string | undefined;
  }) => void;
  /** A message that was read over REST; resolves when it is stored. Never throws. */
  readonly missed: (message: DiscordMessage, channel: ChannelFacts) => Promise<void>;
  /** Resolves when all that came in has been taken. */
  readonly idle: () => Promise<void>;
}

const RETRY = { maxAttempts: 4, minDelayMs: 250, maxDelayMs: 2_000, jitter: false };
const LOOK_UP_MS = 5_000;
const JOINED_MEMORY_MS = 24 * 60 * 60_000;
const NOBODY: Standing = { roles: [], managesGuild: false };

const isWhole = ({ id, author, channel_id: channelId }: Partial<DiscordMessage>): boolean =>
  id !== undefined && author !== undefined && channelId !== undefined;

export const createReceiver = (deps: ReceiverDeps): Receiver => {
  const { api, messages, places, host, self, waitFor, clock, logger, signal } = deps;
  const byChannel = new SerialQueue();
  const joined = new Dedupe(clock, JOINED_MEMORY_MS, 1_000);

  const inOrder = async (
    channelId: string,
    work: (me: Identity) => Promise<void>,
    directWith?: string,
  ): Promise<void> => {
    const take = async (): Promise<void> => {
      await waitFor(channelId, directWith);
      const me = self();
      if (me) await work(me);
    };
    await byChannel
      .run(channelId, take)
      .catch((error: unknown) => logger.error('An event from Discord could not be taken', { error }));
  };

  /** Until the message is stored, the next start has to read from it on again. A message that a stop leaves behind keeps its hold. */
  const holdProgress = ({ id }: DiscordMessage): (() => void) => {
    const me = self();
    if (!me || !isSnowflake(id)) return () => undefined;
    const letGo = host.progress.hold(DISCORD, asId<AccountId>(me.applicationId), timeOf(id));
    return () => {
      if (!signal.aborted) letGo();
    };
  };

  const channelOf = async (channelId: string, guildId: string | undefined): Promise<ChannelFacts> => {
    const known = places.known(channelId);
    if (known) return known;
    const unknown = {
      id: channelId,
      guildId,
      type: guildId === undefined ? ChannelType.DM : ChannelType.GuildText,
    };
    try {
      return (await places.find(channelId, AbortSignal.timeout(LOOK_UP_MS))) ?? unknown;
    } catch (error) {
      logger.warn('Discord does not tell what kind of channel this is', { channelId, error });
      return unknown;
    }
  };

  const joinThread = (channelId: string): void => {
    if (joined.has(channelId)) return;
    joined.add(channelId);
    void api
      .request('PUT', Routes.threadMembers(channelId, '@me'), {}, signal)
      .catch((error: unknown) => logger.debug('A thread could not be joined', { error }));
  };

  const tellNotStored = async (channelId: string, message: InboundMessage): Promise<void> => {
    const locale = detectLocale(markup.stripMentions(message.body), message.locale, deps.locale);
    const body = sentence(channelMessages(locale).notStored());
    await messages
      .post(channelId, body, { replyTo: message.messageId }, AbortSignal.timeout(LOOK_UP_MS))
      .catch((error: unknown) => logger.warn('A person could not be told of a lost message', { error }));
  };

  const hand = async (message: InboundMessage, channelId: string): Promise<void> => {
    try {
      await retry(() => host.receive(message), { ...RETRY, clock }, signal);
      host.progress.saw(DISCORD, message.accountId, message.timestamp);
    } catch (error) {
      // Discord does not tell it again: while the bot stops, the next start will find it; otherwise the sender is told.
      if (signal.aborted) return;
      logger.error('A message could not be stored', { error });
      await tellNotStored(channelId, message);
    }
  };

  const take = async (message: DiscordMessage, channel: ChannelFacts, me: Identity): Promise<void> => {
    const { author, member, guild_id: guildId, channel_id: channelId } = message;
    // What the bot said itself, and what Discord notes by itself, is for nobody to answer.
    if (!isSaid(message) || author.id === me.botId) return;
    const inbound = toInboundMessage(message, {
      self: me,
      channel,
      standing: guildId === undefined ? NOBODY : places.standing(guildId, author.id, member?.roles ?? []),
      isOwnRole: (roleId) => guildId !== undefined && places.isOwnRole(guildId, roleId, me.botId),
      languages: places.languagesOf(author.id, guildId),
    });
    if (inbound.threadId && inbound.mentionsBot) joinThread(channelId);
    await hand(inbound, channelId);
  };

  return {
    created: (message) => {
      if (!isWhole(message)) return;
      const { author, channel_id: channelId, guild_id: guildId } = message;
      // Bots cannot be in groups: without a server it is the direct chat of the person who wrote.
      const directWith = guildId === undefined && author.bot !== true ? author.id : undefined;
      const letGo = holdProgress(message);
      const taken = inOrder(
        channelId,
        async (me) => {
          if (directWith !== undefined) places.learnDirect(channelId, directWith);
          await take(message, await channelOf(channelId, guildId), me);
        },
        directWith,
      );
      void taken.then(letGo);
    },
    updated: (message) => {
      if (!isEdit(message)) return;
      const { channel_id: channelId, guild_id: guildId, author } = message;
      void inOrder(channelId, async (me) => {
        const { chatId } = placeOf(await channelOf(channelId, guildId), guildId, author.id);
        const change = toEdit(message, chatId, me);
        await retry(() => host.revise(change), { ...RETRY, clock }, signal);
      });
    },
    deleted: ({ ids, channelId, guildId }) =>
      void inOrder(channelId, async (me) => {
        const channel = await channelOf(channelId, guildId);
        const chatId: ChatId = placeOf(channel, guildId, channel.recipientId ?? '').chatId;
        const accountId = asId<AccountId>(me.applicationId);
        for (const id of ids) {
          const messageId = asId<MessageId>(id);
          const change = { kind: 'deleted', channelId: DISCORD, accountId, chatId, messageId } as const;
          await retry(() => host.revise(change), { ...RETRY, clock }, signal);
        }
      }),
    missed: async (message, channel) => {
      const me = self();
      if (!me || !isWhole(message)) return;
      await take(message, channel, me).catch((error: unknown) =>
        logger.error('A missed message could not be taken', { error }),
      );
    },
    idle: () => byChannel.idle(),
  };
};
