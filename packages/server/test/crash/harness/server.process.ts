/**
 * A server in its own process, whose time runs faster.
 *
 *   node server.process.ts <ServerInput as JSON>
 */
import { flushCompileCache } from 'node:module';
import { parseServerConfig, type ServerFlags } from '../../../src/config/config.ts';
import { startServer } from '../../../src/server.ts';

/** The input of a server. */
export interface ServerInput {
  flags: ServerFlags;
  /** Environment variables that are not flags. */
  env?: Record<string, string>;
  /** Seconds of the server's clock per real second: retries of minutes end within seconds. */
  speed: number;
  /** The time at which its clock equaled real time, in milliseconds since the epoch: a restart does not go back. */
  origin: number;
  /** The interval of housekeeping, in milliseconds of its clock. */
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
// Node keeps compiled code only when a process ends by itself, and most of these are killed.
flushCompileCache();
