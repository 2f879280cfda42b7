/**
 * A server in a process of its own, whose time runs faster.
 *
 *   node server.process.ts <ServerInput as JSON>
 */
import { parseServerConfig, type ServerFlags } from '../../../src/config.ts';
import { startServer } from '../../../src/server.ts';

/** What a server is told. */
export interface ServerInput {
  flags: ServerFlags;
  /** How many seconds a second takes: retries of minutes are over in seconds. */
  speed: number;
  /** When its time was that of the others, in milliseconds since the epoch: a restart does not go back. */
  origin: number;
}

const { flags, speed, origin } = JSON.parse(process.argv[2] ?? '') as ServerInput;
const server = await startServer(parseServerConfig(flags, {}), {
  clock: () => new Date(Math.round(origin + (Date.now() - origin) * speed)),
  timer: (run, ms) => {
    const timer = setTimeout(run, ms / speed);
    return () => clearTimeout(timer);
  },
  housekeepingInMs: 100,
});
process.once('SIGTERM', () => void server.stop().then(() => process.disconnect()));
process.once('disconnect', () => process.exit());
process.send?.({ baseUrl: server.baseUrl });
