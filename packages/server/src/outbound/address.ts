import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

// The part of IPv6 that IANA has assigned for the internet. Everything else (compatible, NAT64, unique local, link and
// site local, multicast, segment routing, unassigned) reaches either nothing or a private network.
const IPV6_INTERNET: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

// Azure's host agent: public by its range, but inside the data center.
const AZURE_HOST = '168.63.129.16';

/**
 * Parses an address. Text is never compared: octal, hexadecimal and short forms have bypassed text filters
 * (CVE-2021-28918, CVE-2024-29415, CVE-2026-43929). An IPv4 address in the form of IPv6 counts as IPv4.
 */
function parse(ip: string): Address | null {
  if (isIP(ip) === 0) return null;
  const address = ipaddr.parse(ip);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Reports whether an address belongs to the internet at large. Text that cannot be parsed does not. */
export function isPublicAddress(ip: string): boolean {
  const address = parse(ip);
  if (!address || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(IPV6_INTERNET) : address.toString() !== AZURE_HOST;
}

/** Reports whether an address is this machine: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(ip: string): boolean {
  return parse(ip)?.range() === 'loopback';
}
