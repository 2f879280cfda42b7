import { createServer, type Server } from 'node:net';
import type { ServerConfig } from '../../config/config.ts';
import { listenError, type Place } from './listen-error.ts';

/** Opens a port. Throws `ConfigError` where it cannot be had. */
export function listen(server: Server, place: Place): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: NodeJS.ErrnoException) => reject(listenError(error, place));
  server.once('error', fail);
  // Without a name Node takes the addresses of both kinds, and of IPv4 alone where there is no IPv6.
  server.listen(place.port, place.host === '::' ? undefined : place.host, () => {
    server.off('error', fail);
    resolve();
  });
  return promise;
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
