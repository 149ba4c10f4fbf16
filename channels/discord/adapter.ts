import { Routes } from 'discord.js';
import type { ChannelHost, ChannelPlugin } from '#src/kernel/channel.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { writeHints } from '#src/kernel/command-hints.ts';
import { type AccountId, asId, type ChatId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { createApi, isRefusal } from './api.ts';
import { createApprovals } from './approvals.ts';
import { type CatchUp, createCatchUp } from './catch-up.ts';
import { createConnection, type Identity } from './connection.ts';
import { download } from './files.ts';
import { discordHint } from './markup.ts';
import { readHistory, readRoot } from './history.ts';
import { createInteractionAnswers } from './interaction-answers.ts';
import { createInteractions } from './interactions.ts';
import { inviteUrl } from './check.ts';
import { openLiveMessage, SILENT } from './live.ts';
import { createMembership, createPlaces } from './channel-info.ts';
import { createMessages, createReplies } from './posting.ts';
import { channelOf, createFindSent, createOutbound, type OutboundDeps } from './outbound.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { MAX_CONTENT } from './render.ts';
import { DISCORD, type DiscordDeps, withPlainUrl } from './settings.ts';
import { registerCommands } from './slash.ts';

const SIGN_LIMIT_MS = 5_000;
const STOP_WAIT_MS = 2_000;

const reaction = (channelId: string, target: ReplyTarget, emoji: string) =>
  Routes.channelMessageOwnReaction(channelId, target.replyToMessageId ?? '', encodeURIComponent(emoji));

/** Discord: the gateway for what people say, REST for what the bot says; each works without the other. */
export const createDiscordChannel = (deps: DiscordDeps): ChannelPlugin => {
  const { clock, logger, locale } = deps;
  const settings = withPlainUrl(deps.settings);
  const stopping = new AbortController();
  const api = createApi(settings);
  const messages = createMessages(api);
  const replies = createReplies(api);
  let self: Identity | undefined;
  let host: ChannelHost | undefined;
  let receiver: Receiver | undefined;
  let catchUp: CatchUp | undefined;
  let takeInteraction: ReturnType<typeof createInteractions> | undefined;
  let isRegistered = false;
  let isGreeted = false;
  let writeHint = discordHint(new Map());

  const connection = createConnection(
    { settings, clock, logger },
    {
      onSession: (identity) => {
        self = identity;
        catchUp?.begin();
      },
      onGuilds: () => {
        void catchUp?.run(stopping.signal);
        greet();
      },
      onMessage: (message) => receiver?.created(message),
      onEdit: (message) => receiver?.updated(message),
      onDelete: ({ ids, channel_id: channelId, guild_id: guildId }) =>
        receiver?.deleted({ ids, channelId, guildId }),
      onInteraction: (interaction) => void takeInteraction?.(interaction),
    },
  );

  const places = createPlaces(api, connection.client);
  const botId = (): string | undefined => self?.botId;
  const outboundDeps: OutboundDeps = { clock, logger, locale, messages, places, botId };
  const answers = createInteractionAnswers(replies, clock, createFindSent(outboundDeps));

  /** The commands do not change while the program runs: once they are known, they are. */
  const register = async (commands: readonly CommandDefinition[], applicationId: string): Promise<void> => {
    if (isRegistered) return;
    isRegistered = true;
    const about = { api, applicationId, guilds: settings.commandGuilds, logger };
    const { isComplete, ids } = await registerCommands(commands, about, stopping.signal);
    isRegistered = isComplete;
    writeHint = discordHint(ids);
  };

  const greet = (): void => {
    if (!self || !host) return;
    const { applicationId } = self;
    if (!isGreeted)
      logger.info('Connected to Discord. Add the bot to a server with this link', {
        invite: inviteUrl(applicationId),
      });
    isGreeted = true;
    void register(host.commands(), applicationId);
  };

  /** A sign that may not be shown is none; on an interaction Discord shows one by itself. */
  const sign = async (
    target: ReplyTarget,
    show: (channelId: string, signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> => {
    if (target.interaction) return;
    try {
      const signal = AbortSignal.timeout(SIGN_LIMIT_MS);
      await show(await channelOf(target, places, signal), signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      logger.debug('Discord does not allow a sign', { error });
    }
  };

  return {
    id: DISCORD,
    capabilities: {
      maxMessageLength: MAX_CONTENT,
      supportsMarkdown: true,
      supportsTables: false,
      supportsCards: true,
      supportsChoices: true,
    },
    start: async (given) => {
      host = given;
      const common = { clock, logger, locale, api, messages, places, signal: stopping.signal };
      const receiving = createReceiver({
        ...common,
        host: given,
        self: () => self,
        waitFor: async (channelId, directWith) => catchUp?.waitFor(channelId, directWith),
      });
      receiver = receiving;
      catchUp = createCatchUp({
        ...common,
        progress: given.progress,
        accountId: () => (self ? asId<AccountId>(self.applicationId) : undefined),
        take: receiving.missed,
      });
      takeInteraction = createInteractions({ ...common, replies, answers, host: given });
      await connection.start();
    },
    stop: async () => {
      await connection.stop();
      // What has come in is still taken: Discord would not tell it again.
      if (receiver) await waitAtMost(receiver.idle(), STOP_WAIT_MS, clock);
      stopping.abort(new Error('the bot is stopping'));
    },
    close: async () => {
      await connection.stop();
      stopping.abort(new Error('the bot is stopping'));
      api.close();
    },
    isConnected: connection.isConnected,
    send: createOutbound(outboundDeps, answers),
    readMedia: (media, maxBytes, signal) => download(media, settings, maxBytes, signal),
    readHistory: (query, signal) => readHistory(query, outboundDeps, signal),
    readRoot: (target, signal) => readRoot(target, outboundDeps, signal),
    addReaction: (target, emoji) =>
      sign(target, (id, signal) => api.request('PUT', reaction(id, target, emoji), {}, signal)),
    removeReaction: (target, emoji) =>
      sign(target, (id, signal) => api.request('DELETE', reaction(id, target, emoji), {}, signal)),
    sendTyping: (target) =>
      sign(target, (id, signal) => api.request('POST', Routes.channelTyping(id), {}, signal)),
    openLive: (target, options) =>
      options.mode === 'stream'
        ? openLiveMessage(target, options, { ...outboundDeps, answers, replies })
        : SILENT,
    phrase: (text, reader) => writeHints(text, host?.commands() ?? [], writeHint, reader),
    membership: createMembership(api, places),
    ...createApprovals(outboundDeps),
    directTarget: async ({ channelId, accountId, recipientId }) => ({
      channelId,
      accountId,
      chatId: asId<ChatId>(recipientId),
      recipientId,
      isDirect: true,
    }),
  };
};
