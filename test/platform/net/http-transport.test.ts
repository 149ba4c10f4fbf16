import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpTransport } from '#src/platform/net/http-transport.ts';
import { failureOf, until } from '#test/agent/providers/request.ts';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server of this test alone that does as it is told. */
const setUp = async (listener: Listener) => {
  const server = createServer((request, response) => void listener(request, response));
  const connections = new Set<unknown>();
  let opened = 0;
  server.on('connection', (socket) => {
    opened += 1;
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const transport = createHttpTransport();
  return { ...transport, url: `http://127.0.0.1:${port}/v1/x?a=1`, connections, opened: () => opened };
};

const streamFrom = (message: IncomingMessage | undefined): IncomingMessage => {
  if (!message) throw new Error('it is no stream');
  return message;
};

describe('a request', () => {
  it('arrives with its method, address, headers and body', async () => {
    const { fetch, url } = await setUp(async (request, response) => {
      const { method, url: path, headers } = request;
      const body = await readText(request);
      response.end(
        JSON.stringify({ method, path, key: headers['x-key'], length: headers['content-length'], body }),
      );
    });
    const response = await fetch(url, { method: 'POST', headers: { 'X-Key': 'k' }, body: '삼성 📈' });
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/v1/x?a=1',
      key: 'k',
      length: `${Buffer.byteLength('삼성 📈')}`,
      body: '삼성 📈',
    });
  });

  it.each([
    ['/v1/y?b=%20&c=1', '/v1/y?b=%20&c=1'],
    ['/a/./b/../c', '/a/c'],
    ['/삼성?q=전자', encodeURI('/삼성?q=전자')],
    ['/x#part', '/x'],
    ['/reactions/%F0%9F%91%80/@me', '/reactions/%F0%9F%91%80/@me'],
  ])('to %s arrives at %s', async (path, expected) => {
    const { fetch, url } = await setUp((request, response) => response.end(request.url));
    const { origin } = new URL(url);
    expect(await (await fetch(`${origin}${path}`)).text()).toBe(expected);
  });

  it('may have no body', async () => {
    const { fetch, url } = await setUp((request, response) => response.end(request.method));
    expect(await (await fetch(url)).text()).toBe('GET');
    expect(await (await fetch(new URL(url), { method: 'GET', body: null })).text()).toBe('GET');
  });

  it('goes the usual way where its body is no text', async () => {
    const { fetch, url } = await setUp(
      async (request, response) => void response.end(await readText(request)),
    );
    expect(await (await fetch(url, { method: 'POST', body: new TextEncoder().encode('bytes') })).text()).toBe(
      'bytes',
    );
    expect(await (await fetch(new Request(url, { method: 'POST', body: 'asked' }))).text()).toBe('asked');
  });
});

describe('an answer', () => {
  it('comes with its status, all its headers and its body', async () => {
    const { fetch, streamOf, url } = await setUp((_request, response) => {
      response.writeHead(429, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] }).end('{"error":{}}');
    });
    const response = await fetch(url);
    expect(response).toMatchObject({ status: 429, ok: false });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toEqual({ error: {} });
    expect(streamOf(response)).toBeUndefined();
  });

  it('may have no body', async () => {
    const { fetch, url } = await setUp((_request, response) => void response.writeHead(204).end());
    expect(await (await fetch(url)).text()).toBe('');
  });

  it('is a stream where the server says so, whose bytes come as they are sent', async () => {
    const gate = Promise.withResolvers<void>();
    const { fetch, streamOf, url } = await setUp(async (_request, response) => {
      response.writeHead(200, SSE).write('data: 1\n\n');
      await gate.promise;
      response.end('data: 2\n\n');
    });
    const message = streamFrom(streamOf(await fetch(url)));
    const [first] = (await once(message, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: 1\n\n');
    gate.resolve();
    expect(await readText(message)).toBe('data: 2\n\n');
  });

  it('is no stream but words where it is an error, whatever it is said to be', async () => {
    const { fetch, streamOf, url, opened } = await setUp((_request, response) => {
      response.writeHead(429, SSE).end('{"error":{"code":"insufficient_quota"}}');
    });
    const response = await fetch(url);
    expect(streamOf(response)).toBeUndefined();
    expect(await response.text()).toContain('insufficient_quota');
    await fetch(url);
    expect(opened()).toBe(1);
  });

  it('lets the next request use its connection', async () => {
    const { fetch, streamOf, url, opened } = await setUp((_request, response) => {
      response.writeHead(200, SSE).end('data: 1\n\n');
    });
    for (let count = 0; count < 3; count += 1) {
      await readText(streamFrom(streamOf(await fetch(url))));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(opened()).toBe(1);
  });

  it('that breaks off is an error', async () => {
    const { fetch, url } = await setUp((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    expect(await failureOf(fetch(url))).toBeInstanceOf(Error);
  });

  it('that never comes because the connection broke is an error with its code', async () => {
    const { fetch, url } = await setUp((request) => request.socket.destroy());
    expect(await failureOf(fetch(url))).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    let requests = 0;
    const { fetch, url } = await setUp(() => (requests += 1));
    const error = await failureOf(fetch(url, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(requests).toBe(0);
  });

  it('while it waits for an answer closes the connection', async () => {
    const { fetch, url, connections, opened } = await setUp(() => undefined);
    const controller = new AbortController();
    const failing = failureOf(fetch(url, { signal: controller.signal }));
    await until(() => opened() === 1);
    controller.abort();
    expect(await failing).toMatchObject({ name: 'AbortError' });
    await until(() => connections.size === 0);
  });

  it('in the middle of a stream closes the connection and ends the stream with an error', async () => {
    const { fetch, streamOf, url, connections } = await setUp((_request, response) => {
      response.writeHead(200, SSE).write('data: 1\n\n');
    });
    const controller = new AbortController();
    const message = streamFrom(streamOf(await fetch(url, { signal: controller.signal })));
    await once(message, 'data');
    const failing = failureOf(readText(message));
    controller.abort();
    expect(await failing).toBeInstanceOf(Error);
    await until(() => connections.size === 0);
  });

  it('in the middle of a whole answer closes the connection', async () => {
    const { fetch, url, connections } = await setUp((_request, response) => {
      response.writeHead(200).write('half');
    });
    const controller = new AbortController();
    const failing = failureOf(fetch(url, { signal: controller.signal }));
    await until(() => connections.size === 1);
    setImmediate(() => controller.abort());
    expect(await failing).toBeInstanceOf(Error);
    await until(() => connections.size === 0);
  });

  it('after the end does nothing, and nothing listens for it any more', async () => {
    const { fetch, url } = await setUp((_request, response) => response.end('whole'));
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    controller.abort();
    expect(await response.text()).toBe('whole');
  });
});
