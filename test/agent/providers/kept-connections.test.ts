import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { ANTHROPIC, CHAT, RESPONSES } from './contract.ts';
import { failureOf, hear, never } from './request.ts';

type Fault = (socket: Socket, response: ServerResponse) => void;

const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Where a server can let go of a connection that it has kept. */
const BEFORE_HEADERS: Fault = (socket) => void socket.resetAndDestroy();
const cutAfter =
  (headers: Readonly<Record<string, string>>, body: string): Fault =>
  (socket, response) => {
    response.writeHead(200, headers).flushHeaders();
    if (body !== '') response.write(body);
    setImmediate(() => void socket.resetAndDestroy());
  };
const STREAM_FAULTS: readonly (readonly [string, Fault])[] = [
  ['before the headers', BEFORE_HEADERS],
  ['behind the headers', cutAfter(SSE, '')],
  ['in the middle of the body', cutAfter(SSE, 'data: {"type":"ping"}\n\n')],
];
const WHOLE_FAULTS: readonly (readonly [string, Fault])[] = [
  ['before the headers', BEFORE_HEADERS],
  ['behind the headers', cutAfter({ ...JSON_TYPE, 'content-length': '1000' }, '')],
  ['in the middle of the body', cutAfter({ ...JSON_TYPE, 'content-length': '1000' }, '{"half":')],
];

/** The first answer comes from `url`; the second request meets a server that lets go of the same connection. */
const startFaulty = async (url: string, fault: Fault) => {
  const sockets: Socket[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    sockets.push(request.socket);
    const body = await readText(request);
    if (sockets.length > 1) {
      fault(request.socket, response);
      return;
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)
        ? [[name, value] as const]
        : [],
    );
    const answer = await fetch(new URL(request.url ?? '', url), {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(headers),
      ...(body === '' ? {} : { body }),
    });
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      .end(await answer.text());
  };
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { sockets, url: `http://127.0.0.1:${port}${new URL(url).pathname}` };
};

/** What the process would have died of. */
const watchProcess = () => {
  const seen: unknown[] = [];
  const note = (error: unknown): void => void seen.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    process.off('uncaughtExceptionMonitor', note);
  });
  return seen;
};

/** Long enough for late errors of a socket and for rejections that nobody took. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const expectServerError = (error: unknown): void => {
  expect(error).toBeInstanceOf(FailoverError);
  expect(error).toMatchObject({ fallbackReason: 'server-error' });
};

describe.each([ANTHROPIC, RESPONSES, CHAT])('a kept connection to $name', (subject) => {
  it.each(STREAM_FAULTS)(
    'that is reset %s is one failure of the server, is not sent again, and harms nothing else',
    async (_where, fault) => {
      const { adapterWith, url, reply, clock } = await subject.start();
      const faulty = await startFaulty(url, fault);
      const seen = watchProcess();
      const adapter = adapterWith({ baseUrl: faulty.url });
      reply({ kind: 'answer', text: 'Fine.' });
      expect(await hear(adapter, subject.request())).toMatchObject({ text: 'Fine.', error: undefined });
      await settle();
      expectServerError((await hear(adapter, subject.request())).error);
      await settle();
      expect(seen).toEqual([]);
      expect(faulty.sockets).toHaveLength(2);
      expect(faulty.sockets[1]).toBe(faulty.sockets[0]);
      expect(clock.pendingTimers).toBe(0);
    },
  );

  it.each(WHOLE_FAULTS)('that is reset %s is the same for an answer in one piece', async (_where, fault) => {
    const { adapterWith, url, reply } = await subject.start();
    const faulty = await startFaulty(url, fault);
    const seen = watchProcess();
    const adapter = adapterWith({ baseUrl: faulty.url });
    reply({ kind: 'answer', text: 'Fine.' });
    expect(await adapter.chatCompletion(subject.request(), never())).toMatchObject({
      blocks: [{ text: 'Fine.' }],
    });
    await settle();
    expectServerError(await failureOf(adapter.chatCompletion(subject.request(), never())));
    await settle();
    expect(seen).toEqual([]);
    expect(faulty.sockets).toHaveLength(2);
    expect(faulty.sockets[1]).toBe(faulty.sockets[0]);
  });
});
