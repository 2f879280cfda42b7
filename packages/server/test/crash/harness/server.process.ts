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
  /** Environment variables that are no flags. */
  env?: Record<string, string>;
  /** How many seconds a second takes: retries of minutes are over in seconds. */
  speed: number;
  /** When its time was that of the others, in milliseconds since the epoch: a restart does not go back. */
  origin: number;
  /** How often what is old is removed, in milliseconds of its time. */
  housekeepingEveryMs?: number;
}

const {
  flags,
  env = {},
  speed,
  origin,
  housekeepingEveryMs,
} = JSON.parse(process.argv[2] ?? '') as ServerInput;
const server = await startServer(parseServerConfig(flags, env), {
  clock: () => new Date(Math.round(origin + (Date.now() - origin) * speed)),
  timer: (run, ms) => {
    const timer = setTimeout(run, ms / speed);
    return () => clearTimeout(timer);
  },
  ...(housekeepingEveryMs === undefined ? {} : { housekeepingEveryMs }),
});
process.once('SIGTERM', () => void server.stop().then(() => process.disconnect()));
process.once('disconnect', () => process.exit());
process.send?.({ baseUrl: server.baseUrl });
