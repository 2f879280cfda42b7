import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The schema. */
export const initial: Migration = {
  name: '0001-initial',
  async up(tx, dialect) {
    const onPostgres = dialect === 'postgres';
    // Plain bytes decide the order, as in SQLite; the default collation of a PostgreSQL database may not.
    const text = onPostgres ? 'text collate "C"' : 'text';
    const bytes = onPostgres ? 'bytea' : 'blob';
    const long = onPostgres ? 'bigint' : 'integer';
    const short = onPostgres ? 'smallint' : 'integer';
    const real = onPostgres ? 'double precision' : 'real';
    const seq = onPostgres
      ? 'bigint generated always as identity primary key'
      : 'integer primary key autoincrement';
    // SQLite: refuses a value of another type instead of storing it.
    const strict = onPostgres ? '' : 'strict';
    const ofWorkspace = 'references workspaces(id) on delete cascade';
    const ofWorkspaceSeq = 'references workspaces(seq) on delete cascade';
    const run = async (...statements: readonly string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    };

    await run(
      `create table meta ("key" ${text} primary key, value ${text} not null)`,

      `create table users (
        id ${text} primary key,
        email ${text} not null unique,
        password_hash ${text},
        mailbox_proved_at ${text},
        created_at ${text} not null,
        updated_at ${text} not null
      )`,

      `create table sessions (
        token_hash ${text} primary key,
        user_id ${text} not null references users(id) on delete cascade,
        created_at ${text} not null,
        expires_at ${text} not null
      )`,
      'create index sessions_user on sessions (user_id)',

      `create table workspaces (
        seq ${seq},
        id ${text} not null unique,
        name ${text} not null,
        slug ${text} not null unique,
        "plan" ${text} not null,
        created_at ${text} not null,
        updated_at ${text} not null
      )`,

      `create table members (
        workspace_id ${text} not null ${ofWorkspace},
        user_id ${text} not null references users(id),
        role ${text} not null,
        status ${text} not null,
        invited_at ${text},
        joined_at ${text},
        updated_at ${text} not null,
        primary key (workspace_id, user_id)
      )`,
      'create index members_user on members (user_id, workspace_id)',

      `create table invitations (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        user_id ${text} not null references users(id),
        token_hash ${text} not null unique,
        mailed_token_hash ${text} unique,
        created_by ${text} not null,
        created_at ${text} not null,
        expires_at ${text} not null,
        unique (workspace_id, user_id)
      )`,

      `create table api_keys (
        id ${text} primary key,
        user_id ${text} not null references users(id),
        workspace_id ${text} ${ofWorkspace},
        name ${text} not null,
        prefix ${text} not null,
        hash ${text} not null unique,
        previous_hash ${text} unique,
        previous_until ${text},
        scopes ${text} not null,
        role ${text},
        created_at ${text} not null,
        expires_at ${text},
        revoked_at ${text},
        last_used_at ${text}
      )`,
      'create index api_keys_workspace on api_keys (workspace_id, id)',
      'create index api_keys_user on api_keys (user_id, id)',

      `create table provider_definitions (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        provider ${text} not null,
        definition ${text} not null,
        created_at ${text} not null,
        updated_at ${text} not null,
        unique (workspace_id, provider)
      )`,

      `create table integrations (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        provider ${text} not null,
        name ${text},
        definition_id ${text},
        status ${text} not null,
        problem ${text},
        config ${text} not null,
        credentials ${text} not null,
        hook ${text},
        hook_refusal ${text},
        verified_at ${text},
        refused_call ${text},
        connected_at ${text} not null,
        last_synced_at ${text},
        last_event ${text},
        catch_up ${text},
        updated_at ${text} not null
      )`,
      'create index integrations_workspace on integrations (workspace_id, id)',

      `create table oauth_apps (
        workspace_id ${text} not null ${ofWorkspace},
        provider ${text} not null,
        app ${text} not null,
        updated_at ${text} not null,
        primary key (workspace_id, provider)
      )`,

      `create table oauth_flows (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        provider ${text} not null,
        integration_id ${text},
        settings ${text} not null,
        starter ${text} not null,
        link_hash ${text} not null unique,
        status ${text} not null,
        error ${text},
        created_at ${text} not null,
        expires_at ${text} not null
      )`,
      'create index oauth_flows_created on oauth_flows (created_at)',

      `create table webhooks (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        name ${text},
        url ${text} not null,
        events ${text} not null,
        filters ${text},
        description ${text},
        status ${text} not null,
        secret ${text} not null,
        previous_secret ${text},
        previous_until ${text},
        rate_per_second integer,
        failing_since ${text},
        failing_told ${short} not null,
        disabled_reason ${text},
        disabled_at ${text},
        created_at ${text} not null,
        updated_at ${text} not null
      )`,
      'create index webhooks_workspace on webhooks (workspace_id, id)',

      `create table automations (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        name ${text} not null,
        description ${text},
        enabled integer not null,
        version integer not null,
        "trigger" ${text} not null,
        conditions ${text},
        actions ${text} not null,
        throttle ${text},
        concurrency_key ${text},
        secret ${text},
        next_run_at ${text},
        answers ${text} not null,
        created_by ${text} not null,
        created_at ${text} not null,
        updated_at ${text} not null
      )`,
      'create index automations_workspace on automations (workspace_id, id)',

      // The actions that a run began with.
      `create table automation_versions (
        id ${text} primary key,
        automation_id ${text} not null references automations(id) on delete cascade,
        name ${text} not null,
        actions ${text} not null,
        answers ${text} not null
      )`,
      'create index automation_versions_automation on automation_versions (automation_id)',

      `create table automation_runs (
        seq ${seq},
        id ${text} not null unique,
        workspace_id ${text} not null,
        automation_id ${text} not null references automations(id) on delete cascade,
        version integer not null,
        "trigger" ${text} not null,
        once_key ${text},
        event_id ${text},
        data ${text},
        depth integer not null,
        allowance integer not null,
        concurrency ${text},
        status ${text} not null,
        error ${text},
        created_at ${long} not null,
        started_at ${long},
        resume_at ${long},
        completed_at ${long},
        unique (automation_id, once_key)
      )`,
      'create index automation_runs_automation on automation_runs (automation_id, seq)',
      'create index automation_runs_concurrency on automation_runs (automation_id, concurrency, seq) where concurrency is not null and completed_at is null',

      `create table automation_steps (
        run ${long} not null references automation_runs(seq) on delete cascade,
        "position" integer not null,
        status ${text} not null,
        attempt integer not null,
        started_at ${long},
        due_at ${long},
        completed_at ${long},
        request ${text},
        response ${text},
        output ${text},
        error ${text},
        primary key (run, "position")
      )`,

      `create table webhook_pace (
        webhook_id ${text} primary key references webhooks(id) on delete cascade,
        used_until ${real}
      )`,

      `create table events (
        seq ${seq},
        id ${bytes} not null unique,
        workspace ${long} not null ${ofWorkspaceSeq},
        integration_id ${bytes},
        occurred_at ${long},
        created_at ${long} not null,
        type ${text} not null,
        source ${text} not null,
        provider ${text},
        dedupe_key ${text},
        summary ${text} not null,
        payload ${text} not null
      ) ${strict}`,
      'create index events_workspace on events (workspace, seq)',
      // A rare type without its own index costs fifty times as much as a common one (measured at 5 M rows).
      'create index events_type on events (workspace, type, seq)',
      'create index events_source on events (workspace, source, seq)',
      'create unique index events_dedupe on events (integration_id, dedupe_key) where dedupe_key is not null',

      // No reference to webhooks: the history of a deleted webhook stays readable in the workspace's list.
      `create table deliveries (
        seq ${seq},
        id ${bytes} not null unique,
        workspace ${long} not null ${ofWorkspaceSeq},
        webhook_id ${bytes} not null,
        event_id ${bytes},
        event_type ${short} not null,
        status ${short} not null,
        "trigger" ${short} not null,
        attempt_count integer not null,
        scheduled_count integer not null,
        next_attempt_at ${long},
        manual ${short} not null,
        due_at ${long},
        lease_owner ${text},
        lease_token integer not null,
        interruptions integer not null,
        created_at ${long} not null,
        completed_at ${long},
        last_id ${bytes},
        last_trigger ${short},
        last_at ${long},
        last_duration_ms integer,
        last_status integer,
        last_error_kind ${short},
        last_error_message ${text},
        last_headers ${text},
        last_body ${text},
        body ${text}
      ) ${strict}`,
      'create index deliveries_workspace on deliveries (workspace, seq)',
      'create index deliveries_webhook on deliveries (webhook_id, seq)',
      'create index deliveries_event on deliveries (event_id, seq) where event_id is not null',
      // The queue: finding the due deliveries of a webhook costs the same with no or five million finished ones beside them.
      'create index deliveries_due_initial on deliveries (webhook_id, due_at) where due_at is not null and status = 0',
      'create index deliveries_due_retry on deliveries (webhook_id, due_at) where due_at is not null and status <> 0',
      'create index deliveries_held on deliveries (webhook_id) where status = 4',
      // A recovery of a hundred failed deliveries must not read through five million delivered ones.
      'create index deliveries_failed_webhook on deliveries (webhook_id, seq) where status = 3',
      'create index deliveries_failed_workspace on deliveries (workspace, seq) where status = 3',

      `create table attempts (
        delivery ${long} not null references deliveries(seq) on delete cascade,
        attempt integer not null,
        id ${bytes} not null,
        "trigger" ${short} not null,
        started_at ${long} not null,
        duration_ms integer not null,
        response_status integer,
        error_kind ${short},
        error_message ${text},
        response_headers ${text},
        response_body ${text},
        primary key (delivery, attempt)
      ) ${strict}`,

      `create table recoveries (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        webhook_id ${text},
        status ${text} not null,
        filters ${text} not null,
        matched integer not null,
        done integer not null,
        "position" ${long} not null,
        created_at ${text} not null,
        completed_at ${text}
      )`,
      'create index recoveries_open on recoveries (id) where completed_at is null',

      `create table idempotency_keys (
        seq ${seq},
        id ${bytes} not null unique,
        fingerprint ${bytes} not null,
        status ${short} not null,
        created_at ${long} not null,
        event_id ${bytes},
        body ${text}
      ) ${strict}`,

      `create table jobs (
        seq ${seq},
        kind ${text} not null,
        "key" ${text} not null,
        payload ${text} not null,
        due_at ${long} not null,
        lease_owner ${text},
        lease_token integer not null,
        attempts integer not null,
        last_error ${text},
        created_at ${long} not null,
        failed_at ${long},
        unique (kind, "key")
      ) ${strict}`,
      'create index jobs_due on jobs (kind, due_at) where failed_at is null',

      `create table notification_templates (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        version integer not null,
        created_at ${text} not null
      )`,
      'create index notification_templates_workspace on notification_templates (workspace_id, id)',

      `create table notification_template_versions (
        template_id ${text} not null references notification_templates(id) on delete cascade,
        version integer not null,
        name ${text} not null,
        subject ${text},
        body ${text} not null,
        sample_event_type ${text},
        created_by ${text},
        created_at ${text} not null,
        primary key (template_id, version)
      )`,

      `create table notification_rules (
        id ${text} primary key,
        workspace_id ${text} not null ${ofWorkspace},
        name ${text} not null,
        enabled ${short} not null,
        template_id ${text},
        settings ${text} not null,
        created_by ${text},
        created_at ${text} not null,
        updated_at ${text} not null
      )`,
      'create index notification_rules_workspace on notification_rules (workspace_id, id)',

      `create table notification_messages (
        seq ${seq},
        id ${text} not null unique,
        workspace_id ${text} not null ${ofWorkspace},
        rule ${text} not null,
        occurrence ${text} not null,
        "trigger" ${text} not null,
        event_id ${text},
        kind ${text} not null,
        destination ${text} not null,
        recipient ${text} not null,
        content ${text} not null,
        status ${text} not null,
        reason ${text},
        attempts integer not null,
        digest_key ${text},
        dedupe_key ${text},
        next_attempt_at ${long},
        created_at ${long} not null,
        completed_at ${long},
        unique (rule, occurrence, destination)
      ) ${strict}`,
      'create index notification_messages_workspace on notification_messages (workspace_id, seq)',
      'create index notification_messages_rule on notification_messages (rule, seq)',
      "create index notification_messages_collecting on notification_messages (rule, digest_key, next_attempt_at) where status = 'collecting'",
      'create index notification_messages_dedupe on notification_messages (rule, dedupe_key, created_at) where dedupe_key is not null',

      `create table notifications (
        seq ${seq},
        id ${text} not null unique,
        user_id ${text} not null references users(id) on delete cascade,
        workspace_id ${text} not null ${ofWorkspace},
        rule_id ${text},
        "trigger" ${text} not null,
        event_id ${text},
        resource_id ${text},
        severity ${text} not null,
        title ${text} not null,
        "text" ${text} not null,
        read_at ${long},
        created_at ${long} not null
      ) ${strict}`,
      'create index notifications_user on notifications (user_id, seq)',
      'create index notifications_unread on notifications (user_id, workspace_id) where read_at is null',

      `create table unsubscribed (
        workspace_id ${text} not null ${ofWorkspace},
        user_id ${text} not null references users(id) on delete cascade,
        rule ${text} not null,
        created_at ${text} not null,
        primary key (user_id, rule, workspace_id)
      )`,

      `create table audit_log (
        seq ${seq},
        id ${text} not null unique,
        workspace_id ${text} not null ${ofWorkspace},
        action ${text} not null,
        actor_id ${text},
        actor ${text} not null,
        target_id ${text},
        targets ${text} not null,
        changes ${text} not null,
        context ${text} not null,
        metadata ${text} not null,
        created_at ${text} not null
      )`,
      'create index audit_log_workspace on audit_log (workspace_id, seq)',
    );
  },
};
