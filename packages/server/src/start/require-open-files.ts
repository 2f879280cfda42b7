import { readFileSync } from 'node:fs';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { countSenders } from './count-senders.ts';

// A server that just stands there has 30 open; the others are for clients, receivers and copies of the database.
const BASE = 128;
// The event loop of a thread has 6, and the first lookup of a name some more.
const FOR_SENDER = 8;

/** Refuses to start where the system lets this process open so few files and connections that calls would fail later. Throws `ConfigError`. */
export function requireOpenFiles(
  config: Pick<ServerConfig, 'databaseUrl' | 'databaseConnections' | 'senders'>,
): void {
  const connections = config.databaseUrl === undefined ? 0 : config.databaseConnections;
  const needed = BASE + countSenders(config) * FOR_SENDER + connections;
  const limit = openFilesLimit();
  if (limit >= needed) return;
  throw new ConfigError(
    `This process may have ${limit} files and connections open, and needs at least ${needed}. Raise the limit: ulimit -n 4096 in the shell that starts it, LimitNOFILE=65536 in a unit of systemd, or --ulimit nofile=4096 for a container.`,
  );
}

/** The number of files that this process may have open; infinite where the system sets no limit, or does not tell. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
