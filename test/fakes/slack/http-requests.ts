import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Json } from './api.ts';
import type { Core } from './core.ts';
import { ConnectionDropped } from './errors.ts';
import { momentOf } from './sockets.ts';

/** The headers that prove that a body is from Slack. */
export const signedHeaders = (secret: string, body: string, at: Temporal.Instant) => {
  const sentAtS = Math.floor(at.epochMilliseconds / 1_000);
  const digest = createHmac('sha256', secret).update(`v0:${sentAtS}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(sentAtS), 'x-slack-signature': `v0=${digest}` };
};

/** As Slack writes it into `X-Slack-Retry-Reason`. */
export type FailureReason = 'http_timeout' | 'http_error' | 'connection_failed';

interface HttpDeps {
  readonly core: Core;
  readonly onAck: (envelopeId: string, payload: Json) => void;
  readonly onFailure: (envelopeId: string, reason: FailureReason) => void;
}

interface Sent {
  readonly status: number;
  readonly body: string;
}

interface Posting {
  /** Never rejects. */
  readonly promise: Promise<Sent | FailureReason>;
  readonly cut: () => void;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The content of a frame of the socket, as Slack writes it into a request. */
const contentOf = ({ type, payload }: Json): { readonly contentType: string; readonly body: string } => {
  if (type === 'events_api') return { contentType: JSON_TYPE, body: JSON.stringify(payload) };
  const fields =
    type === 'interactive' ? { payload: JSON.stringify(payload) } : (payload as Record<string, string>);
  return { contentType: FORM_TYPE, body: new URLSearchParams(fields).toString() };
};

/** An answer that is not JSON is shown as it is. */
const payloadOf = (body: string): Json => {
  if (body === '') return {};
  try {
    return JSON.parse(body) as Json;
  } catch {
    return { text: body };
  }
};

/** HTTP mode: brings envelopes as signed requests. A 2xx within three seconds acknowledges them, nothing else does. */
export class HttpRequests {
  readonly #deps: HttpDeps;
  readonly #url: string;
  readonly #underWay = new Set<() => void>();

  constructor(deps: HttpDeps, url: string) {
    this.#deps = deps;
    this.#url = url;
  }

  /** Slack has one address, however many processes are behind it. */
  carry(frame: Json): number {
    const { core, onAck, onFailure } = this.#deps;
    const envelopeId = String(frame['envelope_id']);
    const { contentType, body } = contentOf(frame);
    const { retry_attempt: attempt, retry_reason: reason } = frame;
    const retry =
      typeof attempt === 'number' && attempt > 0
        ? { 'x-slack-retry-num': String(attempt), 'x-slack-retry-reason': String(reason) }
        : {};
    const { promise, cut } = this.#post(contentType, body, retry);
    void promise.then((sent) => {
      if (typeof sent === 'string') return onFailure(envelopeId, sent);
      if (sent.status < 200 || sent.status > 299) return onFailure(envelopeId, 'http_error');
      this.#guarded(
        () => onAck(envelopeId, payloadOf(sent.body)),
        () => onFailure(envelopeId, 'connection_failed'),
      );
    });
    this.#guarded(() => core.chronicle.moment(momentOf(frame)), cut);
    return 0;
  }

  close(): void {
    for (const cut of this.#underWay) cut();
  }

  /** Asks as when the address is saved: whether the bot is there and gives the challenge back. */
  async verify(): Promise<boolean> {
    const challenge = this.#deps.core.world.newId('challenge');
    const body = JSON.stringify({ token: 'verification-token', challenge, type: 'url_verification' });
    const sent = await this.#post(JSON_TYPE, body, {}).promise;
    return typeof sent !== 'string' && sent.status === 200 && payloadOf(sent.body)['challenge'] === challenge;
  }

  /** A test may kill the connection at this point. */
  #guarded(action: () => void, onDropped: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      onDropped();
    }
  }

  #post(contentType: string, body: string, retry: Readonly<Record<string, string>>): Posting {
    const { clock, settings } = this.#deps.core;
    const { promise, resolve } = Promise.withResolvers<Sent | FailureReason>();
    const posting = request(this.#url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': contentType,
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...signedHeaders(settings.signingSecret, body, clock.now()),
        ...retry,
      },
    });
    const cut = (): void => void posting.destroy();
    const cancel = clock.after(settings.ackTimeoutMs, () => {
      resolve('http_timeout');
      cut();
    });
    posting.once('error', () => resolve('connection_failed'));
    posting.once('response', (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
        () => resolve('connection_failed'),
      );
    });
    posting.end(body);
    this.#underWay.add(cut);
    const ended = promise.finally(() => {
      cancel();
      this.#underWay.delete(cut);
    });
    return { promise: ended, cut };
  }
}
