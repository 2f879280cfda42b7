import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type Server } from 'node:net';
import { lacksIPv4 } from '../../system/loopback.ts';

/**
 * Error codes for an address that this machine does not have, or whose family it lacks, or that needs the name of a
 * network interface.
 */
const NOT_HERE = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

// Connections that the system accepts while the loop is busy. Node's own 511 is fewer than a burst can bring: Linux drops the rest, whose
// clients try again after a second, then after two more. The system has a limit of its own (4096 on Linux) and takes the lower one.
const BACKLOG = 4096;

/** Opens a port. Of several addresses of a name, takes the first that this machine has. */
export async function listenAt(server: Server, host: string, port: number): Promise<void> {
  const addresses = await addressesOf(host);
  for (const [index, address] of addresses.entries()) {
    try {
      return await listenAtAddress(server, port, address);
    } catch (error) {
      if (index === addresses.length - 1 || !NOT_HERE.has((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
}

/**
 * Returns the addresses to listen at, in order. For `undefined`, Node listens on IPv6 and IPv4, or on IPv4 alone where there is no IPv6.
 */
async function addressesOf(host: string): Promise<(string | undefined)[]> {
  if (host === '::') return [undefined];
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function listenAtAddress(server: Server, port: number, address: string | undefined): Promise<void> {
  // Linux opens it even without IPv4, but nothing could reach it.
  if (address === '0.0.0.0' && lacksIPv4())
    throw Object.assign(new Error('This machine has no IPv4 address.'), { code: 'EAFNOSUPPORT', address });
  const listening = once(server, 'listening');
  server.listen({ port, host: address, backlog: BACKLOG });
  await listening;
}
