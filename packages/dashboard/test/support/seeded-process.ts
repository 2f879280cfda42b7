/** A server as `server start` runs it, with `--seed` or without, in a process that may be killed and started again on the same data and port. */
import { once } from 'node:events';
import { liveDemo, parseServerConfig, seedDatabase, startServer } from '@hubline/server';

const { dashboard, data, port, seeded } = JSON.parse(process.argv[2] ?? '{}') as {
  dashboard: string;
  data: string;
  port: number;
  seeded: boolean;
};
const config = parseServerConfig(
  { data, port, senders: 0, logLevel: 'silent', rateLimit: 1_000_000, allowHttpLocalhost: true },
  {},
);
const owner = seeded ? await seedDatabase(config, { days: 2, eventsPerDay: 120 }) : null;
// The receivers answer; nothing happens but what a test does.
const { sender, outbound } = liveDemo({ seed: 1 });
const server = await startServer(config, { dashboard, sender, outbound });
process.stdout.write(`${JSON.stringify({ url: server.url, setupUrl: server.setupUrl, ...owner })}\n`);
// Whoever started it closes this, also by being killed.
process.stdin.resume();
await once(process.stdin, 'end');
await server.stop();
