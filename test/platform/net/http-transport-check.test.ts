import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpTransport, requestText, withRequestCheck } from '#src/platform/net/http-transport.ts';

/** A server that says what it has received: whole requests, and bytes of any. */
const setUp = async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('answer');
  });
  let connections = 0;
  let bytes = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => (bytes += socket.bytesRead));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const origin = `http://127.0.0.1:${port}`;
  const { fetch } = createHttpTransport();
  return {
    requests,
    connections: () => connections,
    /** Known when all connections are closed. */
    bytesReceived: async () => {
      await close();
      return bytes;
    },
    send: (path: string) => requestText(`${origin}${path}`, { method: 'POST', headers: {}, body: 'text' }),
    fetch: (path: string) => fetch(`${origin}${path}`, { method: 'POST', body: 'text' }),
  };
};

/** Passes some times, and throws from then on. */
const checkThat = (passes: number) => {
  let calls = 0;
  const check = (): void => {
    calls += 1;
    if (calls > passes) throw new Error('no longer allowed');
  };
  return { check, calls: () => calls };
};

describe('the check of requests', () => {
  it('runs for each request of the work and of what it awaits, and for no other', async () => {
    const { send, fetch, requests } = await setUp();
    const seen: string[] = [];
    const check = (): void => void seen.push(`after ${requests.length}`);
    await send('/before');
    await withRequestCheck(check, async () => {
      await send('/1');
      await nextTurn();
      await fetch('/2');
      await new Promise((resolve) => setTimeout(resolve, 1));
      await send('/3');
    });
    await send('/after');
    expect(requests).toEqual(['/before', '/1', '/2', '/3', '/after']);
    // The connection is there, so each is checked once.
    expect(seen).toEqual(['after 1', 'after 2', 'after 3']);
  });

  it('that belongs to other work does not count', async () => {
    const { send, requests } = await setUp();
    const refused = withRequestCheck(checkThat(0).check, () => send('/refused'));
    const allowed = withRequestCheck(checkThat(9).check, () => send('/allowed'));
    await expect(refused).rejects.toThrow('no longer allowed');
    expect(await allowed).toMatchObject({ status: 200, text: 'answer' });
    expect(requests).toEqual(['/allowed']);
  });

  it.each(['send', 'fetch'] as const)('keeps a request from the server when it throws (%s)', async (way) => {
    const server = await setUp();
    const refused = withRequestCheck(checkThat(0).check, () => server[way]('/refused'));
    await expect(refused).rejects.toThrow('no longer allowed');
    await server.send('/after');
    expect([server.requests, server.connections()]).toEqual([['/after'], 1]);
  });

  it.each(['send', 'fetch'] as const)(
    'keeps a request from the server when it throws only once the new connection is there (%s)',
    async (way) => {
      const server = await setUp();
      const { check, calls } = checkThat(1);
      const refused = withRequestCheck(check, () => server[way]('/refused'));
      await expect(refused).rejects.toThrow('no longer allowed');
      expect(calls()).toBe(2);
      expect([server.requests, await server.bytesReceived()]).toEqual([[], 0]);
    },
  );

  it('keeps a request on a connection that is there already from the server', async () => {
    const server = await setUp();
    const { check } = checkThat(2);
    const work = withRequestCheck(check, async () => {
      await server.send('/first');
      await server.send('/second');
    });
    await expect(work).rejects.toThrow('no longer allowed');
    expect([server.requests, server.connections()]).toEqual([['/first'], 1]);
  });
});
