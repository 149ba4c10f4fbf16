import { BlockList, isIP } from 'node:net';

/** IPv4 that is not the public internet, or is reached from inside a data centre only. */
const CLOSED_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  // This host, and private networks.
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  // Shared by the customers of a provider; some clouds keep their metadata here.
  ['100.64.0.0', 10],
  // Link-local: here the metadata services of most clouds hand out keys.
  ['169.254.0.0', 16],
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

const CLOSED_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  // Protocol assignments with Teredo, then 6to4: both carry an IPv4 address that nobody checked.
  ['2001::', 23],
  ['2002::', 16],
  // Documentation.
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const listOf = (
  networks: readonly (readonly [network: string, prefix: number])[],
  family: 'ipv4' | 'ipv6',
): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
};

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
