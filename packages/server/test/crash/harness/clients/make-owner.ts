import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseServerConfig } from '../../../../src/config/config.ts';
import { bootstrap } from '../../../../src/start/bootstrap.ts';
import type { StorageLocation } from '../database.ts';

const OWNER = { email: 'owner@example.com', name: 'Acme', slug: 'acme' };

/** Makes the database, with an owner and a workspace. With `release`, the command line of that checkout makes it, with its own schema. */
export async function makeOwner(
  storage: StorageLocation,
  release?: string,
): Promise<{ apiKey: string; workspaceId: string }> {
  const made =
    release === undefined ? await bootstrap(parseServerConfig(storage, {}), OWNER) : await byRelease();
  return { apiKey: made.api_key, workspaceId: made.workspace_id ?? '' };

  async function byRelease(): Promise<{ api_key: string; workspace_id: string }> {
    const bin = join(release ?? '', 'packages/cli/src/bin.ts');
    const flags = Object.entries({ ...OWNER, data: storage.data, 'database-url': storage.databaseUrl ?? '' });
    const args = flags.flatMap(([name, value]) => [`--${name}`, value]);
    const words = ['--conditions=hubline-source', bin, 'server', 'bootstrap', '--json', ...args];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return JSON.parse(stdout) as { api_key: string; workspace_id: string };
  }
}
