import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '#src/kernel/errors.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { createServer } from '#src/platform/net/http.ts';
import { listen } from '#src/platform/net/listen.ts';
import { readAtMost } from '#src/platform/net/read-at-most.ts';
import type { Envelope } from '../bolt-app.ts';
import type { SlackConnection, SlackConnectionDeps } from './connection.ts';
import { EVENTS_PATH, type HttpSettings, PORT_ADVICE } from '../settings.ts';
import { isSigned, signatureFault, type SignatureFault } from './signature.ts';
import { z } from 'zod';
import { jsonIn } from '../wire.ts';

interface HttpDeps extends SlackConnectionDeps {
  readonly settings: HttpSettings;
  /** No other process gets a part of the requests. */
  readonly isOnly: boolean;
  /** The port cannot be used. */
  readonly onUnusable: (error: unknown) => void;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

const MAX_BODY_BYTES = 1_000_000;
/** Slack gives a request up after three seconds. */
const REQUEST_TIMEOUT_MS = 3_000;
const ANSWER_WITHIN_MS = 2_500;
const CLOSE_TIMEOUT_MS = 500;
/** Longer than proxies keep their connections, usually a minute: they must not send a request over one that is closing. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS = 1_000;
const WARN_EVERY_MS = 60_000;

/** Slack sends an event again after this answer. */
const NOT_NOW: Answer = { status: 503 };

const REASONS: Readonly<Record<SignatureFault, string>> = {
  missing: 'it has no signature',
  expired: 'it was not signed within the last five minutes; check the clock of this machine',
  wrong: 'the signature does not match; check SLACK_SIGNING_SECRET',
};

/**
 * Receives Slack's requests behind a proxy with TLS. A request becomes the envelope that Socket Mode would
 * have brought, and its acknowledgement becomes the answer. What is not acknowledged in time is answered with 503, so that
 * Slack sends the event again; the work goes on, and the inbox recognizes the second delivery.
 */
export const createHttpConnection = (deps: HttpDeps): SlackConnection => {
  const { settings, clock, logger } = deps;
  const { signingSecret, host, port } = settings;
  let opened: Promise<void> = Promise.resolve();
  let isClosing = false;
  const lastWarnedMs = new Map<SignatureFault, number>();

  /** Anybody can send such requests, so they must not fill the log. */
  const warnOf = (fault: SignatureFault): void => {
    if (clock.monotonicMs() - (lastWarnedMs.get(fault) ?? -Infinity) < WARN_EVERY_MS) return;
    lastWarnedMs.set(fault, clock.monotonicMs());
    const reason = REASONS[fault];
    // One without a signature is from a stranger. The others may be from Slack, and then the operator has to act.
    if (fault === 'missing') logger.debug('Slack: refused a request', { reason });
    else logger.warn('Slack: refused a request', { reason });
  };

  const handle = async (envelope: Omit<Envelope, 'ack'>): Promise<Answer> => {
    const { promise: acked, resolve } = Promise.withResolvers<Answer>();
    const ack = async (body?: unknown): Promise<void> => resolve({ status: 200, body });
    void deps.onEnvelope({ ...envelope, ack }).then(() => resolve(NOT_NOW));
    const answer = await waitAtMost(acked, ANSWER_WITHIN_MS, clock);
    if (!answer) logger.warn('Slack: a request takes too long', { type: envelope.type });
    return answer ?? NOT_NOW;
  };

  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const { url = '', method, headers } = request;
    const [path] = url.split('?', 1);
    if (path !== EVENTS_PATH) return { status: 404 };
    if (method !== 'POST') return { status: 405 };
    if (Number(headers['content-length']) > MAX_BODY_BYTES) return { status: 413 };
    // Strangers must not make the process keep what they send.
    if (!isSigned(headers)) {
      warnOf('missing');
      return { status: 401 };
    }
    const bytes = await readAtMost(request, MAX_BODY_BYTES);
    const fault = signatureFault(bytes, headers, signingSecret, clock.now());
    if (fault) {
      warnOf(fault);
      return { status: 401 };
    }
    const { 'x-slack-retry-num': attempt, 'x-slack-retry-reason': reason } = headers;
    if (attempt !== undefined) logger.debug('Slack: an event comes again', { attempt, reason });
    const read = readHttpRequest(headers['content-type'] ?? '', Buffer.from(bytes).toString());
    if (read.kind === 'malformed') return { status: 400 };
    if (read.kind === 'challenge') return { status: 200, body: { challenge: read.challenge } };
    if (read.kind === 'check') return { status: 200 };
    return handle(read);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { status, body } = await answerTo(request);
      if (status === 405) response.setHeader('allow', 'POST');
      // A refused request is from strangers: the rest of a body is not read, and no connection is kept for them.
      if ((status >= 400 && status < 500) || isClosing) response.setHeader('connection', 'close');
      if (body !== undefined) response.setHeader('content-type', 'application/json');
      response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body));
    } catch (error) {
      logger.debug('Slack: could not read a request', { reason: errorMessage(error) });
      response.destroy();
    }
  };

  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: REQUEST_TIMEOUT_MS / 2,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void respond(request, response),
  );

  server.maxConnections = MAX_CONNECTIONS;

  const begin = async (): Promise<void> => {
    deps.onConnecting();
    try {
      await listen(server, settings, PORT_ADVICE);
    } catch (error) {
      deps.onUnusable(error);
      return;
    }
    logger.info('Slack: listening', { host, port, path: EVENTS_PATH });
    deps.onConnected({ isSeamless: false, isOnly: deps.isOnly });
  };

  return {
    open: () => {
      opened = begin();
    },
    isConnected: () => server.listening,
    close: async () => {
      isClosing = true;
      await opened;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      // Answers that are being written may still leave.
      await waitAtMost(closed, CLOSE_TIMEOUT_MS, clock);
      server.closeAllConnections();
    },
  };
};

/** The content of a signed request. */
type HttpRequest =
  | {
      readonly kind: 'envelope';
      readonly type: Envelope['type'];
      readonly body: Readonly<Record<string, unknown>>;
    }
  /** Slack asks whether the bot answers at this address. */
  | { readonly kind: 'challenge'; readonly challenge: string }
  /** Slack checks the certificate of the address. */
  | { readonly kind: 'check' }
  | { readonly kind: 'malformed' };

const MALFORMED: HttpRequest = { kind: 'malformed' };

const objectIn = (json: string): Readonly<Record<string, unknown>> | undefined =>
  z.record(z.string(), z.unknown()).safeParse(jsonIn(json)).data;

const readEvent = (text: string): HttpRequest => {
  const body = objectIn(text);
  if (!body) return MALFORMED;
  const { type, challenge } = body;
  if (type !== 'url_verification') return { kind: 'envelope', type: 'events_api', body };
  return typeof challenge === 'string' ? { kind: 'challenge', challenge } : MALFORMED;
};

/** Commands are forms; buttons and views are JSON in the field `payload` of a form. */
const readForm = (text: string): HttpRequest => {
  const form = new URLSearchParams(text);
  const payload = form.get('payload');
  if (form.has('ssl_check')) return { kind: 'check' };
  if (payload === null)
    return form.has('command')
      ? { kind: 'envelope', type: 'slash_commands', body: Object.fromEntries(form) }
      : MALFORMED;
  const body = objectIn(payload);
  return body ? { kind: 'envelope', type: 'interactive', body } : MALFORMED;
};

/** Reads a request into the envelope that Socket Mode would have brought. */
const readHttpRequest = (contentType: string, text: string): HttpRequest =>
  contentType.startsWith('application/json') ? readEvent(text) : readForm(text);
