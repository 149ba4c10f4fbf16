import {
  type Client,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayInteractionCreateDispatchData,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageUpdateDispatchData,
  type GatewayReadyDispatchData,
} from 'discord.js';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { raceAbort, waitAtMost } from '#src/platform/abort.ts';
import { computeBackoff, sleepWithAbort } from '#src/platform/retry.ts';
import type { Clock } from '#src/platform/clock.ts';
import { type Access, createGatewayClient, type GatewayClient, type OwnEvent } from './gateway-client.ts';
import type { DiscordDeps } from './settings.ts';

export interface Identity {
  readonly applicationId: string;
  /** The user id of the bot. */
  readonly botId: string;
}

interface ConnectionListener {
  /**
   * A new session began. Unlike a resumed one, it does not include what happened in between. `hasContent`: messages
   * arrive with their text.
   */
  readonly onSession: (identity: Identity, hasContent: boolean) => void;
  /** Events arrive late from here on, until the session is resumed or a new one begins. */
  readonly onLost: () => void;
  readonly onResumed: () => void;
  readonly onAccess: (access: Access) => void;
  /** All servers of the new session are in the cache. */
  readonly onGuilds: () => void;
  /** Handlers return at once and must not throw. */
  readonly onMessage: (message: GatewayMessageCreateDispatchData) => void;
  readonly onEdit: (message: Partial<GatewayMessageUpdateDispatchData>) => void;
  readonly onDelete: (
    gone: Pick<GatewayMessageDeleteBulkDispatchData, 'ids' | 'channel_id' | 'guild_id'>,
  ) => void;
  readonly onInteraction: (interaction: GatewayInteractionCreateDispatchData) => void;
}

interface Connection {
  /** Resolves when connected, or after `startWaitMs`. Throws if only the operator can fix the problem. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly isConnected: () => boolean;
  readonly client: () => Client | undefined;
}

const START_WAIT_MS = 5_000;
const IDENTIFY_PAUSE_MS = 5_000;
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

/** Allows one IDENTIFY per `pauseMs`, also across clients that replace each other. */
const createThrottler = (pauseMs: number, clock: Clock) => {
  let freeAtMs = -Infinity;
  return {
    waitForIdentify: async (_shardId: number, signal: AbortSignal): Promise<void> => {
      const waitMs = freeAtMs - clock.monotonicMs();
      freeAtMs = Math.max(freeAtMs, clock.monotonicMs()) + pauseMs;
      if (waitMs > 0) await sleepWithAbort(waitMs, clock, signal);
    },
  };
};

/**
 * Keeps the bot connected. The library resumes sessions itself; when it gives up, this starts a new client. If Discord
 * refuses the privileged intent for message content, the bot connects without it.
 */
export const createConnection = (
  { settings, clock, logger }: Omit<DiscordDeps, 'locale'>,
  listener: ConnectionListener,
): Connection => {
  const throttler = createThrottler(settings.identifyPauseMs ?? IDENTIFY_PAUSE_MS, clock);
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  let current: GatewayClient | undefined;
  let wantsContent = true;
  let isConnected = false;
  let isStarted = false;
  let failures = 0;
  let running: Promise<void> | undefined;

  const onEvent = ({ t: type, d: data }: OwnEvent): void => {
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
    client.ws.on(GatewayDispatchEvents.Ready, ({ application, user }: GatewayReadyDispatchData) => {
      if (isCurrent()) listener.onSession({ applicationId: application.id, botId: user.id }, wantsContent);
      up();
    });
    client.ws.on(GatewayDispatchEvents.Resumed, () => {
      if (isCurrent()) listener.onResumed();
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
    const relay = {
      onEvent: (event: OwnEvent): void => {
        if (isInUse()) onEvent(event);
      },
      onAccess: (access: Access): void => {
        if (isInUse()) listener.onAccess(access);
      },
    };
    const made = createGatewayClient(settings, wantsContent, throttler, relay, logger);
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
    if (refusal === 'intents' && wantsContent) {
      wantsContent = false;
      logger.warn(WITHOUT_CONTENT);
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
    isConnected: () => isConnected,
    client: () => current?.client,
  };
};
