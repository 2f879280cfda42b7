import type { EndpointOutput } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import { countJobs } from '../../db/jobs.ts';
import { ping } from '../../db/ping.ts';
import { countOpen } from '../../db/webhooks/open-counts.ts';
import { listAllWebhooks } from '../../db/webhooks/webhooks.ts';
import type { BackupSchedule, CertificateStatus } from '../../system/server-info.ts';
import { VERSION } from '../../assets/version.ts';
import { isOperator } from '../identity/operator.ts';

type Health = EndpointOutput<'workspaces.health'>;

/** The state of the server: the part about the workspace and, for the operator, the whole server. */
export async function health(context: WorkspaceContext): Promise<Health> {
  const { store, access, serverInfo, actor, mail } = context;
  const began = performance.now();
  await ping(store.read);
  const took = performance.now() - began;
  return {
    workspace_id: access.workspaceId,
    version: VERSION,
    started_at: serverInfo.startedAt.toISOString(),
    database: { kind: store.dialect, response_ms: Math.round(took * 100) / 100 },
    sends_email: mail.sends,
    public_url: context.publicUrl(),
    queue: await countOpen(store.read, await listAllWebhooks(store.read, access.workspaceId)),
    server: (await isOperator(store.read, actor.userId)) ? await wholeServer(context) : null,
  };
}

async function wholeServer({
  store,
  serverInfo,
  now,
}: WorkspaceContext): Promise<NonNullable<Health['server']>> {
  const jobs = await countJobs(store.read, now.getTime());
  return {
    database_bytes: await dialectOf(store.read).databaseBytes(store.read),
    free_bytes: await serverInfo.freeBytes(),
    memory_bytes: serverInfo.memoryBytes(),
    jobs: jobs.map(({ kind, state, jobs: count }) => ({ kind, state, jobs: count })),
    backups: serverInfo.backups()?.slice() ?? null,
    backup_schedule: scheduleOf(serverInfo.backupSchedule()),
    certificate: certificateOf(serverInfo.certificate()),
  };
}

function scheduleOf(schedule: BackupSchedule | null): NonNullable<Health['server']>['backup_schedule'] {
  if (schedule === null) return null;
  const { everyMs, keep, to, last, lastError } = schedule;
  return {
    every_seconds: everyMs / 1_000,
    keep,
    to,
    last_success_at: last?.takenAt ?? null,
    last_error: lastError,
  };
}

function certificateOf(status: CertificateStatus | null): NonNullable<Health['server']>['certificate'] {
  if (status === null) return null;
  const { domain, authority, expiresAt, renewsAt, nextAttemptAt, lastError } = status;
  return {
    domain,
    authority,
    expires_at: expiresAt?.toISOString() ?? null,
    renews_at: renewsAt?.toISOString() ?? null,
    next_try_at: nextAttemptAt?.toISOString() ?? null,
    last_error: lastError,
  };
}
