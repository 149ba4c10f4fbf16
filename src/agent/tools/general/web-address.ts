import { isIP } from 'node:net';

export type CheckedUrl =
  | { readonly isAllowed: true; readonly url: URL }
  | { readonly isAllowed: false; readonly problem: string };

/** Local host names. Their addresses would be refused too, but these names are not even resolved. */
const NEARBY_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Services other than web servers listen on other ports. */
export const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

const refused = (problem: string): CheckedUrl => ({ isAllowed: false, problem });

/** The host without IPv6 brackets and trailing dots. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.replaceAll(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '');

/**
 * Checks an address without using the network. The URL parser has already normalized every spelling of an IPv4
 * address (decimal, hex, octal, full-width).
 */
export const checkUrl = (address: string, base: URL | undefined, ports: ReadonlySet<number>): CheckedUrl => {
  const url = URL.parse(address, base?.href);
  if (!url)
    return refused('This is not a valid address: give a whole one, such as https://example.com/page.');
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (defaultPort === undefined)
    return refused(`Only http and https addresses can be read, not ${url.protocol.slice(0, 20)}`);
  if (url.username !== '' || url.password !== '')
    return refused('Addresses with a user name or password in them are not read: leave that part out.');
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (!ports.has(port)) return refused(`Port ${port} is not read: only the usual ports of web pages are.`);
  const host = hostOf(url);
  const isName = isIP(host) === 0;
  if (isName && (NEARBY_NAME.test(host) || !host.includes('.')))
    return refused(`${host} names a machine in a private network: only public pages can be read.`);
  return { isAllowed: true, url };
};
