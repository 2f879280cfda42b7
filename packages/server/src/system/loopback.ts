import { networkInterfaces } from 'node:os';

/** The addresses at which this machine reaches itself, those of IPv4 first. A machine may have of one kind alone. */
export function loopbackAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const own = all.filter(({ internal }) => internal);
  const of = (kind: 'IPv4' | 'IPv6') =>
    own.filter(({ family }) => family === kind).map(({ address }) => address);
  return [...of('IPv4'), ...of('IPv6')];
}
