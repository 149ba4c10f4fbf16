import { SocketModeReceiver } from '@slack/bolt';
import { ChannelError } from '#src/kernel/errors.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { computeBackoff, sleepWithAbort } from '#src/platform/retry.ts';
import { boltLogger, clientOptions, SlackRefusedError, toChannelError } from './api.ts';
import type { Envelope } from './bolt-app.ts';
import type { Connection, ConnectionDeps } from './connection.ts';
import type { SocketSettings } from './settings.ts';

interface SocketDeps extends ConnectionDeps {
  readonly settings: SocketSettings;
  /** Slack refuses the connection until the operator acts. It is retried all the same. */
  readonly onRefused: (error: SlackRefusedError) => void;
}

const PING_TIMEOUT_MS = 5_000;
/** Slack pings every few seconds. A connection without pings is dead even if the socket is open. */
const SERVER_PING_TIMEOUT_MS = 30_000;
const HELLO_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 500;
/** Slack resends the events of a gap this short by itself. */
const SHORT_GAP_MS = 2_000;
/** A connection that ends sooner counts as a failure. */
const SHORT_MS = 1_000;
/** Slack counts the app's connections in its greeting. */
const CONNECTIONS = /"num_connections":\s*(\d+)/;
const RETRY = { minDelayMs: 500, maxDelayMs: 30_000 };

/**
 * Keeps a socket open. The client's own reconnecting is off, because it waits too long, and without a network it ends
 * with an error that cannot be caught. The client gives up a socket that answers no ping; we give up one that never
 * says hello, and one that does not close.
 */
export const createSocketConnection = (deps: SocketDeps): Connection => {
  const { settings, clock, logger } = deps;
  const closing = new AbortController();
  const { client } = new SocketModeReceiver({
    appToken: settings.appToken,
    logger: boltLogger(logger),
    clientPingTimeout: settings.pingTimeoutMs ?? PING_TIMEOUT_MS,
    serverPingTimeout: SERVER_PING_TIMEOUT_MS,
    autoReconnectEnabled: false,
    // A separate object, because the receiver modifies it.
    installerOptions: { clientOptions: clientOptions(settings, logger) },
  });
  let isConnected = false;
  let lostAtMs: number | undefined;
  let wasToldToGo = false;
  let connections = 1;
  let ended: Promise<void> = Promise.resolve();

  client.on('ws_message', (data: unknown) => {
    if (typeof data !== 'string') return;
    if (data.includes('"type":"disconnect"')) wasToldToGo = true;
    if (data.includes('"type":"hello"')) connections = Number(CONNECTIONS.exec(data)?.[1] ?? 1);
  });
  client.on('slack_event', (envelope: Envelope) => void deps.onEnvelope(envelope));

  /** The second `disconnect` terminates the socket; the first may wait half a minute for Slack. */
  const disconnect = async (): Promise<void> => {
    const gone = client.disconnect();
    const cancel = clock.after(CLOSE_TIMEOUT_MS, () => void client.disconnect());
    await gone;
    cancel();
  };

  /** Resolves when an opened socket has closed. Throws if it could not be opened. */
  const once = async (): Promise<void> => {
    deps.onConnecting();
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const giveUp = clock.after(HELLO_TIMEOUT_MS, () => void disconnect());
    client.once('disconnected', resolve);
    try {
      await client.start().catch((error: unknown) => {
        throw error === undefined
          ? new ChannelError('unreachable', 'Slack closed the connection before it said hello')
          : toChannelError('apps.connections.open', error);
      });
    } catch (error) {
      client.off('disconnected', resolve);
      throw error;
    } finally {
      giveUp();
    }
    if (closing.signal.aborted) {
      await disconnect();
      return;
    }
    isConnected = true;
    const gapMs = clock.monotonicMs() - (lostAtMs ?? -Infinity);
    deps.onConnected({ isSeamless: wasToldToGo && gapMs < SHORT_GAP_MS, isOnly: connections <= 1 });
    wasToldToGo = false;
    await gone;
    isConnected = false;
    lostAtMs = clock.monotonicMs();
  };

  const keepOpen = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted;) {
      const startedMs = clock.monotonicMs();
      let failure: ChannelError | undefined;
      try {
        await once();
      } catch (error) {
        failure = toChannelError('the socket', error);
      }
      if (closing.signal.aborted) return;
      // Connections that break at once count as failures, so that retries slow down.
      failures = failure || clock.monotonicMs() - startedMs < SHORT_MS ? failures + 1 : 0;
      if (failure instanceof SlackRefusedError) deps.onRefused(failure);
      const delayMs =
        failure?.retryAfterMs ?? (failures < 2 && !failure ? 0 : computeBackoff(failures, RETRY));
      if (failure)
        logger.warn('Slack: could not connect; retrying', { reason: failure.message, failures, delayMs });
      else logger.info('Slack: the connection ended; opening a new one');
      if (delayMs > 0) await sleepWithAbort(delayMs, clock, closing.signal).catch(() => undefined);
    }
  };

  return {
    open: () => {
      ended = keepOpen();
    },
    isConnected: () => isConnected,
    close: async () => {
      closing.abort(new Error('closed'));
      await disconnect();
      // A socket that is just being opened is closed as soon as it is open.
      await waitAtMost(ended, CLOSE_TIMEOUT_MS, clock);
      isConnected = false;
    },
  };
};
