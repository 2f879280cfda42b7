import { beforeAll, describe, expect, it } from 'vitest';
import { LOOKED_AT_MAX } from '../../../src/db/core/queries/seq-range.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { insertDeliveries } from '../../../src/db/webhooks/deliveries.ts';
import { listMatches, type RecoveryMatch } from '../../../src/db/webhooks/recoveries.ts';
import { after, deliveryRow, ids, newWorkspace, NOW, openMigrated, type TestStorage } from '../storage.ts';

const DELIVERED = { status: 'delivered', due_at: null, completed_at: NOW } as const;
const FAILED = { ...DELIVERED, status: 'failed' } as const;

export function testRecoveries(create: () => Promise<TestStorage>): void {
  describe('its deliveries', () => {
    let store: Store;
    let match: RecoveryMatch;
    beforeAll(async () => {
      const opened = await openMigrated(create);
      ({ store } = opened);
      const at = { workspaceId: await newWorkspace(store), webhookId: ids('webhook') };
      const delivered = Array.from({ length: LOOKED_AT_MAX }, () => deliveryRow(at, DELIVERED));
      await store.write((tx) => insertDeliveries(tx, [...delivered, deliveryRow(at, FAILED)]));
      const filters = {
        event_id: null,
        event_type: null,
        event_name: null,
        response_status: null,
        error_kind: null,
        since: null,
      };
      match = { ...at, filters: { ...filters, statuses: ['failed'], until: after(1) } };
      return opened.close;
    });
    const list = (filters: Partial<RecoveryMatch['filters']>, from = 0) =>
      listMatches(
        store.read,
        { ...match, filters: { ...match.filters, ...filters } },
        { after: from, last: null, limit: 10 },
      );

    it('are found at once where they have an index', async () => {
      expect(await list({})).toMatchObject({ rows: [{}], next: null });
    });

    it('are looked for a few thousand rows at a time where they have none', async () => {
      const statuses = ['failed', 'retrying'] as const;
      const first = await list({ statuses: [...statuses] });
      expect(first).toMatchObject({ rows: [], next: expect.any(Number) });
      const second = await list({ statuses: [...statuses] }, first.next ?? 0);
      expect(second).toMatchObject({ rows: [{}], next: null });
    });

    it('since a time are looked for from there', async () => {
      const statuses: ('failed' | 'delivered')[] = ['failed', 'delivered'];
      expect(await list({ statuses, since: after(2 * 60 * 60_000) })).toEqual({ rows: [], next: null });
    });
  });
}
