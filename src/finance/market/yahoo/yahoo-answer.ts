import { marketError } from '../errors.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** Yahoo wants another cookie and crumb, or has nothing under that symbol. Never leaves this folder. */
export class YahooRefusal extends Error {
  override readonly name = 'YahooRefusal';
  readonly kind: 'session' | 'no-data';

  constructor(kind: YahooRefusal['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** 999 is Yahoo's own, older word for 429. */
const TOO_MANY = new Set([429, 999]);
const UNAUTHORIZED = new Set([401, 403]);
/** With a reason in JSON these say that there is no such symbol, or nothing of it in that time. */
const HAS_NONE = new Set([400, 404, 422]);
const ABOUT_ONE_SYMBOL = /^\/v8\/finance\/chart\/|^\/v10\/finance\/quoteSummary\//u;
/** Also with status 200 Yahoo has sent words or a page in the place of a crumb. */
const CRUMB = /^[^\s<>{}]{1,64}$/u;

const retryAfterMs = (value: string | undefined, now: Temporal.Instant): number | undefined => {
  if (value === undefined) return undefined;
  const ms = /^\d+$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - now.epochMilliseconds;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

const tooMany = ({ headers }: HttpAnswer, now: Temporal.Instant): Error =>
  marketError('MARKET_RATE_LIMITED', 'Yahoo Finance is asked too often', {
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** `{ "chart": { "result": null, "error": { "code", "description" } } }`, whatever its first name. */
const reasonIn = (body: string): string | undefined => {
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const [first] = Object.values(parsed) as unknown[];
  if (typeof first !== 'object' || first === null || !('error' in first)) return undefined;
  const { error } = first;
  const isReason = typeof error === 'object' && error !== null && 'description' in error;
  return isReason ? String(error.description) : undefined;
};

const unreachable = (message: string): Error => marketError('MARKET_UNREACHABLE', `Yahoo Finance ${message}`);

const checkStatus = (path: string, answer: HttpAnswer, now: Temporal.Instant): void => {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return;
  if (TOO_MANY.has(status)) throw tooMany(answer, now);
  if (UNAUTHORIZED.has(status)) throw new YahooRefusal('session', `status ${String(status)}`);
  if (HAS_NONE.has(status) && ABOUT_ONE_SYMBOL.test(path)) {
    const reason = reasonIn(body);
    if (reason !== undefined) throw new YahooRefusal('no-data', reason);
  }
  throw unreachable(`answered with status ${String(status)}`);
};

/** The JSON of a data request. Throws what a source throws, or a refusal. */
export const readData = (path: string, answer: HttpAnswer, now: Temporal.Instant): unknown => {
  checkStatus(path, answer, now);
  const parsed = parseJson(answer.body);
  // A page in the place of data: a portal on the way, or Yahoo's "will be right back".
  if (parsed === undefined) throw unreachable('sent something that is no data');
  return parsed;
};

/** Throws when the way to the cookie ends here. A page may be refused and still bring the cookie. */
export const checkCookieStep = (answer: HttpAnswer, now: Temporal.Instant): void => {
  const hasCookie = answer.headers['set-cookie'] !== undefined;
  if (answer.status >= 400 && !hasCookie) checkStatus('', answer, now);
};

export const readCrumb = (answer: HttpAnswer, now: Temporal.Instant): string => {
  checkStatus('', answer, now);
  if (/^too many requests/iu.test(answer.body.trim())) throw tooMany(answer, now);
  if (!CRUMB.test(answer.body)) throw new YahooRefusal('session', 'no crumb in the answer');
  return answer.body;
};
