import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApi } from '#channels/discord/api.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { NEVER } from './fixture.ts';

/** A Discord of this test alone that answers everything alike. */
const apiTo = async (answer: (response: ServerResponse) => unknown) => {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => void answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const api = createApi(
    { token: 'a token of the test', apiUrl: `http://127.0.0.1:${port}/api` },
    systemClock,
  );
  onTestFinished(() => {
    api.close();
    server.closeAllConnections();
    server.close();
  });
  return api;
};

describe('a request to Discord', () => {
  it('is not taken for a success where it is redirected', async () => {
    const api = await apiTo((response) => response.writeHead(308, { location: 'https://127.0.0.1/' }).end());
    const asked = api.request('POST', '/channels/1/messages', { body: { content: 'hello' } }, NEVER);
    await expect(asked).rejects.toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('308'),
    });
  });

  it('has no result where Discord sends none', async () => {
    const api = await apiTo((response) => response.writeHead(204).end());
    const deleted = api.request<ArrayBuffer>('DELETE', '/channels/1/messages/2', {}, NEVER);
    expect((await deleted).byteLength).toBe(0);
  });

  it('fails where the response is cut off', async () => {
    const api = await apiTo((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"id":', () => response.destroy());
    });
    await expect(api.request('GET', '/users/@me', {}, NEVER)).rejects.toMatchObject({
      failure: 'unreachable',
    });
  });
});
