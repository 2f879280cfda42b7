import { expect, it, onTestFinished } from 'vitest';
import { sql } from 'kysely';
import type { Deps } from '../../../src/context.ts';
import { countRunsSince } from '../../../src/db/automations/runs.ts';
import type { Tx } from '../../../src/db/core/schema.ts';
import { startWorkspace } from '../support/workspace.ts';

/** The rows of runs that this transaction has read. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'automation_runs'`.execute(
    tx,
  );
  return Number(rows[0]?.read);
}

it('a throttle counts the recent runs, and does not read those of the last month', async () => {
  let deps: Deps | undefined;
  const { api, workspaceId, stop } = await startWorkspace({
    companion(own) {
      deps = own;
      return { stop: () => Promise.resolve() };
    },
  });
  onTestFinished(stop);
  const { id } = await api.call('automations.create', {
    params: { id: workspaceId },
    body: { name: 'A', trigger: { event: 'manual' }, actions: [{ type: 'wait', seconds: 1 }] },
  });
  const now = Date.now();
  await deps?.store.write(async (tx) => {
    await sql`
      insert into automation_runs
        (id, workspace_id, automation_id, version, trigger, depth, allowance, status, created_at, completed_at)
      select 'run_' || n, ${workspaceId}, ${id}, 1, 'manual', 0, 0, 'succeeded', at, at
      from (select n, ${now}::bigint - (5001 - n) * 30000 as at from generate_series(1, 5000) as n) as old`.execute(
      tx,
    );
  });
  const automation = { id, workspace_id: workspaceId };
  const read = await deps?.store.write(async (tx) => {
    expect(await countRunsSince(tx, automation, { since: now - 95_000, limit: 10 })).toBe(3);
    return rowsRead(tx);
  });
  expect(read).toBeLessThan(50);
});
