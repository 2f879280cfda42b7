import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

// The smallest block that a provider hands out: whoever has one IPv6 address has 2^64.
const IPV6_PREFIX = 64;

/** The address that a caller is counted by: an IPv4 address, or the /64 of an IPv6 one. */
export function clientNetwork(ip: string | null): string {
  if (ip === null) return 'unknown';
  // A server that listens on IPv6 sees IPv4 addresses in this form.
  const mapped = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip;
  if (isIPv4(mapped)) return mapped;
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, IPV6_PREFIX / 16)
    .map((part) => part.toString(16))
    .join(':')}::`;
}
