import type { ApiKeyRow } from '../../src/db/identity/api-keys.ts';
import type { AuditRow } from '../../src/db/audit-log.ts';
import type { AttemptRow } from '../../src/db/webhooks/attempts.ts';
import { findDelivery, type NewDelivery, type ShownDelivery } from '../../src/db/webhooks/deliveries.ts';
import type { NewEventRow } from '../../src/db/events/event-row.ts';
import type { IntegrationRow } from '../../src/db/integrations/integrations.ts';
import { NEVER_SYNCED } from '../../src/db/integrations/stored-sync.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import type { Db } from '../../src/db/core/schema.ts';
import type { Store } from '../../src/db/core/store.ts';
import { ensureUser } from '../../src/db/identity/users.ts';
import type { WebhookRow } from '../../src/db/webhooks/webhooks.ts';
import { findWorkspaceOf } from '../../src/db/workspaces/workspace-of.ts';
import { insertWorkspace, type WorkspaceRow } from '../../src/db/workspaces/workspaces.ts';
import { createIds } from '../../src/ids.ts';

/** One database, which several stores may open. */
export interface TestStorage {
  open(): Store;
  drop(): Promise<void>;
}

export const NOW = '2026-01-02T03:04:05.000Z';
export const ids = createIds(() => new Date(NOW));

/** The time this many milliseconds after `NOW`. */
export const after = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();

/** Opens a database with its schema; `close` also removes the database. */
export async function openMigrated(
  create: () => Promise<TestStorage>,
): Promise<{ store: Store; close: () => Promise<void> }> {
  const storage = await create();
  const store = storage.open();
  await migrate(store, new Date(NOW));
  return {
    store,
    async close() {
      await store.close();
      await storage.drop();
    },
  };
}

/** A workspace of its own, so that tests on one database do not see each other. */
export async function newWorkspace(store: Store, values: Partial<WorkspaceRow> = {}): Promise<string> {
  const id = ids('workspace');
  const row = { id, name: 'Acme', slug: id, plan: 'free', created_at: NOW, updated_at: NOW } as const;
  await store.write((tx) => insertWorkspace(tx, { ...row, ...values }));
  return values.id ?? id;
}

export async function newUser(store: Store): Promise<string> {
  const id = ids('user');
  await store.write((tx) => ensureUser(tx, { id, email: `${id}@example.com`, now: NOW }));
  return id;
}

export const eventRow = (workspaceId: string, values: Partial<NewEventRow> = {}): NewEventRow => ({
  id: ids('event'),
  workspace_id: workspaceId,
  integration_id: null,
  type: 'push',
  source: 'github',
  provider: null,
  payload: '{}',
  summary: '{}',
  dedupe_key: null,
  occurred_at: NOW,
  created_at: NOW,
  ...values,
});

/** A delivery that is due now. */
export const deliveryRow = (
  at: { workspaceId: string; webhookId: string },
  values: Partial<NewDelivery> = {},
): NewDelivery => ({
  id: ids('delivery'),
  workspace_id: at.workspaceId,
  webhook_id: at.webhookId,
  event_id: null,
  event_type: 'event.created',
  status: 'pending',
  trigger: 'event',
  body: '{}',
  attempt_count: 0,
  scheduled_count: 0,
  next_attempt_at: NOW,
  manual: 0,
  due_at: NOW,
  lease_owner: null,
  lease_token: 0,
  interruptions: 0,
  created_at: NOW,
  completed_at: null,
  ...values,
});

/** A delivery of any workspace. */
export async function deliveryOf(db: Db, id: string): Promise<ShownDelivery> {
  const workspaceId = (await findWorkspaceOf(db, 'delivery', id)) ?? '';
  const row = await findDelivery(db, workspaceId, id);
  if (!row) throw new Error('There is no such delivery.');
  return row;
}

export const attemptRow = (): Omit<AttemptRow, 'attempt'> => ({
  id: ids('attempt'),
  trigger: 'event',
  started_at: NOW,
  duration_ms: 12,
  response_status: 200,
  response_headers: '{"content-type":"text/plain"}',
  response_body: 'ok',
  error_kind: null,
  error_message: null,
});

export const webhookRow = (workspaceId: string): WebhookRow => ({
  id: ids('webhook'),
  workspace_id: workspaceId,
  name: null,
  url: 'https://example.com/',
  events: '["*"]',
  filters: null,
  description: null,
  status: 'active',
  secret: 'sealed',
  previous_secret: null,
  previous_until: null,
  rate_per_second: null,
  failing_since: null,
  failing_told: 0,
  disabled_reason: null,
  disabled_at: null,
  created_at: NOW,
  updated_at: NOW,
});

export const integrationRow = (workspaceId: string): IntegrationRow => ({
  id: ids('integration'),
  workspace_id: workspaceId,
  provider: 'custom',
  name: null,
  definition_id: null,
  definition: null,
  status: 'connected',
  config: '{}',
  credentials: 'sealed',
  hook: null,
  connected_at: NOW,
  problem: null,
  hook_refusal: null,
  refused_call: null,
  verified_at: null,
  ...NEVER_SYNCED,
  last_event: null,
  updated_at: NOW,
});

export const apiKeyRow = (userId: string, workspaceId: string | null): ApiKeyRow => ({
  id: ids('apiKey'),
  user_id: userId,
  workspace_id: workspaceId,
  name: 'key',
  prefix: 'hl_abc',
  hash: ids('request'),
  previous_hash: null,
  previous_until: null,
  scopes: '["*"]',
  role: null,
  created_at: NOW,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
});

export const auditRow = (workspaceId: string): Omit<AuditRow, 'seq'> => ({
  id: ids('audit'),
  workspace_id: workspaceId,
  action: 'webhook.created',
  actor_id: null,
  actor: '{}',
  target_id: null,
  targets: '[]',
  changes: '[]',
  context: '{}',
  metadata: '{}',
  created_at: NOW,
});
