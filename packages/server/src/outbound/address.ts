import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses in CIDR notation, parsed. */
export type Network = readonly [Address, number];

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

/** Parses `10.1.0.0/16`, `fd00::/8` or a single address; `null` when it is neither. */
export function parseNetwork(text: string): Network | null {
  const [ip = '', prefix, ...rest] = text.split('/');
  const address = parse(ip);
  if (!address || rest.length > 0) return null;
  const bits = address instanceof ipaddr.IPv6 ? 128 : 32;
  if (prefix === undefined) return [address, bits];
  // A mapped address would make `::ffff:10.0.0.0/104` mean something other than it says.
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits || (ip.includes(':') && bits === 32)) return null;
  return [address, Number(prefix)];
}

/** Reports whether an address lies in one of the networks. */
export function isInNetworks(ip: string, networks: readonly Network[]): boolean {
  const address = parse(ip);
  return (
    address !== null &&
    networks.some(([base, prefix]) => base.kind() === address.kind() && address.match(base, prefix))
  );
}
