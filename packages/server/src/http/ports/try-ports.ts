import { createServer } from 'node:net';
import type { ServerConfig } from '../../config/config.ts';
import { listenAt } from './listen-at.ts';
import { listenError, type ListenAddress } from './listen-error.ts';

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
  const addresses: ListenAddress[] =
    domain === undefined
      ? [{ host, port, setting: 'port', names }]
      : [
          { host, port: httpsPort, setting: 'httpsPort', names },
          { host, port: httpPort, setting: 'httpPort', names },
        ];
  for (const address of addresses) {
    const server = createServer((socket) => socket.destroy());
    try {
      await listenAt(server, address.host, address.port);
    } catch (error) {
      throw listenError(error as NodeJS.ErrnoException, address);
    }
    await new Promise((closed) => server.close(closed));
  }
}
