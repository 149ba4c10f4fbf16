import { Routes } from 'discord.js';
import type { ChannelHost, ChannelPlugin } from '#src/kernel/channel.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { writeHints } from '#src/kernel/command-hints.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { createApi, isRefusal } from './api.ts';
import { createApprovals } from './approvals.ts';
import { type CatchUp, createCatchUp } from './catch-up.ts';
import { createConnection, type Identity } from './connection.ts';
import { download } from './files.ts';
import { discordHint } from './markup.ts';
import { createHeard } from './heard.ts';
import { readHistory, readRoot } from './history.ts';
import { createInteractionReplies } from './interaction-replies.ts';
import { createInteractions } from './interactions.ts';
import { inviteUrl } from './check.ts';
import { openLiveMessage, SILENT } from './live.ts';
import { createMembership, createDirectory } from './directory.ts';
import { createMessages } from './posting.ts';
import { channelOf, createFindSent, createOutbound, type OutboundDeps } from './outbound.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { MAX_CONTENT, toBody } from './render.ts';
import { DISCORD, type DiscordDeps, withPlainUrl } from './settings.ts';
import { registerCommands } from './slash.ts';

const SIGN_LIMIT_MS = 5_000;
const STOP_WAIT_MS = 2_000;

const reaction = (channelId: string, target: ReplyTarget, emoji: string) =>
  Routes.channelMessageOwnReaction(channelId, target.replyToMessageId ?? '', encodeURIComponent(emoji));

/** Discord. Messages arrive over the gateway and leave over REST; each works without the other. */
export const createDiscordChannel = (deps: DiscordDeps): ChannelPlugin => {
  const { clock, logger, locale } = deps;
  const settings = withPlainUrl(deps.settings);
  const stopping = new AbortController();
  const api = createApi(settings);
  const messages = createMessages(api);
  const heard = createHeard(clock);
  let hearsContent = false;
  let self: Identity | undefined;
  let host: ChannelHost | undefined;
  let receiver: Receiver | undefined;
  let catchUp: CatchUp | undefined;
  let handleInteraction: ReturnType<typeof createInteractions> | undefined;
  let isRegistered = false;
  let isGreeted = false;
  let writeHint = discordHint(new Map());

  const connection = createConnection(
    { settings, clock, logger },
    {
      onSession: (identity, hasContent) => {
        self = identity;
        heard.eventsLost();
        // Without their text, messages are only known to Discord.
        hearsContent = hasContent;
        if (hearsContent) heard.messages.listen();
        catchUp?.begin();
      },
      onGuilds: () => {
        void catchUp?.run(stopping.signal);
        greet();
      },
      onLost: () => heard.messages.eventsDelayed(),
      onResumed: () => {
        if (hearsContent) heard.messages.listen();
      },
      onAccess: ({ guildId, channelId }) => heard.missed(guildId, channelId),
      onMessage: (message) => {
        heard.created(message);
        receiver?.created(message);
      },
      onEdit: (message) => {
        heard.updated(message);
        receiver?.updated(message);
      },
      onDelete: ({ ids, channel_id: channelId, guild_id: guildId }) => {
        heard.deleted({ ids, channelId, guildId });
        receiver?.deleted({ ids, channelId, guildId });
      },
      onInteraction: (interaction) => void handleInteraction?.(interaction),
    },
  );

  const directory = createDirectory(api, connection.client);
  const outboundDeps: OutboundDeps = { clock, logger, locale, messages, directory, self: () => self };
  const replies = createInteractionReplies(api, clock, createFindSent(outboundDeps));

  /** Commands do not change while the program runs, so they are registered once. */
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

  /** Shows typing or a reaction, if the bot may. For interactions Discord shows a sign by itself. */
  const sign = async (
    target: ReplyTarget,
    show: (channelId: string, signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> => {
    if (target.interaction) return;
    try {
      const signal = AbortSignal.timeout(SIGN_LIMIT_MS);
      await show(await channelOf(target, directory, signal), signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      logger.debug('Discord refused a reaction or typing indicator', { error });
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
      keepsRootsApart: true,
    },
    start: async (given) => {
      host = given;
      const common = { ...outboundDeps, api, host: given, signal: stopping.signal };
      const receiving = createReceiver({
        ...common,
        waitFor: async (channelId, event) => catchUp?.waitFor(channelId, event),
      });
      receiver = receiving;
      catchUp = createCatchUp({ ...common, receive: receiving.missed, stored: receiving.idle });
      handleInteraction = createInteractions({ ...common, replies });
      await connection.start();
    },
    stop: async () => {
      await connection.stop();
      // Messages that have arrived are still stored: Discord does not send them again.
      if (receiver) await waitAtMost(receiver.idle(), STOP_WAIT_MS, clock);
      stopping.abort(new Error('the bot is stopping'));
    },
    close: async () => {
      await connection.stop();
      stopping.abort(new Error('the bot is stopping'));
      api.close();
    },
    isConnected: connection.isConnected,
    send: createOutbound(outboundDeps, replies),
    readMedia: (media, maxBytes, signal) => download(media, settings, maxBytes, signal),
    readHistory: (query, signal) => readHistory(query, { ...outboundDeps, heard }, signal),
    readRoot: (target, signal) => readRoot(target, outboundDeps, signal),
    addReaction: (target, emoji) =>
      sign(target, (id, signal) => api.request('PUT', reaction(id, target, emoji), {}, signal)),
    removeReaction: (target, emoji) =>
      sign(target, (id, signal) => api.request('DELETE', reaction(id, target, emoji), {}, signal)),
    sendTyping: (target) =>
      sign(target, (id, signal) => api.request('POST', Routes.channelTyping(id), {}, signal)),
    openLive: (target, options) =>
      options.mode === 'stream' ? openLiveMessage(target, options, { ...outboundDeps, replies }) : SILENT,
    warmUp: (answer) => void toBody(answer, 'auto'),
    phrase: (text, reader) => writeHints(text, host?.commands() ?? [], writeHint, reader),
    membership: createMembership(api, directory),
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
