import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, isIP, type Server } from 'node:net';
import type { ServerConfig } from '../../config/config.ts';
import { lacksIPv4 } from '../../system/loopback.ts';
import { listenError, type Place } from './listen-error.ts';

/** Codes of an address that this machine does not have, or of a kind that it does not have, or that is of one network card. */
const NOT_HERE = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/** Opens a port. Of a name with several addresses, the first that this machine has is taken. Throws `ConfigError` where it cannot be had. */
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

/** Without a name Node takes the addresses of both kinds, and of IPv4 alone where there is no IPv6. */
async function addressesOf(host: string): Promise<(string | undefined)[]> {
  if (host === '::') return [undefined];
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function listenAt(server: Server, port: number, address: string | undefined): Promise<void> {
  // Linux opens it there, too, and nothing could reach it.
  if (address === '0.0.0.0' && lacksIPv4())
    throw Object.assign(new Error('There is no address of IPv4.'), { code: 'EAFNOSUPPORT', address });
  const listening = once(server, 'listening');
  server.listen(port, address);
  await listening;
}

/** Opens and closes the ports of a server that is to start, so that nothing is made for one that cannot. Throws `ConfigError`. */
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
