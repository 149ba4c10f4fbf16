import { z } from 'zod';
import type { Envelope } from '../bolt-app.ts';
import { jsonIn } from '../wire.ts';

/** The content of a signed request. */
export type HttpRequest =
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
export const readHttpRequest = (contentType: string, text: string): HttpRequest =>
  contentType.startsWith('application/json') ? readEvent(text) : readForm(text);
