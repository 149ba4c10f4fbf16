import { BlockList, isIP } from 'node:net';

type Network = readonly [network: string, prefix: number];

/** This host and private networks: traffic to them never crosses the public internet. */
const PRIVATE_IPV4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  // Carrier-grade NAT and overlay networks; some clouds have their metadata service here.
  ['100.64.0.0', 10],
  // Link-local, with the metadata services of most clouds, which hand out keys.
  ['169.254.0.0', 16],
];

/** Loopback, unique-local, link-local. Forms with an embedded IPv4 address are not listed: that one may be public. */
const PRIVATE_IPV6: readonly Network[] = [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

/** IPv4 networks that are not the public internet, or are reachable only from inside a data centre. */
const CLOSED_IPV4: readonly Network[] = [
  ...PRIVATE_IPV4,
  // Azure's platform service, on an address that looks public.
  ['168.63.129.16', 32],
  // Protocol assignments, relays of 6to4, benchmarks.
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  // Documentation.
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, then reserved with broadcast.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * The only part of IPv6 that is assigned to the public internet. Loopback, unique-local, link-local, multicast, NAT64 and
 * every form with an embedded IPv4 address are outside of it.
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;

const CLOSED_IPV6: readonly Network[] = [
  // Protocol assignments with Teredo, then 6to4: both embed an IPv4 address that was not checked.
  ['2001::', 23],
  ['2002::', 16],
  // Documentation.
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
};

const privateIpv4 = listOf(PRIVATE_IPV4, 'ipv4');
const privateIpv6 = listOf(PRIVATE_IPV6, 'ipv6');
const closedIpv4 = listOf(CLOSED_IPV4, 'ipv4');
const globalIpv6 = listOf([GLOBAL_IPV6], 'ipv6');
const closedIpv6 = listOf(CLOSED_IPV6, 'ipv6');

/** Whether an address belongs to the public internet. False for names and for addresses with a zone. */
export const isPublicAddress = (address: string): boolean => {
  if (address.includes('%')) return false;
  const version = isIP(address);
  if (version === 4) return !closedIpv4.check(address, 'ipv4');
  return version === 6 && globalIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
};

/** Suffixes that never exist in public DNS. */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];

/**
 * Whether a host, as `URL.hostname` gives it, is this machine or in a private network, judged by its name or address
 * without a lookup. A name without a dot counts as private, because containers have such names.
 */
export const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  const version = isIP(address);
  if (version === 4) return privateIpv4.check(address, 'ipv4');
  if (version === 6) return privateIpv6.check(address, 'ipv6');
  return host !== '' && (!host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix)));
};
