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
import { makeRequest } from '../api.ts';
import { type EventFailed, type FrameReader, keepUnreadable } from './gateway-frames.ts';
import type { ReadGatewayInfo } from './gateway-info.ts';
import type { DiscordSettings } from '../settings.ts';

/**
 * The library's private list of sockets. It leaves sockets open when it is destroyed while connecting, and it ends the
 * process over a frame that it cannot read: this is the only way to both. `test/channels/discord/library.test.ts` fails if
 * an update moves it.
 */
interface OpenSockets {
  readonly shards: ReadonlyMap<number, FrameReader & { readonly connection: Socket | null }>;
}

interface Socket {
  readonly addEventListener: (type: 'error', listener: () => void) => void;
  readonly readyState: number;
  readonly terminate: () => void;
}

const HELLO_TIMEOUT_MS = 10_000;
/** Limits the wait for guilds, because one that is unavailable must not delay the others. */
const GUILD_WAIT_MS = 3_000;
const CLOSE_WAIT_MS = 1_000;
const OPEN = 1;
const CLOSING = 2;

/** Events that we read raw. The library would build objects from them, and throw on malformed ones. */
const OWN_EVENTS = [
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageUpdate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.InteractionCreate,
] as const;
const OWN: ReadonlySet<GatewayDispatchEvents> = new Set(OWN_EVENTS);

export type OwnEvent = Extract<GatewayDispatchPayload, { t: (typeof OWN_EVENTS)[number] }>;

export type GuildEvent = Extract<GatewayDispatchPayload, { t: GatewayDispatchEvents.GuildCreate }>;

const isOwn = (event: GatewayDispatchPayload): event is OwnEvent => OWN.has(event.t);

/** After one of these the bot may read more, or could not read some messages for a while. */
const ACCESS: ReadonlySet<GatewayDispatchEvents> = new Set([
  GatewayDispatchEvents.GuildCreate,
  GatewayDispatchEvents.GuildDelete,
  GatewayDispatchEvents.GuildRoleCreate,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ChannelDelete,
  GatewayDispatchEvents.ThreadListSync,
  GatewayDispatchEvents.ThreadDelete,
  GatewayDispatchEvents.ThreadMembersUpdate,
]);

const readAccess = ({ t: type, d: data }: GatewayDispatchPayload): Access | undefined => {
  if (!ACCESS.has(type) || typeof data !== 'object' || data === null) return undefined;
  const fields: object = data;
  const { id, guild_id: guildId, removed_member_ids: removed }: AccessData = { ...fields };
  if (type === GatewayDispatchEvents.GuildCreate || type === GatewayDispatchEvents.GuildDelete)
    return id === undefined ? undefined : { guildId: id };
  if (guildId === undefined) return undefined;
  if (type === GatewayDispatchEvents.ThreadMembersUpdate)
    return id !== undefined && removed?.length ? { guildId, channelId: id } : undefined;
  const isThread = type === GatewayDispatchEvents.ThreadDelete;
  return isThread && id !== undefined ? { guildId, channelId: id } : { guildId };
};

interface AccessData {
  readonly id?: string;
  readonly guild_id?: string;
  readonly removed_member_ids?: readonly string[];
}

/** The permissions of the bot have changed: in one channel, or anywhere in the server. */
export interface Access {
  readonly guildId: string;
  readonly channelId?: string;
}

/** The library handles these at once. It queues all others until it is ready, and errors in that queue are uncaught. */
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
 * Intercepts events on their way from the shards to the library. Otherwise an event that the library cannot read would
 * end the process with an unhandled rejection.
 */
const relayEvents = (
  manager: Manager,
  client: Client,
  { onEvent, onAccess, onGuild }: GatewayListener,
  failed: EventFailed,
): void => {
  const emit: (name: string, payload: unknown) => boolean = manager.emit.bind(manager);
  const early: Dispatch[] = [];
  const relay = (dispatch: Dispatch): void => {
    try {
      const access = readAccess(dispatch.data);
      if (access) onAccess(access);
      if (isOwn(dispatch.data)) onEvent(dispatch.data);
      else if (client.isReady() || READ_AT_ONCE.has(dispatch.data.t)) emit(DISPATCH, dispatch);
      else early.push(dispatch);
      // The library knows its roles and channels from here on.
      if (dispatch.data.t === GatewayDispatchEvents.GuildCreate) onGuild(dispatch.data);
    } catch (error) {
      failed(dispatch.data.t, error);
    }
  };
  client.once(Events.ClientReady, () => early.splice(0).forEach(relay));
  Object.assign(manager, {
    emit: (name: string, payload: unknown) => {
      if (name === DISPATCH) {
        relay(payload as Dispatch);
        return true;
      }
      try {
        return emit(name, payload);
      } catch (error) {
        failed(name, error);
        return true;
      }
    },
  });
};

/**
 * Terminates sockets that hang while closing. The library closes a socket without heartbeats, but then waits 30 s for
 * the other side to confirm. The returned function ends the watch.
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

/** Handlers return at once; they may throw. */
interface GatewayListener {
  readonly onEvent: (event: OwnEvent) => void;
  readonly onAccess: (access: Access) => void;
  /** A server that the bot is in: one that it has joined, or each of them after the start. */
  readonly onGuild: (event: GuildEvent) => void;
}

export type GatewayClient = ReturnType<typeof createGatewayClient>;

export interface Shard {
  readonly id: number;
  readonly count: number;
}

export interface GatewayClientDeps {
  readonly settings: DiscordSettings;
  readonly shard: Shard;
  readonly wantsContent: boolean;
  readonly pace: IIdentifyThrottler;
  readonly readInfo: ReadGatewayInfo;
  /** False if another process has the shard. Connecting would end the connection of that process. */
  readonly isOurs: () => Promise<boolean>;
  readonly failed: EventFailed;
}

const intentsOf = (wantsContent: boolean): readonly GatewayIntentBits[] => [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  ...(wantsContent ? [GatewayIntentBits.MessageContent] : []),
];

/** Channels and roles are cached, because every message needs them; people and messages are not. */
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

export const createGatewayClient = (deps: GatewayClientDeps, listener: GatewayListener) => {
  const { settings, shard, wantsContent, pace, readInfo, failed } = deps;
  const { apiUrl } = settings;
  const ending = new AbortController();
  let sockets: OpenSockets | undefined;
  const client: Client = new Client({
    intents: intentsOf(wantsContent),
    shards: [shard.id],
    shardCount: shard.count,
    partials: [Partials.Channel, Partials.Message],
    // Our own requests say this themselves; this covers anything the library may send by itself.
    allowedMentions: { parse: [], repliedUser: false },
    makeCache,
    waitGuildTimeout: GUILD_WAIT_MS,
    rest: { ...(apiUrl === undefined ? {} : { api: apiUrl }), retries: 0, makeRequest },
    ws: {
      buildIdentifyThrottler: async () => pace,
      buildStrategy: (manager) => {
        relayEvents(manager, client, listener, failed);
        const retrieveSessionInfo = manager.options.retrieveSessionInfo.bind(manager.options);
        Object.assign(manager.options, {
          retrieveSessionInfo: async (id: number) => {
            // Also called for each event and heartbeat of an open connection, which must not wait.
            const isConnected = open().some(({ readyState }) => readyState === OPEN);
            const isOurs = isConnected || (await deps.isOurs());
            // A shard that waits between two attempts would connect again after `end`, so it waits forever.
            if (!isOurs || ending.signal.aborted) return new Promise(() => undefined);
            return retrieveSessionInfo(id);
          },
          helloTimeout: HELLO_TIMEOUT_MS,
        });
        Object.assign(manager, {
          // The library refuses to connect if no session can be started, also to resume one. The pace waits instead.
          fetchGatewayInformation: async () => {
            const info = await readInfo(ending.signal);
            return { ...info, session_start_limit: { ...info.session_start_limit, remaining: Infinity } };
          },
        });
        const strategy = new SimpleShardingStrategy(manager);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- private, and the only way to them
        const known = strategy as unknown as OpenSockets;
        sockets = known;
        const spawn = strategy.spawn.bind(strategy);
        strategy.spawn = async (shardIds) => {
          await spawn(shardIds);
          for (const spawned of known.shards.values()) keepUnreadable(spawned, failed);
        };
        return strategy;
      },
    },
  });

  const open = (): readonly Socket[] =>
    [...(sockets?.shards.values() ?? [])].flatMap(({ connection }) => connection ?? []);
  const endWatch = watchClosing(open);

  return {
    client,
    /** Ends the client in any state: no socket and no reconnection attempt is left. */
    end: async () => {
      ending.abort(new Error('the connection was closed'));
      endWatch();
      const left = open();
      const { promise: waited, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_WAIT_MS);
      await Promise.race([client.destroy().catch(() => undefined), waited]);
      clearTimeout(timer);
      for (const socket of left) {
        // Without a listener, the error of a socket that was connecting would end the process.
        socket.addEventListener('error', () => undefined);
        socket.terminate();
      }
    },
  };
};
