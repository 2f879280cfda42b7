import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from '../start/bootstrap.ts';
import { parseServerConfig, type ServerFlags } from '../config/config.ts';
import { startServer } from '../server.ts';
import type { ServerOverrides } from '../start/server-overrides.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The settings of a test server. */
export interface TestServerOptions extends ServerOverrides {
  /** Flags of `hubline server start`. Default: a free port, a temporary folder, http:// to loopback allowed, no log, no threads, no wait for the disk. */
  flags?: ServerFlags;
  /** Environment variables of the server, such as `HUBLINE_CREDENTIAL_CHECK`. Default: none. */
  env?: Record<string, string>;
}

/** A server with an owner, a workspace and a key. Stopping it removes its data. */
export interface TestServer extends AsyncDisposable {
  url: string;
  /** The URL that redirects there from plain HTTP; `null` without `domain`. */
  plainUrl: string | null;
  baseUrl: string;
  /** A personal key of the owner with every scope. */
  apiKey: string;
  userId: string;
  workspaceId: string;
  /** The data directory. */
  data: string;
  /** The flags of its storage, for `bootstrap` or another process on the same data. */
  storage: Pick<ServerFlags, 'data' | 'databaseUrl'>;
  /** Resolves if the server cannot store anything anymore, because the disk failed. */
  failed: Promise<Error>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded server for a test of your integration: on SQLite in a temporary folder, or, when the environment
 * variable `HUBLINE_TEST_DATABASE_URL` names a PostgreSQL server, on its own database there: an empty one, or a copy of the one
 * that `HUBLINE_TEST_DATABASE_TEMPLATE` names.
 *
 * @example
 * ```ts
 * import { startTestServer } from '@hubline/server/testing';
 *
 * await using server = await startTestServer();
 * const response = await fetch(`${server.baseUrl}/workspaces`, { headers: { Authorization: `Bearer ${server.apiKey}` } });
 * ```
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const given = options.flags?.data;
  const data = given ?? (await mkdtemp(join(tmpdir(), 'hubline-test-')));
  const removeData = () => rm(data, { recursive: true, force: true });
  let database: TestDatabase | undefined;
  try {
    const postgres = process.env['HUBLINE_TEST_DATABASE_URL'];
    const template = process.env['HUBLINE_TEST_DATABASE_TEMPLATE'];
    if (postgres !== undefined) database = await createTestDatabase(postgres, template);
    return await start(options, { data, database, removeData });
  } catch (error) {
    await database?.drop();
    // A folder of the caller stays: it may tell why the start failed.
    if (given === undefined) await removeData();
    throw error;
  }
}

/** The storage of a test server. */
interface Storage {
  data: string;
  database: TestDatabase | undefined;
  removeData: () => Promise<void>;
}

async function start(
  options: TestServerOptions,
  { data, database, removeData }: Storage,
): Promise<TestServer> {
  const config = parseServerConfig(
    {
      port: 0,
      allowHttpLocalhost: true,
      logLevel: 'silent',
      // A thread takes longer to start than most tests take.
      senders: 0,
      httpThread: 'off',
      // Nothing here has to survive a power cut.
      synchronous: 'NORMAL',
      databaseUrl: database?.url,
      ...options.flags,
      data,
    },
    options.env ?? {},
  );
  const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
  const server = await startServer(config, options);
  async function remove(): Promise<void> {
    await server.stop();
    await database?.drop();
    await removeData();
  }
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= remove());
  return {
    url: server.url,
    plainUrl: server.plainUrl,
    baseUrl: server.baseUrl,
    apiKey: owner.api_key,
    userId: owner.user_id,
    workspaceId: owner.workspace_id ?? '',
    data,
    storage: { data, databaseUrl: config.databaseUrl },
    failed: server.failed,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
