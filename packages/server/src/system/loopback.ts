import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** The addresses at which this machine reaches itself, those of IPv4 first. A machine may have only one kind. */
export function loopbackAddresses(): string[] {
  const own = allAddresses().filter(({ internal }) => internal);
  const of = (kind: 'IPv4' | 'IPv6') =>
    own.filter(({ family }) => family === kind).map(({ address }) => address);
  return [...of('IPv4'), ...of('IPv6')];
}

/** Reports whether all addresses of this machine are IPv6. A machine without addresses may still get some of either kind. */
export function lacksIPv4(): boolean {
  const all = allAddresses();
  return all.length > 0 && all.every(({ family }) => family === 'IPv6');
}

const allAddresses = (): NetworkInterfaceInfo[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
