import { BlockList, isIP } from 'node:net';

type Network = readonly [network: string, prefix: number];

/** This host and the networks around it: traffic to them never crosses the public internet. */
const PRIVATE_IPV4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  // Shared by the customers of a provider, and by overlay networks; some clouds keep their metadata here.
  ['100.64.0.0', 10],
  // Link-local: here the metadata services of most clouds hand out keys.
  ['169.254.0.0', 16],
];

/** Loopback, unique-local, link-local. No form that carries an IPv4 address: that one may be public. */
const PRIVATE_IPV6: readonly Network[] = [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

/** IPv4 that is not the public internet, or is reached from inside a data centre only. */
const CLOSED_IPV4: readonly Network[] = [
  ...PRIVATE_IPV4,
  // Azure's inner service, on an address that looks public.
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
 * The only part of IPv6 that is given out for the public internet. Loopback, unique-local, link-local,
 * multicast, NAT64 and every way to write an IPv4 address in IPv6 lie outside of it.
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;

const CLOSED_IPV6: readonly Network[] = [
  // Protocol assignments with Teredo, then 6to4: both carry an IPv4 address that nobody checked.
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

/** Whether an address belongs to the public internet. What is no plain address (a name, a zone) does not. */
export const isPublicAddress = (address: string): boolean => {
  if (address.includes('%')) return false;
  const version = isIP(address);
  if (version === 4) return !closedIpv4.check(address, 'ipv4');
  return version === 6 && globalIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
};

/** Names that public DNS never answers for. */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];

/**
 * Whether a host, as `URL.hostname` gives it, is this machine or a private network by its name or address. A name
 * without a dot is one: containers call each other so. Nothing is looked up.
 */
export const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  const version = isIP(address);
  if (version === 4) return privateIpv4.check(address, 'ipv4');
  if (version === 6) return privateIpv6.check(address, 'ipv6');
  return host !== '' && (!host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix)));
};
