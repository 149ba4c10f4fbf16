import type { IncomingMessage } from 'node:http';

/** Names under which only this machine is reached. A web page cannot make its own name one of them. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const isPlainHost = (host: string): boolean => {
  const url = urlOf(`http://${host}`);
  // A user name or a path is no part of a host.
  return url !== undefined && url.href === `http://${url.host}/` && LOOPBACK_NAMES.has(url.hostname);
};

export const createGuard = (publicUrl: string | undefined) => {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const isKnownHost = (host: string | undefined): boolean =>
    host !== undefined && (host.toLowerCase() === publicHost || isPlainHost(host));
  return {
    /** A web page can make its own domain name point to this machine, but the browser then sends that name as `Host`. */
    isKnownHost,
    /** Whether a form was sent by a page of ours. A browser always says where a form comes from. */
    isOwnOrigin: ({
      headers: { origin, host = '', 'sec-fetch-site': site },
    }: Pick<IncomingMessage, 'headers'>): boolean => {
      if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false;
      return origin === publicUrl || (isPlainHost(host) && origin === `http://${host.toLowerCase()}`);
    },
  };
};

/** Nothing inline, nothing from elsewhere, in no frame, and in no cache. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Nothing to other sites. With `no-referrer`, browsers would send our own forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
