import { once } from 'node:events';
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Rewriting {
  readonly contentType?: string;
  /** The body in the pieces in which it is sent, each on its own. */
  readonly pieces: (body: Buffer) => readonly (Buffer | string)[];
  /** The reply ends only then, though all of it was sent. */
  readonly endsAfter?: Promise<void>;
}

/** Stands between a client and a server, and does to the replies what a network or a bad server might do. */
export const startRewritingProxy = async (targetUrl: string, rewriting: Rewriting): Promise<string> => {
  const { origin, pathname } = new URL(targetUrl);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const upstream = forward(origin + (request.url ?? '/'), {
      method: request.method,
      headers: { ...request.headers, host: new URL(origin).host },
    });
    upstream.end(await buffer(request));
    const [reply] = (await once(upstream, 'response')) as [IncomingMessage];
    const body = await buffer(reply);
    response.writeHead(reply.statusCode ?? 500, {
      'content-type': rewriting.contentType ?? reply.headers['content-type'] ?? 'application/json',
    });
    response.socket?.setNoDelay(true);
    for (const piece of rewriting.pieces(body)) {
      response.write(piece);
      // On its way before the next one follows, so that the client reads them apart.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await rewriting.endsAfter;
    response.end();
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`;
};

/** Byte by byte: every letter of Korean and every emoji comes in parts. */
export const byteByByte: Rewriting = {
  pieces: (body) => Array.from(body, (byte) => Buffer.of(byte)),
};
