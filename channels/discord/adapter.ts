import { type IIdentifyThrottler, Routes } from 'discord.js';
import type { ChannelHost, OtherProcesses, ReceivedShard } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { writeHints } from '#src/platform/text/command-hints.ts';
import { operationalMessage } from '#src/kernel/errors.ts';
import { type AccountId, asId, type ChatId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import { createApi, type DiscordApi, DiscordError, isRefusal } from './api.ts';
import { createApprovals } from './interact/approvals.ts';
import { type Identity, refusedToken } from './connect/connection.ts';
import { download } from './send/files.ts';
import { createGatewayInfo, createIdentifyPace } from './connect/gateway-info.ts';
import type { Shard } from './connect/gateway-client.ts';
import { discordHint } from './send/markup.ts';
import { createRecentMessages } from './receive/recent-messages.ts';
import { readHistory, readRoot } from './receive/history.ts';
import { createInteractionReplies } from './send/interaction-replies.ts';
import { inviteUrl } from './check.ts';
import { openLiveMessage, SILENT } from './send/live.ts';
import {
  type ApplicationFacts,
  createMembership,
  createDirectory,
  type DiscordDirectory,
} from './directory.ts';
import { createMessages } from './send/posting.ts';
import { channelOf, createFindSent, createOutbound, type DiscordOutboundDeps } from './send/outbound.ts';
import { MAX_CONTENT, toBody } from './send/render.ts';
import { DISCORD, type DiscordDeps, withPlainUrl } from './settings.ts';
import { type OpenShard, openShard, shardOf } from './shard.ts';
import { registerCommands } from './interact/slash.ts';

const SIGN_LIMIT_MS = 5_000;
const START_WAIT_MS = 5_000;
/** For the answer who owns the bot. */
const OWNERS_MS = 3_000;
const ASK_RETRY = { minDelayMs: 500, maxDelayMs: 30_000, maxAttempts: Infinity };

const reaction = (channelId: string, target: ReplyTarget, emoji: string) =>
  Routes.channelMessageOwnReaction(channelId, target.replyToMessageId ?? '', encodeURIComponent(emoji));

/** The state of the running bot. */
interface BotState {
  readonly shards: Map<number, OpenShard>;
  /** How many shards the bot has, in all processes. */
  shardCount: number;
  self: Identity | undefined;
  host: ChannelHost | undefined;
  isLeaving: boolean;
}

interface AdapterParts extends Pick<DiscordDeps, 'settings' | 'clock' | 'logger'> {
  readonly bot: BotState;
  readonly api: DiscordApi;
  readonly directory: DiscordDirectory;
  readonly outboundDeps: DiscordOutboundDeps;
  readonly replies: ReturnType<typeof createInteractionReplies>;
  readonly readInfo: ReturnType<typeof createGatewayInfo>;
  readonly stopping: AbortController;
}

/** Discord. Messages arrive over the gateway and leave over REST; each works without the other. */
export const createDiscordChannel = (deps: DiscordDeps): ChannelPlugin => {
  const { clock, logger, locale } = deps;
  const settings = withPlainUrl(deps.settings);
  const stopping = new AbortController();
  const api = createApi(settings, clock);
  const messages = createMessages(api, (code, error) => bot.host?.postRefused(DISCORD, code, error));
  const readInfo = createGatewayInfo(api, clock);
  const bot: BotState = {
    shards: new Map(),
    shardCount: 1,
    self: undefined,
    host: undefined,
    isLeaving: false,
  };
  const noRecent = createRecentMessages(clock);
  let problem: string | undefined;

  const shardFor = (guildId: string | undefined): OpenShard | undefined =>
    bot.shards.get(shardOf(guildId, bot.shardCount));
  const clients = {
    all: () => [...bot.shards.values()].flatMap((shard) => shard.client() ?? []),
    ofGuild: (guildId: string) => shardFor(guildId)?.client(),
  };
  const directory = createDirectory(api, clients);
  const outboundDeps: DiscordOutboundDeps = {
    clock,
    logger,
    locale,
    messages,
    directory,
    self: () => bot.self,
  };
  const replies = createInteractionReplies(api, clock, createFindSent(outboundDeps));
  const parts = { settings, bot, api, stopping, readInfo, replies, outboundDeps, directory, clock, logger };
  const facts = createApplicationFacts(parts);
  const registration = createRegistration(parts, facts);
  const { startAlone, startBesideOthers, disconnect } = createShards(parts, facts, registration);

  return {
    id: DISCORD,
    capabilities: {
      maxMessageLength: MAX_CONTENT,
      supportsMarkdown: true,
      supportsTables: false,
      supportsCards: true,
      supportsChoices: true,
      answersPressesAlone: true,
      keepsRootsApart: true,
      keepsChatsTogether: true,
      // In a server, two more buttons below every answer would be noise to all who read along.
      feedbackMode: 'direct',
    },
    start: async (given) => {
      bot.host = given;
      const started = given.others ? startBesideOthers(given, given.others) : startAlone(given);
      let isOver = false;
      started.catch((error: unknown) => {
        problem = operationalMessage(error);
        // After `start` has returned, only the log can report the error.
        if (isOver && !stopping.signal.aborted)
          logger.error('Discord: the bot could not be connected', { error });
      });
      await waitAtMost(started, settings.startWaitMs ?? START_WAIT_MS, clock);
      isOver = true;
    },
    stop: async () => {
      bot.isLeaving = true;
      await disconnect();
      stopping.abort(new Error('the bot is stopping'));
    },
    close: async () => {
      await disconnect();
      stopping.abort(new Error('the bot is stopping'));
      api.close();
    },
    // A process that does not receive still answers.
    ownsBot: async (userId) => {
      // Logged where it is first asked.
      await waitAtMost(
        facts.application().catch(() => undefined),
        OWNERS_MS,
        clock,
      );
      return directory.ownsBot(userId);
    },
    isConnected: () =>
      bot.shards.size > 0
        ? [...bot.shards.values()].every((shard) => shard.isConnected())
        : bot.host?.others !== undefined && bot.self !== undefined,
    problem: () => problem,
    send: createOutbound(outboundDeps, replies),
    readMedia: (media, maxBytes, signal) => download(media, settings, maxBytes, signal),
    readHistory: (query, signal) =>
      readHistory(query, { ...outboundDeps, recentIn: (id) => shardFor(id)?.recent ?? noRecent }, signal),
    readRoot: (target, signal) => readRoot(target, outboundDeps, signal),
    ...createSigns(api, directory, logger),
    openLive: (target, options) =>
      options.mode === 'stream'
        ? openLiveMessage(target, options, { ...outboundDeps, replies, isBusy: api.isBusy })
        : SILENT,
    warmUp: (answer) => void toBody(answer, 'auto'),
    phrase: (text, reader) => writeHints(text, bot.host?.commands() ?? [], registration.writeHint(), reader),
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

/** Who the bot is, as Discord tells it. */
const createApplicationFacts = ({ api, directory, stopping, clock, logger }: AdapterParts) => {
  /** Asks Discord until it answers. Rejects if Discord does not accept the token. */
  const ask = <T>(question: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    retry(
      () => question(AbortSignal.any([stopping.signal, AbortSignal.timeout(SIGN_LIMIT_MS)])),
      {
        ...ASK_RETRY,
        clock,
        shouldRetry: (error) => !(error instanceof DiscordError && error.httpStatus === 401),
        onRetry: (error) => logger.warn('Discord cannot be reached; retrying', { error }),
      },
      stopping.signal,
    ).catch((error: unknown) => {
      throw error instanceof DiscordError ? refusedToken(error) : error;
    });

  const askApplication = async (signal: AbortSignal): Promise<ApplicationFacts> => {
    const application = await api.request<ApplicationFacts>('GET', Routes.currentApplication(), {}, signal);
    directory.learnOwners(application);
    return application;
  };

  let known: Promise<ApplicationFacts> | undefined;

  /** Asked once. A failed request is repeated by the next caller. */
  const application = (): Promise<ApplicationFacts> => {
    known ??= ask(askApplication).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  return { ask, application };
};

type Application = ReturnType<typeof createApplicationFacts>;

/** The commands of the bot, as Discord knows them. */
const createRegistration = (
  { bot, api, settings, stopping, logger }: AdapterParts,
  { application }: Application,
) => {
  let isRegistered = false;
  let isGreeted = false;
  let writeHint = discordHint(new Map());

  /** Commands do not change while the program runs, so they are registered once; those of a newer version stay. */
  const register = async (commands: readonly CommandDefinition[]): Promise<void> => {
    if (isRegistered) return;
    isRegistered = true;
    try {
      const about = { api, application: await application(), guilds: settings.commandGuilds, logger };
      const work = async (mayWrite: boolean): Promise<void> => {
        const { isComplete, ids } = await registerCommands(commands, { ...about, mayWrite }, stopping.signal);
        isRegistered = isComplete;
        writeHint = discordHint(ids);
      };
      const others = bot.host?.others;
      await (others ? others.asNewest('commands of Discord', work, stopping.signal) : work(true));
    } catch (error) {
      isRegistered = false;
      if (!stopping.signal.aborted)
        logger.warn('Discord: could not register the commands; they still work as text', { error });
    }
  };

  const greet = (): void => {
    if (!bot.self || !bot.host) return;
    const { applicationId } = bot.self;
    if (!isGreeted)
      logger.info('Connected to Discord. Add the bot to a server with this link', {
        invite: inviteUrl(applicationId),
      });
    isGreeted = true;
    void register(bot.host.commands());
  };

  /** Who the bot is, for a process that may never have a connection. */
  const identify = async (): Promise<Identity> => {
    const { id, bot: user } = await application();
    bot.self ??= { applicationId: id, botId: user?.id ?? id };
    if (bot.host) void register(bot.host.commands());
    return bot.self;
  };

  return { greet, identify, writeHint: () => writeHint };
};

type Registration = ReturnType<typeof createRegistration>;

/** The shards that this process has. */
const createShards = (
  parts: AdapterParts,
  { ask, application }: Application,
  { identify, greet }: Registration,
) => {
  const { bot, api, settings, stopping, outboundDeps, replies, readInfo, clock, logger } = parts;
  const content = { isWanted: true };
  let receiving: Pick<Awaited<ReturnType<OtherProcesses['receiveInShards']>>, 'stop'> | undefined;

  const open = (
    given: ChannelHost,
    shard: Shard,
    pace: IIdentifyThrottler,
    received?: ReceivedShard,
  ): OpenShard => {
    const opened = openShard({
      ...outboundDeps,
      settings,
      shard,
      received,
      api,
      replies,
      pace,
      readInfo,
      content,
      isLeaving: () => bot.isLeaving,
      host: given,
      onSession: (identity) => {
        bot.self = identity;
      },
      onGuilds: greet,
    });
    bot.shards.set(shard.id, opened);
    return opened;
  };

  const paceFor = (takeTurn?: OtherProcesses['takeTurn']): IIdentifyThrottler =>
    createIdentifyPace({ readInfo, pauseMs: settings.identifyPauseMs, takeTurn, clock, logger });

  /** Without other processes, this one has all shards. */
  const startAlone = async (given: ChannelHost): Promise<void> => {
    const { shards: count } = await ask(readInfo);
    // Until it is known, the owner is a person like others. A failure is reported with the registration of the commands.
    application().catch(() => undefined);
    stopping.signal.throwIfAborted();
    bot.shardCount = count;
    const pace = paceFor();
    const opened = Array.from({ length: count }, (_, id) => open(given, { id, count }, pace));
    await Promise.all(opened.map(({ start }) => start()));
  };

  /** Discord sends an event to all connections of its shard, so each shard has one process. All processes answer. */
  const startBesideOthers = async (given: ChannelHost, others: OtherProcesses): Promise<void> => {
    const { applicationId } = await identify();
    if (others.onlySends) return;
    const { shards: recommended } = await ask(readInfo);
    stopping.signal.throwIfAborted();
    const pace = paceFor(others.takeTurn);
    const of = { channelId: DISCORD, accountId: asId<AccountId>(applicationId), shards: recommended };
    receiving = await others.receiveInShards(of, {
      begin: (received) => {
        bot.shardCount = received.shards;
        void open(given, { id: received.shard, count: received.shards }, pace, received).start();
      },
      end: async (shard) => {
        const ended = bot.shards.get(shard);
        await ended?.end();
        // Until then, what has arrived is read with the roles and channels that the shard knows.
        if (bot.shards.get(shard) === ended) bot.shards.delete(shard);
      },
    });
    if (stopping.signal.aborted) await receiving.stop();
  };

  const disconnect = async (): Promise<void> => {
    await receiving?.stop();
    await Promise.all([...bot.shards.values()].map(({ end }) => end()));
  };

  return { startAlone, startBesideOthers, disconnect };
};

/** Reactions and the typing indicator. */
const createSigns = (
  api: DiscordApi,
  directory: DiscordDirectory,
  logger: DiscordDeps['logger'],
): Pick<ChannelPlugin, 'addReaction' | 'removeReaction' | 'sendTyping'> => {
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
    addReaction: (target, emoji) =>
      sign(target, (id, signal) => api.request('PUT', reaction(id, target, emoji), {}, signal)),
    removeReaction: (target, emoji) =>
      sign(target, (id, signal) => api.request('DELETE', reaction(id, target, emoji), {}, signal)),
    // The next indicator follows in some seconds, and a late one would stay after the answer.
    sendTyping: async (target) => {
      if (api.isBusy()) return;
      await sign(target, (id, signal) => api.request('POST', Routes.channelTyping(id), {}, signal));
    },
  };
};
