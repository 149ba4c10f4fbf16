import type { Envelope } from './bolt-app.ts';

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
  /** Slack holds events back, because there are too many. */
  | { readonly kind: 'limited' }
  | { readonly kind: 'malformed' };

const MALFORMED: HttpRequest = { kind: 'malformed' };

const objectIn = (json: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
};

const readEvent = (text: string): HttpRequest => {
  const body = objectIn(text);
  if (!body) return MALFORMED;
  const { type, challenge } = body;
  if (type === 'app_rate_limited') return { kind: 'limited' };
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
