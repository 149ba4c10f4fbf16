import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, refusal } from './errors.ts';
import { checkFields } from './fields.ts';
import { type Answer, type Call, Dropped, findRoute, parseBody, readBody, type Route } from './http.ts';
import type { Incoming, Limits } from './limits.ts';
import { isDropped, type State } from './state.ts';
import { asNumber, asWire } from './wire.ts';

const PREFIX = '/api/v10';

const serveAttachment = (state: State, path: string, response: ServerResponse): void => {
  const [, , channelId = '', id = ''] = path.split('/');
  const messages = state.channels.get(channelId)?.messages.values() ?? [];
  const file =
    state.commandFiles.get(id) ??
    [...messages].flatMap(({ saying }) => saying.attachments).find((entry) => entry.id === id);
  if (!file) return void response.writeHead(404).end('This content is no longer available.');
  return void response
    .writeHead(200, { 'content-type': file.contentType ?? 'application/octet-stream' })
    .end(file.bytes);
};

const send = (
  response: ServerResponse,
  { status, body }: Answer,
  headers: Readonly<Record<string, string>>,
): void => {
  if (body === undefined) return void response.writeHead(status, headers).end();
  return void response
    .writeHead(status, { ...headers, 'content-type': 'application/json' })
    .end(JSON.stringify(body));
};

const tooMany = (retryAfterMs: number, isGlobal: boolean): Answer => ({
  status: 429,
  body: {
    message: 'You are being rate limited.',
    retry_after: Number((retryAfterMs / 1_000).toFixed(3)),
    global: isGlobal,
  },
});

const limitHeaders = (retryAfterMs: number, isGlobal: boolean): Readonly<Record<string, string>> => ({
  // The real one rounds up to whole seconds; tests would have to wait for that.
  'retry-after': (retryAfterMs / 1_000).toFixed(3),
  'x-ratelimit-scope': isGlobal ? 'global' : 'user',
  ...(isGlobal
    ? { 'x-ratelimit-global': 'true' }
    : { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': (retryAfterMs / 1_000).toFixed(3) }),
});

const failure = ({ status, code, message, errors }: ApiError): Answer => ({
  status,
  body: { message, code, ...(errors ? { errors } : {}) },
});

/** Answers requests as Discord would; the history has each one. */
export const createRest = (
  state: State,
  routes: readonly Route[],
  limits: Limits,
): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  const authorization = `Bot ${state.options.token}`;

  const answer = async (
    request: IncomingMessage,
    raw: Buffer,
    found: ReturnType<typeof findRoute>,
    url: URL,
    incoming: Incoming,
  ): Promise<{ readonly answer: Answer; readonly body: unknown }> => {
    const { route, params } = found;
    const parsed = await parseBody(raw, request.headers['content-type'] ?? '');
    const call: Call = {
      state,
      method: incoming.method,
      route: incoming.route,
      path: url.pathname,
      params,
      query: url.searchParams,
      ...parsed,
      done: (kind, channelId) => {
        const what = `${incoming.method} ${incoming.route}`;
        const isLost = isDropped(state, { kind, what, ...(channelId === undefined ? {} : { channelId }) });
        if (isLost) throw new Dropped();
      },
    };
    try {
      checkFields(incoming.method, incoming.route, call.json);
      limits.checkRefused(incoming, call.body, call.files.length);
      return { answer: route.handle(call), body: parsed.json };
    } catch (error) {
      if (error instanceof ApiError) return { answer: failure(error), body: parsed.json };
      throw error;
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', state.origin);
    const method = request.method ?? 'GET';
    if (/^\/(?:ephemeral-)?attachments\//.test(url.pathname))
      return serveAttachment(state, url.pathname, response);
    // The client went before its request was whole: there is no answer to give.
    const raw = await readBody(request).catch(() => undefined);
    if (!raw) return;
    let incoming: Incoming = {
      method,
      route: url.pathname,
      channelId: undefined,
      major: undefined,
      isOpen: false,
    };

    const finish = (result: Answer, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
      const code = asWire(result.body)['code'];
      state.record({
        type: 'request',
        method,
        route: incoming.route,
        path: url.pathname,
        ...(incoming.channelId === undefined ? {} : { channelId: incoming.channelId }),
        status: result.status,
        ...(result.status >= 400 && code !== undefined ? { code: asNumber(code) } : {}),
        body,
      });
      if (result.status === 0) response.destroy();
      else send(response, result, headers);
    };

    try {
      const found = findRoute(routes, method, url.pathname.replace(PREFIX, ''));
      const { params, route } = found;
      incoming = {
        method,
        route: route.route,
        channelId: params['channel'],
        major: params['channel'] ?? params['token'] ?? params['guild'],
        isOpen: route.isOpen === true,
      };
      const what = `${method} ${incoming.route}`;
      const { channelId } = incoming;
      if (isDropped(state, { kind: 'request', what, ...(channelId === undefined ? {} : { channelId }) }))
        throw new Dropped();
      if (state.options.callDelayMs > 0) await delay(state.options.callDelayMs);
      if (limits.take('lose-request', incoming)) throw new Dropped();
      const failed = limits.isDown() ? { status: 503 } : limits.take('fail', incoming);
      if (failed)
        return finish({ status: failed.status, body: { message: 'upstream error', code: 0 } }, undefined);
      if (!incoming.isOpen && request.headers.authorization !== authorization) throw refusal('unauthorized');
      const limited = limits.count(incoming);
      if (limited) {
        const { retryAfterMs, isGlobal } = limited;
        const headers = { ...limits.headers(incoming), ...limitHeaders(retryAfterMs, isGlobal) };
        return finish(tooMany(retryAfterMs, isGlobal), undefined, headers);
      }
      const result = await answer(request, raw, found, url, incoming);
      const slow = limits.take('slow', incoming);
      if (slow) await delay(slow.delayMs, undefined, { ref: false });
      await limits.take('held', incoming)?.until;
      if (limits.take('lose-response', incoming)) throw new Dropped();
      return finish(result.answer, result.body, limits.headers(incoming));
    } catch (error) {
      if (error instanceof ApiError) return finish(failure(error), undefined);
      if (error instanceof Dropped) return finish({ status: 0 }, undefined);
      throw error;
    }
  };

  return serve;
};
