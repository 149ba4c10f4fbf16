import {
  type Client,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayInteractionCreateDispatchData,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageUpdateDispatchData,
  type GatewayReadyDispatchData,
  type IIdentifyThrottler,
} from 'discord.js';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { raceAbort, waitAtMost } from '#src/platform/concurrency/abort.ts';
import { computeBackoff, sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import {
  type Access,
  createGatewayClient,
  type GatewayClientDeps,
  type GatewayClient,
  type GuildEvent,
  type OwnEvent,
  type Shard,
} from './gateway-client.ts';
import type { EventFailed } from './gateway-frames.ts';
import type { ReadGatewayInfo } from './gateway-info.ts';
import type { DiscordDeps } from '../settings.ts';

export interface Identity {
  readonly applicationId: string;
  /** The user id of the bot. */
  readonly botId: string;
}

export interface ConnectionListener {
  /**
   * A new session began. Unlike a resumed one, it does not include what happened in between. `hasContent`: messages
   * arrive with their text.
   */
  readonly onSession: (identity: Identity, hasContent: boolean) => void;
  /** Events arrive late from here on, until the session is resumed or a new one begins. */
  readonly onLost: () => void;
  readonly onResumed: (hasContent: boolean) => void;
  readonly onAccess: (access: Access) => void;
  /** A server that the bot is in: one that it has joined, or each of them after the start. */
  readonly onGuild: (guild: GatewayGuildCreateDispatchData) => Promise<void>;
  /** All servers of the new session are in the cache. */
  readonly onGuilds: () => void;
  /** Handlers resolve when the event is stored, and reject if they cannot handle it. They take it at once. */
  readonly onMessage: (message: GatewayMessageCreateDispatchData) => Promise<void>;
  readonly onEdit: (message: Partial<GatewayMessageUpdateDispatchData>) => Promise<void>;
  readonly onDelete: (
    gone: Pick<GatewayMessageDeleteBulkDispatchData, 'ids' | 'channel_id' | 'guild_id'>,
  ) => Promise<void>;
  readonly onInteraction: (interaction: GatewayInteractionCreateDispatchData) => Promise<void>;
}

const START_WAIT_MS = 5_000;
const BACKOFF = { minDelayMs: 1_000, maxDelayMs: 60_000 };
/** After a refusal the operator has to act, so retries are rare. */
const BACKOFF_WHEN_REFUSED = { minDelayMs: 60_000, maxDelayMs: 600_000 };

type Refusal = 'token' | 'intents' | 'other';

const REFUSALS: Readonly<Record<Refusal, string>> = {
  token:
    'Discord does not accept the bot token. Open https://discord.com/developers/applications, choose the application, then Bot → Reset Token, and set DISCORD_BOT_TOKEN to the new token.',
  intents:
    'Discord does not allow the intents that the bot requests. Open https://discord.com/developers/applications, choose the application, then Bot → Privileged Gateway Intents, and switch on Message Content Intent.',
  other: 'Discord refuses the connection for good.',
};

const WITHOUT_CONTENT =
  'Message Content Intent is switched off for this bot, so it goes on without: mentions, replies, direct messages and commands work, but follow-ups in threads without a mention and messages in channels where none is needed arrive empty. To mend it, open https://discord.com/developers/applications, choose the application, then Bot → Privileged Gateway Intents, switch on Message Content Intent, and restart the bot.';

/** For a token that Discord does not accept. */
export const refusedToken = (cause: unknown): FinClawError =>
  new FinClawError(REFUSALS.token, 'DISCORD_REFUSED', { cause });

const refusalOf = (error: unknown): Refusal | undefined => {
  const message = errorMessage(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === DiscordjsErrorCodes.TokenInvalid || message === 'Authentication failed') return 'token';
  if (message === 'Used disallowed intents') return 'intents';
  return undefined;
};

const REFUSAL_CODES: ReadonlyMap<number, Refusal> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, 'token'],
  [GatewayCloseCodes.DisallowedIntents, 'intents'],
]);

/** One shard, and what all shards of the bot have in common. */
export interface DiscordConnectionDeps extends Omit<DiscordDeps, 'locale'> {
  readonly shard: Shard;
  readonly pace: IIdentifyThrottler;
  readonly readInfo: ReadGatewayInfo;
  readonly isOurs: GatewayClientDeps['isOurs'];
  readonly failed: EventFailed;
  /** Whether Discord is asked for the text of messages: not any more once it has refused. */
  readonly content: { isWanted: boolean };
  /** Other processes share the shards. Nobody waits for the start, so refusals are only logged. */
  readonly isShared: boolean;
}

/**
 * Keeps one shard of the bot connected. The library resumes sessions itself; when it gives up, this starts a new client. If Discord
 * refuses the privileged intent for message content, the bot connects without it.
 */
export const createConnection = (deps: DiscordConnectionDeps, listener: ConnectionListener) => {
  const { settings, clock, logger, content } = deps;
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  let current: GatewayClient | undefined;
  let hasContent = content.isWanted;
  let isConnected = false;
  let isStarted = deps.isShared;
  let failures = 0;
  let running: Promise<void> | undefined;

  const listen = (client: Client, onDead: (refusal: Refusal) => void): void => {
    const isCurrent = (): boolean => current?.client === client && !stopping.signal.aborted;
    const up = (): void => {
      if (!isCurrent()) return;
      isConnected = true;
      isStarted = true;
      failures = 0;
      first.resolve();
    };
    const down = (): void => {
      if (!isCurrent()) return;
      isConnected = false;
      listener.onLost();
    };
    client.ws.on(GatewayDispatchEvents.Ready, (ready: GatewayReadyDispatchData) => {
      const { application, user } = ready;
      if (isCurrent()) listener.onSession({ applicationId: application.id, botId: user.id }, hasContent);
      up();
    });
    client.ws.on(GatewayDispatchEvents.Resumed, () => {
      if (isCurrent()) listener.onResumed(hasContent);
      up();
    });
    client.on(Events.ShardReady, () => {
      if (isCurrent()) listener.onGuilds();
    });
    client.on(Events.ShardReconnecting, down);
    client.on(Events.ShardDisconnect, ({ code }) => {
      down();
      onDead(REFUSAL_CODES.get(code) ?? 'other');
    });
    client.on(Events.ShardError, (error) =>
      logger.debug('Discord: the connection reported an error', { error }),
    );
    client.on(Events.Error, (error) => logger.warn('Discord: the library reported an error', { error }));
  };

  /** Resolves when the connection has ended for good. Throws if it could not be made. */
  const connect = async (): Promise<Refusal> => {
    const { promise: dead, resolve: onDead } = Promise.withResolvers<Refusal>();
    const isInUse = (): boolean => current === made && !stopping.signal.aborted;
    const relay = createRelay(deps, listener, isInUse, stopping.signal);
    hasContent = content.isWanted;
    const made = createGatewayClient({ ...deps, wantsContent: hasContent }, relay);
    current = made;
    listen(made.client, onDead);
    try {
      await raceAbort(made.client.login(settings.token), stopping.signal);
      return await raceAbort(dead, stopping.signal);
    } finally {
      isConnected = false;
      await made.end();
    }
  };

  /** The pause before the next attempt. Throws to give up. */
  const afterFailure = (refusal: Refusal | undefined, error: unknown): number => {
    failures += 1;
    if (refusal === 'intents' && hasContent) {
      if (content.isWanted) logger.warn(WITHOUT_CONTENT);
      content.isWanted = false;
      return 0;
    }
    if (refusal === undefined) {
      logger.warn('Discord cannot be reached; retrying', { failures, error });
      return computeBackoff(failures, BACKOFF);
    }
    if (!isStarted) throw new FinClawError(REFUSALS[refusal], 'DISCORD_REFUSED', { cause: error });
    logger.error(REFUSALS[refusal]);
    return computeBackoff(failures, BACKOFF_WHEN_REFUSED);
  };

  const attempt = async (): Promise<{ readonly refusal: Refusal | undefined; readonly error: unknown }> => {
    try {
      return { refusal: await connect(), error: undefined };
    } catch (error) {
      return { refusal: refusalOf(error), error };
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { refusal, error } = await attempt();
      if (stopping.signal.aborted) return;
      const waitMs = afterFailure(refusal, error);
      if (waitMs > 0) await sleepWithAbort(waitMs, clock, stopping.signal);
    }
  };

  return {
    /** Resolves when connected, or after `startWaitMs`. Throws if only the operator can fix the problem. */
    start: async () => {
      running = run().catch((error: unknown) => first.reject(error));
      first.promise.catch(() => undefined);
      await waitAtMost(first.promise, settings.startWaitMs ?? START_WAIT_MS, clock);
      // From here on refusals are logged, because the bot is running.
      isStarted = true;
    },
    stop: async () => {
      stopping.abort(new Error('the bot is stopping'));
      isConnected = false;
      await running;
    },
    isConnected: (): boolean => isConnected,
    client: (): Client | undefined => current?.client,
  };
};

/** Passes on what arrives while the client is in use. */
const createRelay = (
  deps: DiscordConnectionDeps,
  listener: ConnectionListener,
  isInUse: () => boolean,
  stopping: AbortSignal,
) => ({
  onEvent: (event: OwnEvent): void => {
    if (isInUse()) void take(deps, event, () => handle(listener, event), stopping);
  },
  onAccess: (access: Access): void => {
    if (isInUse()) listener.onAccess(access);
  },
  onGuild: (event: GuildEvent): void => {
    if (isInUse()) void take(deps, event, () => listener.onGuild(event.d), stopping);
  },
});

const handle = (listener: ConnectionListener, { t: type, d: data }: OwnEvent): Promise<void> => {
  switch (type) {
    case GatewayDispatchEvents.MessageCreate:
      return listener.onMessage(data);
    case GatewayDispatchEvents.MessageUpdate:
      return listener.onEdit(data);
    case GatewayDispatchEvents.MessageDelete: {
      const { id, ...place } = data;
      return listener.onDelete({ ids: [id], ...place });
    }
    case GatewayDispatchEvents.MessageDeleteBulk:
      return listener.onDelete(data);
    case GatewayDispatchEvents.InteractionCreate:
      return listener.onInteraction(data);
  }
  return type satisfies never;
};

/** An event that cannot be handled must neither end the process nor be waited for. */
const take = async (
  { failed }: DiscordConnectionDeps,
  { t: type }: OwnEvent | GuildEvent,
  work: () => Promise<void>,
  stopping: AbortSignal,
) => {
  try {
    await work();
  } catch (error) {
    if (!stopping.aborted) failed(type, error);
  }
};
