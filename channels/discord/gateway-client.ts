import {
  Client,
  type ClientOptions,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  type IIdentifyThrottler,
  Options,
  Partials,
  SimpleShardingStrategy,
} from 'discord.js';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { makeRequest } from './api.ts';
import type { DiscordSettings } from './settings.ts';

/**
 * Private to the library, and the only way to its sockets, which it leaves behind when it is destroyed in the middle of
 * something. `test/channels/discord/library.test.ts` names what an update moved.
 */
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

/** Events that we read in raw form. The library would only build objects from them, and throw on malformed ones. */
const OWN_EVENTS = [
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageUpdate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.InteractionCreate,
] as const;
const OWN: ReadonlySet<GatewayDispatchEvents> = new Set(OWN_EVENTS);

export type OwnEvent = Extract<GatewayDispatchPayload, { t: (typeof OWN_EVENTS)[number] }>;

const isOwn = (event: GatewayDispatchPayload): event is OwnEvent => OWN.has(event.t);

/** The library handles these at once. It queues all others until it is ready, and then handles them where nobody catches an error. */
const READ_AT_ONCE: ReadonlySet<GatewayDispatchEvents> = new Set([
  GatewayDispatchEvents.Ready,
  GatewayDispatchEvents.Resumed,
  GatewayDispatchEvents.GuildCreate,
  GatewayDispatchEvents.GuildDelete,
]);

type Manager = Parameters<NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>>[0];

interface Dispatch {
  readonly data: GatewayDispatchPayload;
  readonly shardId: number;
}

const DISPATCH = 'dispatch';

/**
 * Events pass here on their way from the shards to the library: relaying them to `manager.emit` is the task of a sharding
 * strategy. Without it, an event that the library cannot read ends the process, as a rejection that nobody handles.
 */
const relayEvents = (
  manager: Manager,
  client: Client,
  onEvent: (event: OwnEvent) => void,
  logger: FinClawLogger,
): void => {
  const emit: (name: string, payload: unknown) => boolean = manager.emit.bind(manager);
  const early: Dispatch[] = [];
  const take = (dispatch: Dispatch): void => {
    try {
      if (isOwn(dispatch.data)) onEvent(dispatch.data);
      else if (client.isReady() || READ_AT_ONCE.has(dispatch.data.t)) emit(DISPATCH, dispatch);
      else early.push(dispatch);
    } catch (error) {
      logger.warn('An event from Discord could not be read', { event: dispatch.data.t, error });
    }
  };
  client.once(Events.ClientReady, () => early.splice(0).forEach(take));
  Object.assign(manager, {
    emit: (name: string, payload: unknown) => {
      if (name !== DISPATCH) return emit(name, payload);
      take(payload as Dispatch);
      return true;
    },
  });
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
  /** Returns at once, and may throw. */
  onEvent: (event: OwnEvent) => void,
  logger: FinClawLogger,
): GatewayClient => {
  let isEnded = false;
  let sockets: OpenSockets | undefined;
  const client: Client = new Client({
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
        relayEvents(manager, client, onEvent, logger);
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
