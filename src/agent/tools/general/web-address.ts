import { isIP } from 'node:net';

export type CheckedUrl =
  | { readonly isAllowed: true; readonly url: URL }
  | { readonly isAllowed: false; readonly problem: string };

/** Names of machines nearby. Their addresses would be refused too; the names are not even asked for. */
const NEARBY_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Other services than web pages listen elsewhere. */
export const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

const refused = (problem: string): CheckedUrl => ({ isAllowed: false, problem });

/** The host without the brackets of IPv6 and without the dots that may end a name. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.replaceAll(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '');

/**
 * Whether an address may be asked for at all, as far as it can be told without the network. The URL parser
 * has turned every spelling of an IPv4 address (decimal, hex, octal, full-width) into the plain one by then.
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
