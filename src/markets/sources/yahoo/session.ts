import type { Clock } from '#src/platform/concurrency/clock.ts';
import { marketError } from '../errors.ts';
import type { HttpResponse, RequestYahoo } from './http.ts';

/** Yahoo requires a new session, or does not know the symbol. Never leaves this folder. */
export class YahooRefusal extends Error {
  override readonly name = 'YahooRefusal';
  readonly kind: 'session' | 'no-data';

  constructor(kind: YahooRefusal['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** 999 is Yahoo's legacy code for 429. */
const RATE_LIMIT_STATUSES = new Set([429, 999]);
const UNAUTHORIZED_STATUSES = new Set([401, 403]);
/** With a JSON reason, these mean an unknown symbol or an empty period. */
const NOT_FOUND_STATUSES = new Set([400, 404, 422]);
const ABOUT_ONE_SYMBOL = /^\/v8\/finance\/chart\/|^\/v10\/finance\/quoteSummary\//u;
/** Yahoo sometimes answers 200 with text or a page instead of a crumb. */
const CRUMB = /^[^\s<>{}]{1,64}$/u;

const retryAfterMs = (value: string | undefined, now: Temporal.Instant): number | undefined => {
  if (value === undefined) return undefined;
  const ms = /^\d+$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - now.epochMilliseconds;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

const rateLimited = ({ headers }: HttpResponse, now: Temporal.Instant): Error =>
  marketError('MARKET_RATE_LIMITED', 'Yahoo Finance limits the request rate', {
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads `{ "chart": { "result": null, "error": { "code", "description" } } }`, under any root key. */
const errorReason = (body: string): string | undefined => {
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const [first] = Object.values(parsed) as unknown[];
  if (typeof first !== 'object' || first === null || !('error' in first)) return undefined;
  const { error } = first;
  const isReason = typeof error === 'object' && error !== null && 'description' in error;
  return isReason ? String(error.description) : undefined;
};

const unreachable = (message: string): Error => marketError('MARKET_UNREACHABLE', `Yahoo Finance ${message}`);

const checkStatus = (path: string, answer: HttpResponse, now: Temporal.Instant): void => {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return;
  if (RATE_LIMIT_STATUSES.has(status)) throw rateLimited(answer, now);
  if (UNAUTHORIZED_STATUSES.has(status)) throw new YahooRefusal('session', `status ${String(status)}`);
  if (NOT_FOUND_STATUSES.has(status) && ABOUT_ONE_SYMBOL.test(path)) {
    const reason = errorReason(body);
    if (reason !== undefined) throw new YahooRefusal('no-data', reason);
  }
  throw unreachable(`answered with status ${String(status)}`);
};

/** The JSON of a data request. Throws market errors or a `YahooRefusal`. */
export const readData = (path: string, answer: HttpResponse, now: Temporal.Instant): unknown => {
  checkStatus(path, answer, now);
  const parsed = parseJson(answer.body);
  // A page instead of data comes from a captive portal or Yahoo's maintenance.
  if (parsed === undefined) throw unreachable('sent a response that is not JSON');
  return parsed;
};

/** Throws if a page is refused without a cookie. */
const checkCookieStep = (answer: HttpResponse, now: Temporal.Instant): void => {
  const hasCookie = answer.headers['set-cookie'] !== undefined;
  if (answer.status >= 400 && !hasCookie) checkStatus('', answer, now);
};

const readCrumb = (answer: HttpResponse, now: Temporal.Instant): string => {
  checkStatus('', answer, now);
  if (/^too many requests/iu.test(answer.body.trim())) throw rateLimited(answer, now);
  if (!CRUMB.test(answer.body)) throw new YahooRefusal('session', 'no crumb in the response');
  return answer.body;
};

/** The credentials of endpoints that need a crumb. */
export type YahooSession = Awaited<ReturnType<typeof openYahooSession>>;

const COOKIE_PAGE = 'https://finance.yahoo.com/quote/AAPL';
const CRUMB_URL = 'https://query1.finance.yahoo.com/v1/test/getcrumb';
/** Two consent pages, two redirects back, and some spare. */
const MAX_STEPS = 8;
/** Pages set cookies only for this accept header. */
const PAGE = { accept: 'text/html,application/xhtml+xml,application/xml' };
const CONSENT_HOSTS: ReadonlySet<string> = new Set(['guce.yahoo.com', 'consent.yahoo.com']);
const HIDDEN_INPUT = /<input type="hidden" name="([^"]{1,64})" value="([^"]{0,2000})">/gu;

const domainMatches = (domain: string, host: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/** The cookies of one session. Cookies for foreign domains are ignored. */
const createCookieJar = () => {
  const cookies = new Map<string, { readonly pair: string; readonly domain: string }>();
  return {
    keep: ({ headers }: HttpResponse, { hostname }: URL): void => {
      for (const line of headers['set-cookie'] ?? []) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
        const [name = ''] = pair.split('=');
        const given = attributes.find((attribute) => /^domain=/iu.test(attribute))?.slice('domain='.length);
        const domain = (given ?? hostname).replace(/^\./u, '').toLowerCase();
        if (name !== '' && domainMatches(domain, hostname))
          cookies.set(`${name} ${domain}`, { pair, domain });
      }
    },
    headerFor: ({ hostname }: URL): string =>
      [...cookies.values()]
        .filter(({ domain }) => domainMatches(domain, hostname))
        .map(({ pair }) => pair)
        .join('; '),
  };
};

const decodeEntities = (text: string): string =>
  text.replaceAll(/&#x([0-9a-f]{1,3});/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** The hidden fields of a consent page, with consent given. */
const consentForm = (html: string): string => {
  const form = new URLSearchParams();
  for (const [, name = '', value = ''] of html.matchAll(HIDDEN_INPUT))
    form.append(name, decodeEntities(value));
  form.append('agree', 'agree');
  return form.toString();
};

/**
 * Gets a cookie, through the consent pages if required, and its crumb. Throws a `session` refusal if Yahoo gives
 * neither, and market errors.
 */
export const openYahooSession = async (request: RequestYahoo, clock: Clock, signal: AbortSignal) => {
  const jar = createCookieJar();
  const step = async (url: URL, form?: string): Promise<HttpResponse> => {
    const cookie = jar.headerFor(url);
    const answer = await request(
      url,
      {
        headers: {
          ...PAGE,
          ...(cookie !== '' && { cookie }),
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { method: 'POST', body: form }),
        // The bodies of other pages are megabytes long and not needed.
        wantsBody: form === undefined && url.hostname === 'consent.yahoo.com',
      },
      signal,
    );
    checkCookieStep(answer, clock.now());
    jar.keep(answer, url);
    return answer;
  };

  let url = new URL(COOKIE_PAGE);
  for (let steps = 0; ; steps += 1) {
    if (steps >= MAX_STEPS) throw new YahooRefusal('session', 'too many consent pages');
    const page = await step(url);
    const isForm = url.hostname === 'consent.yahoo.com' && page.headers.location === undefined;
    const { location } = (isForm ? await step(url, consentForm(page.body)) : page).headers;
    if (location === undefined) break;
    const next = new URL(location, url);
    const isConsent = CONSENT_HOSTS.has(url.hostname) || next.hostname.startsWith('guce.yahoo.com');
    // Outside the consent flow, the cookie came with the redirect itself.
    if (!isConsent) break;
    url = next;
  }
  const crumbUrl = new URL(CRUMB_URL);
  const cookie = jar.headerFor(crumbUrl);
  if (cookie === '') throw new YahooRefusal('session', 'no cookie in the response');
  const headers = { cookie, origin: 'https://finance.yahoo.com', referer: COOKIE_PAGE };
  const answer = await request(crumbUrl, { headers }, signal);
  return { crumb: readCrumb(answer, clock.now()), cookieFor: jar.headerFor };
};
