import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseServerConfig } from '../../../src/config/config.ts';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import type { TestServer, TestServerOptions } from '../../../src/testing/testing.ts';
import { startProcess } from '../../crash/server-process.ts';

/**
 * Reports whether these options can be passed to another process. A clock or a stand-in cannot be passed, and the cost
 * of a hash does not matter.
 */
export function canRunApart({
  flags: _flags,
  env: _env,
  passwordCost: _cost,
  ...overrides
}: TestServerOptions): boolean {
  return Object.values(overrides).every((value) => value === undefined);
}

/** Starts the built file that `HUBLINE_TEST_BINARY` names, on SQLite, with an owner and a workspace. */
export async function startBuiltFile({ flags, env = {} }: TestServerOptions): Promise<TestServer> {
  const data = flags?.data ?? (await mkdtemp(join(tmpdir(), 'hubline-test-')));
  const all = { port: 0, allowHttpLocalhost: true, ...flags, data } as const;
  const owner = await bootstrap(parseServerConfig(all, env), {
    email: 'owner@example.com',
    name: 'Acme',
    slug: 'acme',
  });
  const server = await startProcess(data, { ...env, ...asVariables(flags ?? {}) });
  async function remove(): Promise<void> {
    server.kill('SIGTERM');
    await server.ended;
    await rm(data, { recursive: true, force: true });
  }
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= remove());
  return {
    url: new URL(server.baseUrl).origin,
    plainUrl: null,
    baseUrl: server.baseUrl,
    apiKey: owner.api_key,
    userId: owner.user_id,
    workspaceId: owner.workspace_id ?? '',
    data,
    storage: { data },
    failed: new Promise(() => undefined),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function asVariables(flags: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        `HUBLINE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
        String(value),
      ]),
  );
}
