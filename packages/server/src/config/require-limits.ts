import { readFileSync } from 'node:fs';
import { ConfigError, type ServerConfig } from './config.ts';
import { threadsBeside } from '../system/processes.ts';
import { countSenders, hasHttpThread } from './threads.ts';

// An idle server has 30 files open; the others are for clients, receivers and copies of the database.
const FILES = 128;
// The event loop of a thread opens 6, and its first name lookup some more.
const FILES_OF_THREAD = 8;
// A command has about 20 open, and opens its database, a copy and their logs.
const FILES_OF_COMMAND = 48;
// An idle server has 11 threads; the others come with passwords, backups and automations.
const THREADS = 16;
// The limit covers everything that a user runs. With at least this limit there is ample room, so other processes are not counted.
const AMPLE_THREADS = 1024;

/** Refuses to start if the limits of the system are so low that the server would fail later. Throws `ConfigError`. */
export function requireLimits(
  config: Pick<ServerConfig, 'databaseUrl' | 'databaseConnections' | 'senders' | 'httpThread' | 'domain'>,
): void {
  const limits = limitsOfProcess();
  const own = countSenders(config) + Number(hasHttpThread(config));
  const connections = config.databaseUrl === undefined ? 0 : config.databaseConnections;
  const files = FILES + own * FILES_OF_THREAD + connections;
  refuseFewer(limits, files);
  const beside = limits.threads < AMPLE_THREADS ? threadsBeside() : 0;
  const threads = THREADS + own + beside;
  if (limits.threads < threads)
    throw new ConfigError(
      `This user may have ${limits.threads} processes and threads, but a server needs at least ${threads}${beside === 0 ? '' : `, including the ${beside} that this user already has`}. Raise the limit: ulimit -u 4096 in the shell that starts it, or LimitNPROC=4096 in a systemd unit.`,
    );
}

/**
 * Refuses to open a database if too few files are left for it: SQLite would not name the reason. Throws `ConfigError`.
 */
export const requireFiles = (): void => refuseFewer(limitsOfProcess(), FILES_OF_COMMAND);

function refuseFewer({ files }: { files: number }, needed: number): void {
  if (files >= needed) return;
  throw new ConfigError(
    `This process may have ${files || 'no more'} files and connections open, but needs at least ${needed}. Raise the limit: ulimit -n 4096 in the shell that starts it, LimitNOFILE=65536 in a systemd unit, or --ulimit nofile=4096 for a container.`,
  );
}

/** The limits of this process; infinite if the system sets none, or does not tell. */
function limitsOfProcess(): { files: number; threads: number } {
  let table = '';
  try {
    table = readFileSync('/proc/self/limits', 'utf8');
  } catch (error) {
    // Only Linux reports them. With all files in use, not even the table can be read.
    if ((error as NodeJS.ErrnoException).code === 'EMFILE') table = 'Max open files 0';
  }
  const softLimit = (name: string): number =>
    Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(table)?.[1] ?? Infinity);
  return {
    files: softLimit('Max open files'),
    // The limit does not apply to root.
    threads: process.getuid?.() === 0 ? Infinity : softLimit('Max processes'),
  };
}
