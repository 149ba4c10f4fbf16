import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeExchange, FakeScript } from '../model-reply.ts';
import { createSigner } from './answer.ts';
import type { AnthropicBody } from './body.ts';
import { createPromptCache } from './cache.ts';
import { type Connection, connectionOf, type Exchange } from './exchange.ts';
import { handle, type HandlerDeps } from './handler.ts';
import { receive } from './request.ts';

export interface FakeAnthropicOptions {
  /** Others get 401. Absent: every non-empty key is right. */
  readonly keys?: readonly string[];
  /** In milliseconds: the cache forgets by it. Default: the real time. */
  readonly now?: () => number;
  /** A shorter prefix is not cached. Default: 1024. */
  readonly minCacheTokens?: number;
  /** A prompt of more tokens is refused. Default: none is. */
  readonly contextWindow?: number;
  /** False where a long benchmark would fill the memory with bodies. Default: true. */
  readonly keepBodies?: boolean;
}

export interface FakeAnthropic {
  readonly url: string;
  readonly history: readonly FakeExchange<AnthropicBody>[];
  /** Queues replies, used in order by `/v1/messages`. A refused request uses none. */
  readonly reply: (...scripts: readonly FakeScript<AnthropicBody>[]) => void;
  /** What is used when the queue is empty. Default: the answer 'ok'. */
  readonly otherwise: (script: FakeScript<AnthropicBody>) => void;
  /** Ends also what hangs. */
  readonly close: () => Promise<void>;
}

/** A Messages API on loopback, as strict as the real one, for the real SDK to talk to. */
export const startFakeAnthropic = async (options: FakeAnthropicOptions = {}): Promise<FakeAnthropic> => {
  const {
    keys,
    now = Date.now,
    minCacheTokens = 1_024,
    contextWindow = Infinity,
    keepBodies = true,
  } = options;
  const history: Exchange[] = [];
  const queue: FakeScript<AnthropicBody>[] = [];
  const open = new Map<Connection, Promise<void>>();
  let fallback: FakeScript<AnthropicBody> = { kind: 'answer', text: 'ok' };

  const deps: HandlerDeps = {
    isRightKey: (apiKey) => keys === undefined || keys.includes(apiKey),
    contextWindow,
    keepBodies,
    signer: createSigner(),
    cache: createPromptCache(now, minCacheTokens),
    record: (exchange) => void history.push(exchange),
    nextScript: () => queue.shift() ?? fallback,
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const connection = connectionOf(response);
    const closed = new Promise<void>((resolve) => void response.once('close', resolve));
    open.set(connection, closed);
    void closed.then(() => open.delete(connection));
    try {
      await handle(await receive(request), response, connection, deps);
    } catch {
      // The client went before its request was whole, or what a hold waits for failed: there is no reply to give.
      connection.endByServer();
      response.destroy();
    }
  };

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    history,
    reply: (...scripts) => void queue.push(...scripts),
    otherwise: (script) => {
      fallback = script;
    },
    close: async () => {
      for (const connection of open.keys()) connection.endByServer();
      const stopped = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      // Replies learn of their end a little later than the server does: the history is final only then.
      await Promise.all([stopped, ...open.values()]);
    },
  };
};
