import { sql } from 'kysely';
import { LINES } from '../../domain/line.ts';
import type { Migration } from '../migrate.ts';
import { waitsIn } from '../waits-in.ts';

/** The first schema. */
export const initial: Migration = {
  name: '0001-initial',
  async up(tx, dialect) {
    // Plain bytes decide the order, as in SQLite; the default collation of a PostgreSQL database may not.
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    const seq =
      dialect === 'postgres'
        ? sql`bigint generated always as identity primary key`
        : sql`integer primary key autoincrement`;
    const { schema } = tx;

    await schema
      .createTable('meta')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('value', text, (column) => column.notNull())
      .execute();

    await schema
      .createTable('users')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('email', text, (column) => column.notNull().unique())
      .addColumn('password_hash', text)
      .addColumn('mailbox_proved_at', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .execute();

    await schema
      .createTable('workspaces')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('slug', text, (column) => column.notNull().unique())
      .addColumn('plan', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .execute();

    await schema
      .createTable('members')
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) => column.notNull().references('users.id'))
      .addColumn('role', text, (column) => column.notNull())
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('invited_at', text)
      .addColumn('joined_at', text)
      .addColumn('updated_at', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('members_pk', ['workspace_id', 'user_id'])
      .execute();
    await schema.createIndex('members_user').on('members').columns(['user_id', 'workspace_id']).execute();

    await schema
      .createTable('invitations')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) => column.notNull().references('users.id'))
      .addColumn('token_hash', text, (column) => column.notNull().unique())
      .addColumn('mailed_token_hash', text, (column) => column.unique())
      .addColumn('created_by', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('expires_at', text, (column) => column.notNull())
      .addUniqueConstraint('invitations_member', ['workspace_id', 'user_id'])
      .execute();

    await schema
      .createTable('api_keys')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('user_id', text, (column) => column.notNull().references('users.id'))
      .addColumn('workspace_id', text, (column) => column.references('workspaces.id').onDelete('cascade'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('prefix', text, (column) => column.notNull())
      .addColumn('hash', text, (column) => column.notNull().unique())
      .addColumn('previous_hash', text, (column) => column.unique())
      .addColumn('previous_until', text)
      .addColumn('scopes', text, (column) => column.notNull())
      .addColumn('role', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('expires_at', text)
      .addColumn('revoked_at', text)
      .addColumn('last_used_at', text)
      .execute();
    await schema.createIndex('api_keys_workspace').on('api_keys').columns(['workspace_id', 'id']).execute();
    await schema.createIndex('api_keys_user').on('api_keys').columns(['user_id', 'id']).execute();

    await schema
      .createTable('integrations')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('provider', text, (column) => column.notNull())
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('config', text, (column) => column.notNull())
      .addColumn('credentials', text, (column) => column.notNull())
      .addColumn('hook', text)
      .addColumn('connected_at', text, (column) => column.notNull())
      .addColumn('last_synced_at', text)
      .addColumn('updated_at', text, (column) => column.notNull())
      .execute();
    await schema
      .createIndex('integrations_workspace')
      .on('integrations')
      .columns(['workspace_id', 'id'])
      .execute();

    await schema
      .createTable('events')
      .addColumn('seq', seq)
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('integration_id', text)
      .addColumn('type', text, (column) => column.notNull())
      .addColumn('source', text, (column) => column.notNull())
      .addColumn('payload', text, (column) => column.notNull())
      .addColumn('summary', text, (column) => column.notNull())
      .addColumn('dedupe_key', text)
      .addColumn('occurred_at', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .execute();
    await schema.createIndex('events_workspace').on('events').columns(['workspace_id', 'seq']).execute();
    // A rare type without its own index costs fifty times as much as a common one (engine.md, measured at 5 M rows).
    await schema.createIndex('events_type').on('events').columns(['workspace_id', 'type', 'seq']).execute();
    await schema
      .createIndex('events_source')
      .on('events')
      .columns(['workspace_id', 'source', 'seq'])
      .execute();
    await schema
      .createIndex('events_dedupe')
      .on('events')
      .columns(['integration_id', 'dedupe_key'])
      .unique()
      .where('dedupe_key', 'is not', null)
      .execute();

    await schema
      .createTable('webhooks')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('url', text, (column) => column.notNull())
      .addColumn('events', text, (column) => column.notNull())
      .addColumn('filters', text)
      .addColumn('description', text)
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('secret', text, (column) => column.notNull())
      .addColumn('previous_secret', text)
      .addColumn('previous_until', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .execute();
    await schema.createIndex('webhooks_workspace').on('webhooks').columns(['workspace_id', 'id']).execute();

    // No reference to webhooks: the history of a deleted webhook stays readable in the workspace's list.
    await schema
      .createTable('deliveries')
      .addColumn('seq', seq)
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('webhook_id', text, (column) => column.notNull())
      .addColumn('event_id', text)
      .addColumn('event_type', text, (column) => column.notNull())
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('trigger', text, (column) => column.notNull())
      .addColumn('attempt_count', 'integer', (column) => column.notNull())
      .addColumn('scheduled_count', 'integer', (column) => column.notNull())
      .addColumn('next_attempt_at', text)
      .addColumn('manual', 'integer', (column) => column.notNull())
      .addColumn('due_at', text)
      .addColumn('lease_owner', text)
      .addColumn('lease_token', 'integer', (column) => column.notNull())
      .addColumn('interruptions', 'integer', (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('completed_at', text)
      .execute();
    await schema
      .createIndex('deliveries_workspace')
      .on('deliveries')
      .columns(['workspace_id', 'seq'])
      .execute();
    await schema.createIndex('deliveries_webhook').on('deliveries').columns(['webhook_id', 'seq']).execute();
    await schema.createIndex('deliveries_event').on('deliveries').columns(['event_id', 'seq']).execute();
    // The queue: what is due, webhook by webhook, costs the same with no or five million finished deliveries beside it.
    for (const line of LINES) {
      await schema
        .createIndex(`deliveries_due_${line}`)
        .on('deliveries')
        .columns(['webhook_id', 'due_at'])
        .where(waitsIn[line])
        .execute();
    }
    await schema
      .createIndex('deliveries_held')
      .on('deliveries')
      .column('webhook_id')
      .where(sql.ref('status'), '=', 'held')
      .execute();

    // Apart from the deliveries, whose rows are rewritten by every claim and attempt: bodies are written once.
    await schema
      .createTable('delivery_bodies')
      .addColumn('seq', dialect === 'postgres' ? 'bigint' : 'integer', (column) =>
        column.primaryKey().references('deliveries.seq').onDelete('cascade'),
      )
      .addColumn('body', text, (column) => column.notNull())
      .execute();

    await schema
      .createTable('attempts')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('delivery_id', text, (column) =>
        column.notNull().references('deliveries.id').onDelete('cascade'),
      )
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('trigger', text, (column) => column.notNull())
      .addColumn('started_at', text, (column) => column.notNull())
      .addColumn('duration_ms', 'integer', (column) => column.notNull())
      .addColumn('response_status', 'integer')
      .addColumn('response_headers', text)
      .addColumn('response_body', text)
      .addColumn('error_kind', text)
      .addColumn('error_message', text)
      .execute();
    await schema
      .createIndex('attempts_delivery')
      .on('attempts')
      .columns(['delivery_id', 'attempt'])
      .execute();

    await schema
      .createTable('idempotency_keys')
      .addColumn('seq', seq)
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('fingerprint', text, (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('body', text, (column) => column.notNull())
      .addColumn('result_id', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .execute();

    await schema
      .createTable('audit_log')
      .addColumn('seq', seq)
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('action', text, (column) => column.notNull())
      .addColumn('actor_id', text)
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('target_id', text)
      .addColumn('targets', text, (column) => column.notNull())
      .addColumn('changes', text, (column) => column.notNull())
      .addColumn('context', text, (column) => column.notNull())
      .addColumn('metadata', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .execute();
    await schema
      .createIndex('audit_log_workspace')
      .on('audit_log')
      .columns(['workspace_id', 'seq'])
      .execute();
  },
};
