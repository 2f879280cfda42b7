import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, isIP, type Server } from 'node:net';
import type { ServerConfig } from '../../config/config.ts';
import { lacksIPv4 } from '../../system/loopback.ts';
import { listenError, type Place } from './listen-error.ts';

/**
 * Error codes for an address that this machine does not have, or whose family it lacks, or that needs the name of a
 * network interface.
 */
const NOT_HERE = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/**
 * Opens a port. Of several addresses of a name, takes the first that this machine has. Throws `ConfigError` if it
 * cannot be opened.
 */
export async function listen(server: Server, place: Place): Promise<void> {
  try {
    const addresses = await addressesOf(place.host);
    for (const [index, address] of addresses.entries()) {
      try {
        return await listenAt(server, place.port, address);
      } catch (error) {
        if (index === addresses.length - 1 || !NOT_HERE.has((error as NodeJS.ErrnoException).code ?? ''))
          throw error;
      }
    }
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, place);
  }
}

/**
 * Returns the addresses to try. Without one, Node listens on IPv6 and IPv4, or on IPv4 alone where there is no IPv6.
 */
async function addressesOf(host: string): Promise<(string | undefined)[]> {
  if (host === '::') return [undefined];
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function listenAt(server: Server, port: number, address: string | undefined): Promise<void> {
  // Linux opens it even without IPv4, but nothing could reach it.
  if (address === '0.0.0.0' && lacksIPv4())
    throw Object.assign(new Error('There is no address of IPv4.'), { code: 'EAFNOSUPPORT', address });
  const listening = once(server, 'listening');
  server.listen(port, address);
  await listening;
}

/**
 * Opens and closes the ports of a server before it starts, so that nothing is created for one that cannot. Throws
 * `ConfigError`.
 */
export async function tryPorts({
  domain,
  host,
  port,
  httpsPort,
  httpPort,
  names,
}: ServerConfig): Promise<void> {
  const places: Place[] =
    domain === undefined
      ? [{ host, port, setting: 'port', names }]
      : [
          { host, port: httpsPort, setting: 'httpsPort', names },
          { host, port: httpPort, setting: 'httpPort', names },
        ];
  for (const place of places) {
    const server = createServer((socket) => socket.destroy());
    await listen(server, place);
    await new Promise((closed) => server.close(closed));
  }
}
