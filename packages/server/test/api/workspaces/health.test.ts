import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
import { backup } from '../../../src/backups/backup.ts';
import { VERSION } from '../../../src/assets/version.ts';
import { join as joinAs, onSqlite, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.stop());

const health = (api = workspace.api) =>
  api.call('workspaces.health', { params: { id: workspace.workspaceId } });

it('tells the operator about the whole server', async () => {
  const found = await health();
  expect(found).toMatchObject({
    version: VERSION,
    database: { kind: onSqlite ? 'sqlite' : 'postgres' },
    queue: { pending: 0, retrying: 0, held: 0 },
    server: { backups: onSqlite ? [] : null },
  });
  expect(found.server?.database_bytes).toBeGreaterThan(100_000);
  expect(found.server?.memory_bytes).toBeGreaterThan(10_000_000);
  if (onSqlite) expect(found.server?.free_bytes).toBeGreaterThan(0);
  else expect(found.server?.free_bytes).toBeNull();
});

it('tells other admins about their workspace only, and members nothing', async () => {
  const admin = await joinAs(workspace, 'admin');
  expect(await health(admin.api)).toMatchObject({ version: VERSION, server: null });
  const member = await joinAs(workspace, 'member');
  await member.api.refused('workspaces.health', 403, { params: { id: workspace.workspaceId } });
});

describe.runIf(onSqlite)('on SQLite', () => {
  it('lists the backups that were made while the server runs, and says whether they still exist', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hubline-health-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const config = parseServerConfig(workspace.server.storage, {});
    const files = ['first.db', 'second.db'].map((name) => join(folder, name));
    for (const file of files) backup(config, file);
    backup(config, files[0] ?? '', { force: true });
    await unlink(files[1] ?? '');
    const { server } = await health();
    expect(server?.backups).toMatchObject([
      { path: files[0], present: true },
      { path: files[1], present: false },
    ]);
    expect(server?.backups?.[0]?.bytes).toBeGreaterThan(100_000);
  });

  it('still responds while the list of backups is damaged', async () => {
    const list = join(parseServerConfig(workspace.server.storage, {}).data, 'backups.json');
    onTestFinished(() => rm(list));
    for (const damaged of ['[{"path":', '{}']) {
      await writeFile(list, damaged);
      expect((await health()).server).toMatchObject({ backups: [], jobs: expect.any(Array) });
    }
  });
});
