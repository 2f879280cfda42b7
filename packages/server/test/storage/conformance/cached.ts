import { beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import type { Db, Tx } from '../../../src/db/core/schema.ts';
import type { Store } from '../../../src/db/core/store.ts';
import {
  findWebhookById,
  insertWebhook,
  listAllWebhooks,
  updateWebhook,
} from '../../../src/db/webhooks/webhooks.ts';
import { closeWorkspace } from '../../../src/db/workspaces/remove-workspace.ts';
import { insertWorkspace, workspaceSeq } from '../../../src/db/workspaces/workspaces.ts';
import { ids, newWorkspace, NOW, type TestStorage, webhookRow } from '../storage.ts';

export function testCached(create: () => Promise<TestStorage>): void {
  let store: Store;
  let other: Store;
  beforeAll(async () => {
    const storage = await create();
    store = storage.open();
    await migrate(store, new Date(NOW));
    other = storage.open();
    return async () => {
      await Promise.all([store.close(), other.close()]);
      await storage.drop();
    };
  });

  const workspaceOf = new Map<string, string>();
  async function newWebhook(): Promise<{ id: string; workspaceId: string }> {
    const workspaceId = await newWorkspace(store);
    const row = { ...webhookRow(workspaceId), description: 'before' };
    await store.write((tx) => insertWebhook(tx, row));
    workspaceOf.set(row.id, workspaceId);
    return { id: row.id, workspaceId };
  }
  const shown = async (db: Db, id: string) => (await findWebhookById(db, id))?.description;
  const change = (id: string, description: string, at: Store = store) =>
    at.write((tx) => updateWebhook(tx, { id, workspace_id: workspaceOf.get(id) ?? '' }, { description }));

  it('are the new ones right after a commit', async () => {
    const { id } = await newWebhook();
    for (const description of ['a', 'b', 'c']) {
      await change(id, description);
      expect(await shown(store.read, id)).toBe(description);
      expect(await store.write((tx) => shown(tx, id))).toBe(description);
    }
  });

  it('are its own changes in a unit, and the committed ones outside it', async () => {
    const { id, workspaceId } = await newWebhook();
    expect(await shown(store.read, id)).toBe('before');
    const seen = await store.write(async (tx) => {
      const before = await shown(tx, id);
      await updateWebhook(tx, { id, workspace_id: workspaceId }, { description: 'changed' });
      return [before, await shown(tx, id)];
    });
    expect(seen).toEqual(['before', 'changed']);
    expect(await shown(store.read, id)).toBe('changed');
  });

  it('are not those of a unit that was rolled back', async () => {
    const { id, workspaceId } = await newWebhook();
    const failing = store.write(async (tx) => {
      await updateWebhook(tx, { id, workspace_id: workspaceId }, { description: 'never' });
      expect(await shown(tx, id)).toBe('never');
      throw new Error('no');
    });
    const beside = store.write((tx) => shown(tx, id));
    await expect(failing).rejects.toThrow('no');
    expect([await beside, await shown(store.read, id)]).toEqual(['before', 'before']);
    expect(await store.write((tx) => shown(tx, id))).toBe('before');
  });

  it('disappear with the row that they belong to, and include new rows', async () => {
    const { id, workspaceId } = await newWebhook();
    expect(await listAllWebhooks(store.read, workspaceId)).toHaveLength(1);
    await store.write((tx) => insertWebhook(tx, webhookRow(workspaceId)));
    expect(await listAllWebhooks(store.read, workspaceId)).toHaveLength(2);
    await store.write((tx) => closeWorkspace(tx, { workspaceId, now: NOW }));
    expect(await shown(store.read, id)).toBeUndefined();
    expect(await listAllWebhooks(store.read, workspaceId)).toEqual([]);
  });

  it('of others stay when one changes', async () => {
    const [changed, kept] = [await newWebhook(), await newWebhook()];
    const before = await findWebhookById(store.read, kept.id);
    await change(changed.id, 'after');
    // PostgreSQL reads every row again.
    if (store.dialect === 'sqlite') expect(await findWebhookById(store.read, kept.id)).toBe(before);
    expect(await findWebhookById(store.read, kept.id)).toEqual(before);
  });

  it('of a workspace that was rolled back are not those of the one that gets its number', async () => {
    const [first, second] = [ids('workspace'), ids('workspace')];
    const row = { name: 'Acme', plan: 'free', created_at: NOW, updated_at: NOW } as const;
    const insert = (tx: Tx, id: string) => insertWorkspace(tx, { ...row, id, slug: id });
    const failing = store.write(async (tx) => {
      await insert(tx, first);
      expect(await workspaceSeq(tx, first)).toBeGreaterThan(0);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.write((tx) => insert(tx, second));
    expect(await workspaceSeq(store.read, first)).toBe(0);
    expect(await workspaceSeq(store.read, second)).toBeGreaterThan(0);
  });

  it('soon show a change that another process made', async () => {
    const { id } = await newWebhook();
    expect(await shown(store.read, id)).toBe('before');
    await change(id, 'elsewhere', other);
    await expect.poll(() => shown(store.read, id), { timeout: 5_000 }).toBe('elsewhere');
    expect(await store.write((tx) => shown(tx, id))).toBe('elsewhere');
  });
}
