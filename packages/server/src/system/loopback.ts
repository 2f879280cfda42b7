import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** The addresses at which this machine reaches itself, those of IPv4 first. A machine may have of one kind alone. */
export function loopbackAddresses(): string[] {
  const own = allAddresses().filter(({ internal }) => internal);
  const of = (kind: 'IPv4' | 'IPv6') =>
    own.filter(({ family }) => family === kind).map(({ address }) => address);
  return [...of('IPv4'), ...of('IPv6')];
}

/** Reports that all addresses of this machine are of IPv6. One that has none yet may still get some of either kind. */
export function lacksIPv4(): boolean {
  const all = allAddresses();
  return all.length > 0 && all.every(({ family }) => family === 'IPv6');
}

const allAddresses = (): NetworkInterfaceInfo[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
