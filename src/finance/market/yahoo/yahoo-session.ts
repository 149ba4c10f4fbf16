import type { Clock } from '#src/infra/clock.ts';
import type { HttpAnswer } from './http-exchange.ts';
import { checkCookieStep, readCrumb, YahooRefusal } from './yahoo-answer.ts';
import type { RequestYahoo } from './yahoo-request.ts';

/** What the crumbed endpoints want to see. */
export interface YahooSession {
  readonly crumb: string;
  readonly cookieFor: (url: URL) => string;
}

const COOKIE_PAGE = 'https://finance.yahoo.com/quote/AAPL';
const CRUMB_URL = 'https://query1.finance.yahoo.com/v1/test/getcrumb';
/** Two for the consent pages, two back, and some to spare. */
const MAX_STEPS = 8;
/** Without this no page sets a cookie. */
const PAGE = { accept: 'text/html,application/xhtml+xml,application/xml' };
const CONSENT_HOSTS: ReadonlySet<string> = new Set(['guce.yahoo.com', 'consent.yahoo.com']);
const HIDDEN_INPUT = /<input type="hidden" name="([^"]{1,64})" value="([^"]{0,2000})">/gu;

const covers = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The cookies of one session. Those of domains that do not cover their sender are left out. */
const createJar = () => {
  const cookies = new Map<string, { readonly pair: string; readonly domain: string }>();
  return {
    keep: ({ headers }: HttpAnswer, { hostname }: URL): void => {
      for (const line of headers['set-cookie'] ?? []) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
        const [name = ''] = pair.split('=');
        const given = attributes.find((attribute) => /^domain=/iu.test(attribute))?.slice('domain='.length);
        const domain = (given ?? hostname).replace(/^\./u, '').toLowerCase();
        if (name !== '' && covers(domain, hostname)) cookies.set(`${name} ${domain}`, { pair, domain });
      }
    },
    headerFor: ({ hostname }: URL): string =>
      [...cookies.values()]
        .filter(({ domain }) => covers(domain, hostname))
        .map(({ pair }) => pair)
        .join('; '),
  };
};

const withoutEntities = (text: string): string =>
  text.replaceAll(/&#x([0-9a-f]{1,3});/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** The hidden fields of a consent page, and a yes. */
const consentForm = (html: string): string => {
  const form = new URLSearchParams();
  for (const [, name = '', value = ''] of html.matchAll(HIDDEN_INPUT))
    form.append(name, withoutEntities(value));
  form.append('agree', 'agree');
  return form.toString();
};

/**
 * Gets a cookie from a page, over the consent pages where Yahoo wants that, and the crumb that belongs to it. Throws
 * a `session` refusal where Yahoo gives none of them, and market errors.
 */
export const openYahooSession = async (
  request: RequestYahoo,
  clock: Clock,
  signal: AbortSignal,
): Promise<YahooSession> => {
  const jar = createJar();
  const step = async (url: URL, form?: string): Promise<HttpAnswer> => {
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
        // Of the other pages only the headers matter, and they are megabytes long.
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
    // Elsewhere a redirect is no hindrance: the cookie came with it.
    if (!isConsent) break;
    url = next;
  }
  const crumbUrl = new URL(CRUMB_URL);
  const cookie = jar.headerFor(crumbUrl);
  if (cookie === '') throw new YahooRefusal('session', 'no cookie in the answer');
  const headers = { cookie, origin: 'https://finance.yahoo.com', referer: COOKIE_PAGE };
  const answer = await request(crumbUrl, { headers }, signal);
  return { crumb: readCrumb(answer, clock.now()), cookieFor: jar.headerFor };
};
