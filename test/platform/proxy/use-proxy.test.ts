import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type TcpNetConnectOpts } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { requestText } from '#src/platform/net/http-transport.ts';
import { readProxyAddress } from '#src/platform/proxy/settings.ts';
import { watchProxies } from '#src/platform/proxy/use-proxy.ts';
import { trustedCertificate } from '#test/agent/tools/general/self-signed.ts';
import { freePort } from '#test/support/database.ts';
import { followProxy, openFakeProxy, startBehindProxy } from '#test/support/use-fake-proxy.ts';

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

/** A server that says hello, to requests and over WebSockets. */
const startServer = async (tls?: { readonly cert: string; readonly key: string }) => {
  const server: Server = tls ? createTlsServer(tls) : createServer();
  server.on('request', (_request, response) => void response.end('hello'));
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('hello'));
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, at: (host: string) => `${tls ? 'https' : 'http'}://${host}:${port}/` };
};

/** The ways in which the program and its libraries reach servers. */
const WAYS = {
  http: async (url: string): Promise<string> => {
    const { text, status } = await requestText(url, { method: 'GET', headers: {}, body: undefined });
    return `${status} ${text}`;
  },
  fetch: async (url: string): Promise<string> => {
    const response = await fetch(url);
    return `${response.status} ${await response.text()}`;
  },
  WebSocket: async (url: string): Promise<string> => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    try {
      const [data] = (await once(socket, 'message')) as [Buffer];
      return `200 ${data.toString()}`;
    } finally {
      socket.terminate();
    }
  },
};
const ways = Object.entries(WAYS);

describe.each(ways)('a proxy, with %s', (_name, reach) => {
  it('is asked for every host but those of NO_PROXY', async () => {
    const { port, at } = await startServer();
    const cases = [
      ['localhost', 'localhost', false],
      ['.localhost', 'localhost', false],
      ['*.LOCALHOST', 'localhost', false],
      ['localhost', '127.0.0.1', true],
      [`127.0.0.1:${port}`, '127.0.0.1', false],
      ['127.0.0.1:1', '127.0.0.1', true],
      ['::1', '[::1]', false],
      [`[::1]:${port}`, '[::1]', false],
      ['127.0.0.1', '[::1]', true],
      ['host', 'localhost', true],
      ['other.example', 'localhost', true],
    ] as const;
    for (const [noProxy, host, isAsked] of cases) {
      if (host === '[::1]' && !HAS_IPV6) continue;
      const { proxy, end } = await startBehindProxy(noProxy);
      expect(await reach(at(host)), `${noProxy} ${host}`).toBe('200 hello');
      expect(
        proxy.history.map(({ target }) => target),
        `${noProxy} ${host}`,
      ).toEqual(isAsked ? [`${host}:${port}`] : []);
      end();
      expect(await reach(at(host)), 'afterwards').toBe('200 hello');
      expect(proxy.history, 'afterwards').toHaveLength(isAsked ? 1 : 0);
    }
  });

  it('looks up the name, and sees nothing of what goes over TLS', async () => {
    const server = await startServer(trustedCertificate('only-the-proxy-knows.example'));
    const { proxy } = await startBehindProxy();
    expect(await reach(server.at('only-the-proxy-knows.example'))).toBe('200 hello');
    expect(proxy.history).toEqual([
      { kind: 'tunnel', target: `only-the-proxy-knows.example:${server.port}` },
    ]);
    await expect(reach(server.at('another-name.example'))).rejects.toThrow();
  });

  it('may itself want TLS, and a user with a password', async () => {
    const server = await startServer();
    const proxy = await openFakeProxy({
      login: 'bot:p@ss/w0rd',
      tls: trustedCertificate('localhost'),
    });
    const HTTP_PROXY = `https://bot:p%40ss%2Fw0rd@localhost:${proxy.port}`;
    followProxy({ HTTP_PROXY });
    expect(await reach(server.at('127.0.0.1'))).toBe('200 hello');
    expect(proxy.history).toHaveLength(1);
  });

  it('for https alone is not asked for plain http', async () => {
    const server = await startServer();
    followProxy({ HTTPS_PROXY: 'http://127.0.0.1:1' });
    expect(await reach(server.at('127.0.0.1'))).toBe('200 hello');
  });
});

describe('a WebSocket', () => {
  it('that the proxy refuses fails in words, without the password', async () => {
    const nobody = await freePort();
    const proxy = await openFakeProxy({ login: 'bot:right' });
    const refusalOf = async (login: string): Promise<string> => {
      const { end } = followProxy({ HTTP_PROXY: proxy.url.replace('bot:right', login) });
      const [error] = (await once(new WebSocket(`ws://127.0.0.1:${nobody}`), 'error').catch(
        (reason: unknown) => [reason],
      )) as [Error];
      end();
      return error.message;
    };
    const name = `The proxy 127.0.0.1:${proxy.port}`;
    expect(await refusalOf('bot:geheim')).toBe(`${name} does not accept its user and password (407)`);
    expect(await refusalOf('bot:right')).toBe(`${name} refuses to connect to 127.0.0.1:${nobody} (502)`);
  });

  it('that is given up while the proxy connects leaves nothing open', async () => {
    const server = await startServer();
    const { proxy } = await startBehindProxy();
    const socket = new WebSocket(server.at('127.0.0.1').replace('http', 'ws'));
    socket.on('error', () => undefined);
    socket.terminate();
    // The next one comes after whatever was left of the first.
    expect(await WAYS.WebSocket(server.at('127.0.0.1'))).toBe('200 hello');
    expect(proxy.history).toHaveLength(2);
    await expect.poll(proxy.openTunnels).toBe(0);
  });
});

const watched = (host: string, port: number): readonly string[] => {
  const log: string[] = [];
  const note = (line: string): void => void log.push(line);
  onTestFinished(watchProxies([readProxyAddress(`http://${host}:${port}`)], { error: note, info: note }));
  return log;
};

const attempt = async (options: TcpNetConnectOpts): Promise<void> => {
  const socket = connect(options);
  await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => undefined);
  socket.destroy();
};

describe('a proxy that is down', () => {
  it('is told once by name or address, and so is its return; other servers are not told', async () => {
    const { port } = await startServer();
    const down = await freePort();
    const log = watched('localhost', down);
    await attempt({ host: '127.0.0.1', port: await freePort() });
    await attempt({ host: 'localhost', port: await freePort() });
    await attempt({ host: 'localhost', port });
    expect(log).toEqual([]);
    await attempt({ host: 'localhost', port: down });
    await attempt({ host: 'localhost', port: down });
    const again = createServer().listen(down);
    onTestFinished(() => void again.close());
    await once(again, 'listening');
    await attempt({ host: 'localhost', port: down });
    await attempt({ host: 'localhost', port: down });
    expect(log).toEqual([
      expect.stringContaining(`The proxy localhost:${down} cannot be reached (ECONNREFUSED)`),
      `The proxy localhost:${down} can be reached again.`,
    ]);
  });

  it('is not told of a request that is given up before it is connected', async () => {
    const down = await freePort();
    const log = watched('127.0.0.1', down);
    const socket = connect(down, '127.0.0.1');
    socket.destroy(new Error('somebody has stopped it'));
    await once(socket, 'error').catch(() => undefined);
    expect(log).toEqual([]);
  });

  it('is told if its name has no address', async () => {
    const log = watched('proxy.example', 3_128);
    const missing = Object.assign(new Error('no such name'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    await attempt({
      host: 'proxy.example',
      port: 3_128,
      lookup: (_host, _options, done) => done(missing, ''),
    });
    expect(log).toEqual([expect.stringContaining('proxy.example:3128 cannot be reached (ENOTFOUND)')]);
  });
});
