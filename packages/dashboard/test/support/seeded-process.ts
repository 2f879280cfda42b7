/** A server as `server start --seed` runs it, in a process that may be killed and started again on the same data and port. */
import { once } from 'node:events';
import { liveDemo, parseServerConfig, seedDatabase, startServer } from '@hubline/server';

const { dashboard, data, port } = JSON.parse(process.argv[2] ?? '{}') as {
  dashboard: string;
  data: string;
  port: number;
};
const config = parseServerConfig(
  { data, port, senders: 0, logLevel: 'silent', rateLimit: 1_000_000, allowHttpLocalhost: true },
  {},
);
// Returns no owner if the data was seeded before.
const owner = await seedDatabase(config, { days: 2, eventsPerDay: 60 });
// The receivers respond; nothing happens except what a test does.
const { sender, providerHttp } = liveDemo({ seed: 1 });
const server = await startServer(config, { dashboard, sender, providerHttp });
process.stdout.write(`${JSON.stringify({ url: server.url, ...owner })}\n`);
// The parent process closes this, also when it is killed.
process.stdin.resume();
await once(process.stdin, 'end');
await server.stop();
