/** Ports for servers that a test stops and starts again. */
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ephemeral ports, which begin at 32768 on Linux and at 49152 elsewhere.
const FIRST = 20_000;
const COUNT = 12_000;

/** A free port that no other program gets by chance while its server is stopped. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const server = createServer();
    server.listen(FIRST + Math.floor(Math.random() * COUNT), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    if (typeof address === 'object' && address) return address.port;
  }
}
