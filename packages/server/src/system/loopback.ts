import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** The addresses at which this machine reaches itself, those of IPv4 first. A machine may have only one kind. */
export function loopbackAddresses(): string[] {
  const own = allAddresses().filter(({ internal }) => internal);
  const of = (kind: 'IPv4' | 'IPv6') =>
    own.filter(({ family }) => family === kind).map(({ address }) => address);
  return [...of('IPv4'), ...of('IPv6')];
}

/** Reports whether the host of a URL is this machine, by its usual name or an address at which it reaches itself. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || loopbackAddresses().includes(hostname.replaceAll(/^\[|\]$/g, ''));

/** Reports whether all addresses of this machine are IPv6. A machine without addresses may still get some of either kind. */
export function lacksIPv4(): boolean {
  const all = allAddresses();
  return all.length > 0 && all.every(({ family }) => family === 'IPv6');
}

/** The addresses of this machine; the usual ones of loopback where a sandbox hides them, as systemd does without `AF_NETLINK`. */
function allAddresses(): Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] {
  try {
    return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  } catch {
    return [
      { address: '127.0.0.1', family: 'IPv4', internal: true },
      { address: '::1', family: 'IPv6', internal: true },
    ];
  }
}
