import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface ProxiedConnection {
  /** A tunnel carries anything; a request is read and passed on. */
  readonly kind: 'tunnel' | 'request';
  /** Host and port, as the client wrote them. */
  readonly target: string;
}

export interface FakeProxyOptions {
  /** `user:password` that clients have to send. */
  readonly login?: string;
  /** Clients reach the proxy itself over TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface FakeProxy {
  readonly url: string;
  readonly port: number;
  /** What it was asked for, in order, refused requests included. */
  readonly history: readonly ProxiedConnection[];
  /** The own ports of the connections that it has made, to tell them from those of others. */
  readonly ownPorts: ReadonlySet<number>;
  readonly openTunnels: () => number;
  /** Ends all tunnels; the next ones are made as always. */
  readonly dropTunnels: () => void;
  /** Nobody listens any more, and all connections end. */
  readonly goDown: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const HOP_BY_HOP = ['proxy-authorization', 'proxy-connection', 'connection'];

/** A proxy resolves names itself. Here, every one is a server of the test. */
const resolved = (host: string): string => (isIP(host) === 0 ? '127.0.0.1' : host);

/** An HTTP proxy on loopback that passes on requests and tunnels, and keeps a list of both. */
export const startFakeProxy = async (options: FakeProxyOptions = {}): Promise<FakeProxy> => {
  const history: ProxiedConnection[] = [];
  const ownPorts = new Set<number>();
  const sockets = new Set<Socket>();
  const tunnels = new Set<Duplex>();
  // Straight out, whatever the agents of this process are told to do.
  const direct = new Agent({ proxyEnv: {} });

  const wantsLogin = ({ headers }: IncomingMessage): boolean => {
    const { login } = options;
    const expected = `Basic ${Buffer.from(login ?? '').toString('base64')}`;
    return login !== undefined && headers['proxy-authorization'] !== expected;
  };
  const isOwn = (socket: Socket): void => {
    socket.once('connect', () => ownPorts.add(socket.localPort ?? 0));
  };

  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { hostname, port, pathname, search, host } = new URL(incoming.url ?? '', 'http://none.invalid');
    history.push({ kind: 'request', target: host });
    if (wantsLogin(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const headers = { ...incoming.headers };
    for (const name of HOP_BY_HOP) delete headers[name];
    const outgoing = request({
      host: resolved(hostname),
      port,
      path: `${pathname}${search}`,
      method: incoming.method,
      headers,
      // Yahoo sends more headers than Node takes.
      maxHeaderSize: 128 * 1024,
      agent: direct,
    });
    outgoing.once('socket', isOwn);
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const tunnel = (incoming: IncomingMessage, client: Duplex): void => {
    const { url: target = '' } = incoming;
    history.push({ kind: 'tunnel', target });
    if (wantsLogin(incoming)) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`tunnel://${target}`);
    const server = connect(Number(port), resolved(hostname.replace(/^\[|\]$/g, '')));
    isOwn(server);
    const end = (): void => {
      tunnels.delete(client);
      client.destroy();
      server.destroy();
    };
    server.once('connect', () => {
      tunnels.add(client);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    server.once('error', () => void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    server.once('close', end);
    client.once('close', end);
    client.on('error', end);
  };

  const open = async (port: number) => {
    const made = options.tls ? createTlsServer(options.tls, pass) : createServer(pass);
    made.on('connect', tunnel);
    made.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => void made.listen(port, '127.0.0.1', resolve));
    return made;
  };
  let server = await open(0);
  const { port } = server.address() as AddressInfo;

  const goDown = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  return {
    url: `${options.tls ? 'https' : 'http'}://${options.login === undefined ? '' : `${options.login}@`}127.0.0.1:${port}`,
    port,
    history,
    ownPorts,
    openTunnels: () => tunnels.size,
    dropTunnels: () => {
      for (const client of tunnels) client.destroy();
    },
    goDown,
    comeBack: async () => {
      server = await open(port);
    },
    close: async () => {
      await goDown();
      direct.destroy();
    },
  };
};
