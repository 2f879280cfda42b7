import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that sends each request to the next of several servers, which may come and go. */
export async function startProxy(
  targets: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  // Connections to the servers are not kept: one might be closing just when it is used again.
  const agent = new Agent();
  let turn = 0;
  // It passes on the servers' `Keep-Alive`, and so must keep connections longer than they do.
  const proxy = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    turn += 1;
    const { hostname, port } = new URL(targets[turn % targets.length] ?? '');
    const { method, url: path, rawHeaders: headers } = incoming;
    const onward = request({ hostname, port, method, path, headers, agent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders);
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        agent.destroy();
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
