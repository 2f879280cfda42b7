import type { WorkspaceHealth } from '@hubline/contract/types';
import { targetWorkspace } from '../../client/resolve.ts';
import { formatBytes } from '../../output/bytes.ts';
import type { Screen } from '../../output/screen.ts';
import { labeled, queueText } from '../../output/stats.ts';
import { durationText } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

const healthView = view<WorkspaceHealth>()({
  noun: ['workspace', 'workspaces'],
  fields: [
    'workspace_id',
    'version',
    'started_at',
    'database',
    'sends_email',
    'public_url',
    'queue',
    'server',
  ],
  columns: ['version', 'database.kind', 'queue.pending', 'queue.retrying', 'queue.held'],
  id: 'workspace_id',
});

function scheduleText(schedule: NonNullable<WorkspaceHealth['server']>['backup_schedule']): string {
  if (schedule === null) return 'no backups are scheduled: --backup-every 24h --backup-to DIR';
  const { every_seconds, keep, to, last_error: error } = schedule;
  const failed = error === null ? '' : `; THE LAST FAILED: ${error}`;
  return `a backup every ${durationText(every_seconds * 1_000)} into ${to}, ${keep} are kept${failed}`;
}

function certificateText(certificate: NonNullable<WorkspaceHealth['server']>['certificate']): string {
  if (certificate === null) return 'none: use --domain';
  const { domain, authority, expires_at: expiry, renews_at: renewal, last_error: error } = certificate;
  const known =
    expiry === null
      ? `${domain} has no certificate from ${authority} yet`
      : `${domain}, until ${expiry}, renewed from ${renewal}, by ${authority}`;
  return error === null ? known : `${known}; THE LAST ATTEMPT FAILED: ${error}`;
}

/** The state of the server on a terminal. */
function showHealth(health: WorkspaceHealth, screen: Screen): string {
  const { database, server } = health;
  const line = labeled(screen);
  const [backup] = server?.backups ?? [];
  return [
    line('version', `${health.version}, started ${health.started_at}`),
    line('database', `${database.kind}, responds in ${database.response_ms} ms`),
    line('email', health.sends_email ? 'is sent' : 'is not sent: HUBLINE_SMTP_URL is not set'),
    line('url', health.public_url),
    line('queue', queueText(health.queue)),
    ...(server
      ? [
          line(
            'size',
            `${formatBytes(server.database_bytes)}${server.free_bytes === null ? '' : `, ${formatBytes(server.free_bytes)} free`}`,
          ),
          line('memory', formatBytes(server.memory_bytes)),
          line(
            'jobs',
            server.jobs.map(({ kind, state, jobs }) => `${jobs} ${kind} ${state}`).join(', ') || '-',
          ),
          line('backup', backup ? `${backup.taken_at}, ${backup.path}` : 'none known'),
          line('schedule', scheduleText(server.backup_schedule)),
          line('certificate', certificateText(server.certificate)),
        ]
      : []),
  ].join('');
}

export const command = define({
  path: 'workspace health',
  summary: 'Show the state of the server: version, database, open deliveries; for its operator also backups.',
  description:
    'The operator is the user created when the server was set up. Backups are those of the schedule, of hubline server backup, and of upgrades.',
  endpoints: ['workspaces.health'],
  args: { workspace: { summary: 'ID or slug; default: the workspace in use', optional: true } },
  examples: ['hubline workspace health', "hubline workspace health --jq '.server.backups[0].taken_at'"],
  view: healthView,
  show: showHealth,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.workspaces.health(await targetWorkspace(ctx, args.workspace), ctx.request);
  },
});
