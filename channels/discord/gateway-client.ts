import {
  Client,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type IIdentifyThrottler,
  Options,
  Partials,
  SimpleShardingStrategy,
} from 'discord.js';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { makeRequest } from './api.ts';
import type { DiscordSettings } from './settings.ts';

/** What the library keeps to itself, and leaves behind when it is destroyed in the middle of something. */
interface OpenSockets {
  readonly shards: ReadonlyMap<number, { readonly connection: Socket | null }>;
}

interface Socket {
  readonly addEventListener: (type: 'error', listener: () => void) => void;
  readonly readyState: number;
  readonly terminate: () => void;
}

const HELLO_TIMEOUT_MS = 10_000;
/** A server of Discord's that is down must not hold up the others. */
const GUILD_WAIT_MS = 3_000;
const CLOSE_WAIT_MS = 1_000;
const CLOSING = 2;

interface PacketHandler {
  readonly handlePacket: (packet?: { readonly t: GatewayDispatchEvents }, shard?: unknown) => boolean;
}

/** These are read as they come: the library would only make objects of them, and stumble over odd ones. */
export const OWN_EVENTS = [
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageUpdate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.InteractionCreate,
] as const;

/** An event that the library cannot read would otherwise end the process, as a rejection that nobody handles. */
const guardPackets = (client: Client, logger: FinClawLogger): void => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- private, and the only place to hold on to
  const library = client.ws as unknown as PacketHandler;
  const handle = library.handlePacket.bind(client.ws);
  const own: ReadonlySet<GatewayDispatchEvents> = new Set(OWN_EVENTS);
  const guarded: PacketHandler = {
    handlePacket: (packet, shard) => {
      if (packet && own.has(packet.t)) return true;
      try {
        return handle(packet, shard);
      } catch (error) {
        logger.warn('An event from Discord could not be read', { event: packet?.t, error });
        return false;
      }
    },
  };
  Object.assign(client.ws, guarded);
};

/**
 * A socket that nobody answers on any more is noticed by its heartbeats, and closed; but the other side has to answer
 * that too, and the library waits 30 s for it. Such a socket is cut. The returned function ends the watch.
 */
const watchClosing = (open: () => readonly Socket[]): (() => void) => {
  let seen: readonly Socket[] = [];
  const timer = setInterval(() => {
    const closing = open().filter(({ readyState }) => readyState === CLOSING);
    for (const socket of closing) if (seen.includes(socket)) socket.terminate();
    seen = closing;
  }, CLOSE_WAIT_MS);
  timer.unref();
  return () => clearInterval(timer);
};

export interface GatewayClient {
  readonly client: Client;
  /** Ends it for good, whatever it is just doing: no socket and no attempt to reconnect is left. */
  readonly end: () => Promise<void>;
}

const intentsOf = (wantsContent: boolean): readonly GatewayIntentBits[] => [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  ...(wantsContent ? [GatewayIntentBits.MessageContent] : []),
];

/** Channels and roles are remembered, for they are needed with every message; people and messages are not. */
const makeCache = Options.cacheWithLimits({
  ...Options.DefaultMakeCacheSettings,
  MessageManager: 0,
  DMMessageManager: 0,
  GuildMessageManager: 0,
  UserManager: 0,
  GuildMemberManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  VoiceStateManager: 0,
  GuildEmojiManager: 0,
  GuildStickerManager: 0,
  GuildInviteManager: 0,
  GuildBanManager: 0,
  GuildScheduledEventManager: 0,
  StageInstanceManager: 0,
  AutoModerationRuleManager: 0,
  BaseGuildEmojiManager: 0,
  ApplicationEmojiManager: 0,
  EntitlementManager: 0,
  ThreadMemberManager: 0,
});

export const createGatewayClient = (
  { apiUrl }: DiscordSettings,
  wantsContent: boolean,
  throttler: IIdentifyThrottler,
  logger: FinClawLogger,
): GatewayClient => {
  let isEnded = false;
  let sockets: OpenSockets | undefined;
  const client = new Client({
    intents: intentsOf(wantsContent),
    partials: [Partials.Channel, Partials.Message],
    // Every body of ours says so itself; this is for what the library might one day send by itself.
    allowedMentions: { parse: [], repliedUser: false },
    makeCache,
    waitGuildTimeout: GUILD_WAIT_MS,
    rest: { ...(apiUrl === undefined ? {} : { api: apiUrl }), retries: 0, makeRequest },
    ws: {
      buildIdentifyThrottler: async () => throttler,
      buildStrategy: (manager) => {
        // A shard that rests between two attempts would connect once more after the end: it rests for ever.
        const retrieve = manager.options.retrieveSessionInfo.bind(manager.options);
        Object.assign(manager.options, {
          retrieveSessionInfo: (id: number) => (isEnded ? new Promise(() => undefined) : retrieve(id)),
          helloTimeout: HELLO_TIMEOUT_MS,
        });
        const strategy = new SimpleShardingStrategy(manager);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- private, and the only way to them
        sockets = strategy as unknown as OpenSockets;
        return strategy;
      },
    },
  });

  const open = (): readonly Socket[] =>
    [...(sockets?.shards.values() ?? [])].flatMap(({ connection }) => connection ?? []);
  guardPackets(client, logger);
  const endWatch = watchClosing(open);

  return {
    client,
    end: async () => {
      isEnded = true;
      endWatch();
      const left = open();
      const { promise: waited, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_WAIT_MS);
      await Promise.race([client.destroy().catch(() => undefined), waited]);
      clearTimeout(timer);
      for (const socket of left) {
        // Without it, a socket that was just connecting would take the whole process down with its error.
        socket.addEventListener('error', () => undefined);
        socket.terminate();
      }
    },
  };
};
