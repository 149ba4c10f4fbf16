import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer as readBytes } from 'node:stream/consumers';
import type { FakeExchange, FakeReply, FakeScript } from '#test/fakes/model-reply.ts';
import { chatWriter } from './chat.ts';
import { isRecord, problem } from './check.ts';
import { type Problem, refusalBody, statusBody, wrongKey } from './errors.ts';
import { createIssuedItems } from './issued-items.ts';
import { play, sendJson } from './play.ts';
import { countTokens, createPromptCache, promptOf } from './prompt-cache.ts';
import { responsesWriter } from './responses.ts';
import {
  type FakeSpeech,
  type HeardRecording,
  lengthProblem,
  readRecording,
  sendWords,
} from './transcriptions.ts';
import type { OpenAiBody } from './types.ts';
import { checkChat } from './validate-chat.ts';
import { checkResponses } from './validate-responses.ts';

export type { OpenAiBody } from './types.ts';

export interface FakeOpenAiOptions {
  /** Others get 401. Absent: every non-empty key is right. */
  readonly keys?: readonly string[];
  /** In tokens. What is longer gets 400 `context_length_exceeded`. */
  readonly contextWindow?: number;
  /** As vLLM does it: the answer that is asked for has to fit into the window beside the prompt. Default: false. */
  readonly countsAnswer?: boolean;
  /** Off for long runs: the history then has empty bodies. Default: true. */
  readonly keepBodies?: boolean;
}

export interface FakeOpenAi {
  /** With `/v1`. */
  readonly url: string;
  /** A wrong key and a prompt that is too long count as refused too. */
  readonly history: readonly FakeExchange<OpenAiBody>[];
  /** Queues replies, used in order, by requests that are not refused. */
  readonly reply: (...scripts: readonly FakeScript<OpenAiBody>[]) => void;
  /** What is used when the queue is empty. Default: answer 'ok'. */
  readonly otherwise: (script: FakeScript<OpenAiBody>) => void;
  /** Queues what is heard in recordings, in order. When the queue is empty, nothing is heard. */
  readonly speak: (...speeches: readonly FakeSpeech[]) => void;
  /** The recordings that were accepted, in order. */
  readonly recordings: readonly HeardRecording[];
  /** Breaks the connections that are still open. */
  readonly close: () => Promise<void>;
}

type Entry = { -readonly [Key in keyof FakeExchange<OpenAiBody>]: FakeExchange<OpenAiBody>[Key] };

const MODELS = ['gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6-luna'];

const parse = (text: string): OpenAiBody | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
};

const tooLong = (path: string): Problem =>
  problem(
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    path === '/v1/responses' ? 'input' : 'messages',
    'context_length_exceeded',
  );

/** An OpenAI server on loopback that checks what it is sent and answers what the test says. */
export const startFakeOpenAi = async (options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> => {
  const history: Entry[] = [];
  const queue: FakeScript<OpenAiBody>[] = [];
  const issued = createIssuedItems();
  const cache = createPromptCache();
  let fallback: FakeScript<OpenAiBody> = { kind: 'answer', text: 'ok' };
  let isClosing = false;
  const speeches: FakeSpeech[] = [];
  const recordings: HeardRecording[] = [];

  const isRightKey = (key: string): boolean => options.keys?.includes(key) ?? key !== '';

  const nextReply = (body: OpenAiBody, onBug: (message: string) => void): FakeReply => {
    const script = queue.shift() ?? fallback;
    if (typeof script !== 'function') return script;
    try {
      return script(body);
    } catch (error) {
      const message = `The script of the fake failed: ${String(error)}`;
      onBug(message);
      return { kind: 'status', status: 500, message };
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let wasAborted = false;
    let isSevered = false;
    response.on('close', () => {
      wasAborted ||= !response.writableEnded && !isSevered && !isClosing;
    });
    // Writing to a client that has left is not a fault of the fake.
    response.on('error', () => undefined);
    const requestId = `req_${randomUUID().replaceAll('-', '')}`;
    response.setHeader('x-request-id', requestId);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const apiKey = /^Bearer (?<key>.+)$/u.exec(request.headers.authorization ?? '')?.groups?.['key'] ?? '';
    const bytes = await readBytes(request);
    const body = parse(bytes.toString());
    const entry: Entry = {
      path,
      requestId,
      apiKey,
      body: options.keepBodies === false ? {} : (body ?? {}),
      outcome: 'answer',
      wasAborted: () => wasAborted,
    };
    history.push(entry);

    const refuse = (status: number, found: Problem): void => {
      entry.outcome = 'refused';
      entry.problem = found.message;
      sendJson(response, status, refusalBody(found));
    };

    if (!isRightKey(apiKey)) return refuse(401, wrongKey(apiKey));
    const route = `${request.method ?? ''} ${path}`;
    if (route === 'GET /v1/models') {
      const data = MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'openai' }));
      return sendJson(response, 200, { object: 'list', data });
    }
    if (route === 'POST /v1/audio/transcriptions') {
      const read = await readRecording(Uint8Array.from(bytes), request.headers['content-type'] ?? '');
      if ('found' in read) return refuse(read.status, read.found);
      const speech = speeches.shift() ?? { kind: 'words', text: '' };
      const tooLong = lengthProblem(speech);
      if (tooLong) return refuse(400, tooLong);
      recordings.push(read);
      if (speech.kind === 'words') return sendWords(speech, response);
      entry.outcome = 'status';
      return sendJson(response, speech.status, statusBody(speech));
    }
    const isResponses = route === 'POST /v1/responses';
    if (!isResponses && route !== 'POST /v1/chat/completions') {
      return refuse(404, problem(`Invalid URL (${route})`, null));
    }
    if (!body) {
      return refuse(400, problem('We could not parse the JSON body of your request.', null));
    }
    const found = isResponses ? checkResponses(body, issued) : checkChat(body);
    if (found) return refuse(400, found);
    const answerTokens = options.countsAnswer ? Number(body['max_tokens'] ?? 0) : 0;
    const neededTokens = countTokens(promptOf(body)) + answerTokens;
    if (neededTokens > (options.contextWindow ?? Number.POSITIVE_INFINITY)) {
      return refuse(400, tooLong(path));
    }

    const reply = nextReply(body, (message) => (entry.problem = message));
    entry.outcome = reply.kind;
    // A request that is turned away at the door is not read, and so not cached.
    const input =
      reply.kind === 'status' ? { input: 0, cacheRead: 0, cacheWrite: 0 } : cache.account(apiKey, body);
    await play(reply, {
      response,
      writer: isResponses ? responsesWriter(body, input, issued) : chatWriter(body, input),
      isStream: body.stream === true,
      onUsage: (usage) => (entry.usage = usage),
      sever: () => {
        isSevered = true;
        response.destroy();
      },
    });
  };

  const server = createServer((request, response) => {
    // Only a client that leaves while it still sends comes here: there is no one to answer.
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    history,
    reply: (...scripts) => void queue.push(...scripts),
    otherwise: (script) => void (fallback = script),
    speak: (...more) => void speeches.push(...more),
    recordings,
    close: async () => {
      if (!server.listening) return;
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
