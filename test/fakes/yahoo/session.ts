import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type CrumbState = 'ok' | 'missing' | 'wrong';

export interface FakeSessions {
  /** Answers the cookie page and, in Europe, the consent pages. False: the path is none of them. */
  readonly handle: (host: string, url: URL, request: IncomingMessage, response: ServerResponse) => boolean;
  /** The crumb that belongs to the cookie; undefined without a known one. */
  readonly crumbFor: (request: IncomingMessage) => string | undefined;
  readonly check: (request: IncomingMessage, crumb: string | null) => CrumbState;
  /** Everything given out so far is void. */
  readonly expire: () => void;
  /** Every crumb that was ever given out: none of them may be found in a log. */
  readonly crumbs: readonly string[];
}

/** More than 16 KB together, as the real page has: one header alone was seen with 12,793 bytes. */
const LONG_HEADERS = {
  'content-security-policy': `default-src 'self'; ${'https://*.example.com '.repeat(580)}`,
  'report-to': 'x'.repeat(7000),
};
const FORM =
  '<form><input type="hidden" name="csrfToken" value="t&#x2F;1"><input type="hidden" name="sessionId" value="s"></form>';

const cookieOf = (request: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]+)`, 'u').exec(request.headers.cookie ?? '')?.[1];

const redirect = (response: ServerResponse, location: string, cookies: readonly string[]): true => {
  response.writeHead(302, { location, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) }).end();
  return true;
};

const page = (response: ServerResponse, headers: Readonly<Record<string, string>>): true => {
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<html>a page</html>');
  return true;
};

export const createSessions = (needsConsent: () => boolean): FakeSessions => {
  const crumbByCookie = new Map<string, string>();
  const crumbs: string[] = [];

  const newCookie = (): string => {
    const cookie = `d=${randomUUID()}`;
    // Slashes and dots are usual in them.
    const crumb = `${randomUUID().slice(0, 4)}/Z.${randomUUID().slice(0, 5)}`;
    crumbByCookie.set(cookie, crumb);
    crumbs.push(crumb);
    return `A3=${cookie}; Expires=Sun, 14 Nov 2027 06:30:00 GMT; Max-Age=31557600; Domain=.yahoo.com; Path=/; SameSite=None; Secure; HttpOnly`;
  };

  return {
    crumbs,
    handle: (host, url, request, response) => {
      const step = `${host}${url.pathname}`;
      const hasAgreed = cookieOf(request, 'GUCS') === 'agreed';
      if (step === 'finance.yahoo.com/quote/AAPL') {
        if (needsConsent() && !hasAgreed)
          return redirect(response, 'https://guce.yahoo.com/consent?gcrumb=x', [
            'GUCS=asked; Max-Age=1800; Domain=.yahoo.com; Path=/; Secure',
          ]);
        const wantsPage = (request.headers.accept ?? '').includes('text/html');
        return page(response, { ...LONG_HEADERS, ...(wantsPage && { 'set-cookie': newCookie() }) });
      }
      if (step === 'guce.yahoo.com/consent')
        return redirect(response, 'https://consent.yahoo.com/v2/collectConsent?sessionId=s', []);
      if (step === 'consent.yahoo.com/v2/collectConsent') {
        if (request.method !== 'POST') {
          response.writeHead(200, { 'content-type': 'text/html' }).end(FORM);
          return true;
        }
        return redirect(response, 'https://guce.yahoo.com/copyConsent?sessionId=s', [
          'CFC=x; Domain=consent.yahoo.com; Path=/; Secure',
        ]);
      }
      if (step === 'guce.yahoo.com/copyConsent')
        return redirect(response, 'https://finance.yahoo.com/quote/AAPL?guccounter=1', [
          'GUCS=agreed; Max-Age=1800; Domain=.yahoo.com; Path=/; Secure',
        ]);
      return false;
    },
    crumbFor: (request) => crumbByCookie.get(cookieOf(request, 'A3') ?? ''),
    check: (request, crumb) => {
      if (crumb === null) return 'missing';
      return crumbByCookie.get(cookieOf(request, 'A3') ?? '') === crumb ? 'ok' : 'wrong';
    },
    expire: () => crumbByCookie.clear(),
  };
};
