import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { isPublicAddress } from '#src/platform/net/public-address.ts';
import {
  createSafeFetch,
  type FetchOutcome,
  type SafeFetchDeps,
} from '#src/agent/tools/general/safe-fetch.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** The one address that the tests take for a public one; every other is judged as always. */
const PRETENDED_PUBLIC = '127.0.0.1';

const toAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** A web server of one test, as it is told. Every request that reached it is kept. */
export const startSite = async (
  listener: Listener,
  tls?: { readonly cert: string; readonly key: string },
) => {
  const requests: IncomingMessage[] = [];
  const openSockets = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const handle: RequestListener = (request, response) => {
    requests.push(request);
    for (const check of waiting) check();
    void listener(request, response);
  };
  const server: Server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.on('connection', (socket) => {
    openSockets.add(socket);
    socket.on('close', () => openSockets.delete(socket));
  });
  server.listen(0, PRETENDED_PUBLIC);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    openSockets,
    /** Resolves when so many requests have come. */
    asked: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (requests.length >= count) resolve();
        };
        waiting.push(check);
        check();
      }),
    at: (host: string, path = '/'): string => `${tls ? 'https' : 'http'}://${host}:${port}${path}`,
  };
};

/**
 * The real thing, which finds the given names at the given addresses (else at the test's own server), counts
 * how often it looked them up, and may use the given ports.
 */
export const webOf = (
  ports: readonly number[],
  names: Readonly<Record<string, readonly string[] | (() => Promise<readonly string[]>)>> = {},
  special: Partial<SafeFetchDeps> = {},
) => {
  const looked: string[] = [];
  const deps: SafeFetchDeps = {
    clock: systemClock,
    version: '9.9.9',
    allowedPorts: new Set(ports),
    isPublicAddress: (address) => address === PRETENDED_PUBLIC || isPublicAddress(address),
    lookup: async (name) => {
      looked.push(name);
      const found = names[name] ?? [PRETENDED_PUBLIC];
      return (typeof found === 'function' ? await found() : found).map(toAddress);
    },
    ...special,
  };
  const safeFetch = createSafeFetch(deps);
  const read = (address: string, signal = new AbortController().signal): Promise<FetchOutcome> =>
    safeFetch(address, signal);
  return { deps, read, looked };
};

const PATIENCE_MS = 30_000;

/** Until it is so: for what only the other end of a connection knows. */
export const until = async (isSo: () => boolean): Promise<void> => {
  const startedAtMs = performance.now();
  while (!isSo()) {
    if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error('it never came about');
    await new Promise((resolve) => setImmediate(resolve));
  }
};
