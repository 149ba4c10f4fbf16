import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SocketModeReceiver } from '@slack/bolt';
import { proxyOptions, requestSocket } from '#src/platform/net/http.ts';

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

export interface SocketDispatcher {
  /** Undefined without a proxy: the client then connects by itself. */
  readonly dispatcher: Dispatcher | undefined;
  /** Ends the socket at once. The client does that only with sockets that it has opened itself. */
  readonly drop: () => void;
}

/** Opens the client's sockets over `node:http`, and so through the proxy, which the client would go past. */
export const createSocketDispatcher = (): SocketDispatcher => {
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
