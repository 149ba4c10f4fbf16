import { SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';
import { ChannelError } from '#src/kernel/errors.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { computeBackoff, sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import { boltLogger, clientOptions, SlackRefusedError, toChannelError } from '../api.ts';
import type { Envelope } from '../bolt-app.ts';
import type { SlackConnection, SlackConnectionDeps } from './connection.ts';
import type { SocketSettings } from '../settings.ts';
import { fields, jsonIn, readAs } from '../wire.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { proxyOptions, requestSocket } from '#src/platform/net/http.ts';

interface SocketDeps extends SlackConnectionDeps {
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

type Client = SocketModeReceiver['client'];

/**
 * Puts the client's own listeners behind one guard. Whatever they throw or reject with would otherwise end the process,
 * because the client drops it.
 */
const guardListeners = (
  client: Client,
  onFailed: (error: unknown, args: readonly unknown[]) => void,
): void => {
  for (const name of client.eventNames()) {
    const listeners: readonly ((...args: unknown[]) => unknown)[] = client.listeners(name);
    client.removeAllListeners(name);
    for (const listener of listeners) {
      const run = async (args: readonly unknown[]): Promise<void> => {
        try {
          await listener.apply(client, [...args]);
        } catch (error) {
          onFailed(error, args);
        }
      };
      client.on(name, (...args: unknown[]) => void run(args));
    }
  }
};

const FRAME = fields({
  type: z.literal('events_api'),
  envelope_id: z.string(),
  payload: z.looseObject({ event: z.unknown().optional() }),
});

/** A frame of an event that lacks the event, such as `app_rate_limited`, in a form that the client reads. */
const asEmptyEvent = (frame: unknown): string | undefined => {
  const { type, envelope_id: id, payload } = readAs(FRAME, jsonIn(frame));
  const hasEvent = typeof payload?.event === 'object' && payload.event !== null;
  if (type === undefined || id === undefined || hasEvent) return undefined;
  return JSON.stringify({ type, envelope_id: id, payload: { ...payload, event: {} } });
};

/**
 * Keeps a socket open. The client's own reconnecting is off, because it waits too long, and without a network it ends
 * with an error that cannot be caught. The client gives up a socket that answers no ping; we give up one that never
 * says hello, and one that does not close.
 */
export const createSocketConnection = (deps: SocketDeps): SlackConnection => {
  const { settings, clock, logger } = deps;
  const closing = new AbortController();
  const { dispatcher, drop } = createSocketDispatcher();
  const { client } = new SocketModeReceiver({
    appToken: settings.appToken,
    logger: boltLogger(logger),
    clientPingTimeout: settings.pingTimeoutMs ?? PING_TIMEOUT_MS,
    serverPingTimeout: SERVER_PING_TIMEOUT_MS,
    autoReconnectEnabled: false,
    ...(dispatcher && { dispatcher }),
    // A separate object, because the receiver modifies it.
    installerOptions: { clientOptions: clientOptions(settings, logger) },
  });
  let isConnected = false;
  let lostAtMs: number | undefined;
  let wasToldToGo = false;
  let connections = 1;
  let ended: Promise<void> = Promise.resolve();

  guardListeners(client, (error, [frame]) => {
    const event = asEmptyEvent(frame);
    if (event === undefined) deps.onFailed('a frame', error);
    else client.emit('ws_message', event, false);
  });
  client.on('ws_message', (data: unknown) => {
    if (typeof data !== 'string') return;
    if (data.includes('"type":"disconnect"')) wasToldToGo = true;
    if (data.includes('"type":"hello"')) connections = Number(CONNECTIONS.exec(data)?.[1] ?? 1);
  });
  client.on('disconnected', drop);
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

type Dispatcher = NonNullable<ConstructorParameters<typeof SocketModeReceiver>[0]['dispatcher']>;

/** The address and options of the socket that the client wants. */
interface Wanted {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The events of the socket, for the client. */
interface Handler {
  readonly onConnect: (abort: (reason?: Error) => void) => void;
  readonly onRequestUpgrade: (
    controller: undefined,
    status: number,
    headers: IncomingHttpHeaders,
    socket: Duplex,
  ) => void;
  readonly onError: (error: Error) => void;
}

interface SocketDispatcher {
  /** Undefined without a proxy: the client then connects by itself. */
  readonly dispatcher: Dispatcher | undefined;
  /** Ends the socket at once. The client does that only with sockets that it has opened itself. */
  readonly drop: () => void;
}

/** Opens the client's sockets over `node:http`, and so through the proxy, which the client would go past. */
const createSocketDispatcher = (): SocketDispatcher => {
  let open: Duplex | undefined;

  const dispatch = ({ origin, path, headers }: Wanted, handler: Handler): boolean => {
    const request = requestSocket(new URL(path, origin), headers);
    request.once('upgrade', ({ statusCode = 0, headers: answered }, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      open = socket;
      handler.onRequestUpgrade(undefined, statusCode, answered, socket);
    });
    request.once('response', ({ statusCode }) =>
      request.destroy(new Error(`Slack did not open a socket (${statusCode})`)),
    );
    // Not `once`: a connection may fail more than once, and an unhandled error ends the process.
    request.on('error', handler.onError);
    handler.onConnect((reason) => void request.destroy(reason));
    request.end();
    return true;
  };

  return {
    dispatcher: proxyOptions() && { dispatch },
    drop: () => {
      open?.destroy();
      open = undefined;
    },
  };
};
