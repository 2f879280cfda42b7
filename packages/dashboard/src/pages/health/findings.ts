import type { BackupSchedule, WorkspaceHealth } from '@hubline/sdk';
import type { MarkName } from '../../components/icons/mark.tsx';
import { formatBytes, formatDuration, formatMany } from '../../data/formats/format-number.ts';

/** A problem of the server that somebody should know about, with its cure. */
export interface Finding {
  readonly mark: MarkName;
  readonly title: string;
  readonly detail: string;
  /** A command that tells more, to run on the machine of the server. */
  readonly command?: string;
}

/** A read that takes longer is slow; normally, it takes less than a millisecond. */
const SLOW_MS = 250;
const DAY_MS = 86_400_000;
const BACKUP_DAYS = 7;
/** Intervals without a backup before it is a problem: one backup may fail and be made later. */
const MISSED = 2;
/** The free space to keep, as a multiple of the database: a backup and a migration need as much room as the database has. */
const ROOM = 2;

const PRIVATE = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/;

/** Reports whether two scheduled backups in a row are missing. Before the first backup, the start of the server counts. */
function isLate({ every_seconds, last_success_at }: BackupSchedule, startedAt: string, now: number): boolean {
  return now - Date.parse(last_success_at ?? startedAt) > MISSED * every_seconds * 1_000;
}

/** The problems of a server that are worth a look. */
export function findingsOf(health: WorkspaceHealth, now = Date.now()): readonly Finding[] {
  const { database, server, sends_email, public_url } = health;
  const failed = (server?.jobs ?? []).reduce(
    (sum, { state, jobs }) => sum + (state === 'failed' ? jobs : 0),
    0,
  );
  const newest = server?.backups?.find(({ present }) => present);
  const found: (Finding | false)[] = [
    server?.free_bytes != null &&
      server.free_bytes < ROOM * server.database_bytes && {
        mark: 'fail',
        title: 'The disk is nearly full',
        detail: `${formatBytes(server.free_bytes)} are free, the database has ${formatBytes(server.database_bytes)}. Make room, or keep events for fewer days.`,
      },
    failed > 0 && {
      mark: 'fail',
      title: `${formatMany(failed, ['background job has', 'background jobs have'])} failed`,
      detail: 'The command below shows why; hubline server retry-job retries a job.',
      command: 'server jobs',
    },
    database.response_ms > SLOW_MS && {
      mark: 'warn',
      title: 'The database responds slowly',
      detail: `A read took ${formatDuration(database.response_ms)}.`,
    },
    server?.backup_schedule?.last_error != null && {
      mark: 'fail',
      title: 'The last backup failed',
      detail: `${server.backup_schedule.last_error} It is retried automatically.`,
    },
    server?.backup_schedule != null &&
      isLate(server.backup_schedule, health.started_at, now) && {
        mark: 'fail',
        title: 'There is no recent backup',
        detail: 'No backup has completed for twice the interval. The command below shows why.',
        command: 'server jobs',
      },
    server?.certificate?.last_error != null && {
      mark: 'fail',
      title: `The certificate could not be ${server.certificate.expires_at === null ? 'obtained' : 'renewed'}`,
      detail: `${server.certificate.last_error} It is retried automatically.`,
    },
    server?.backups != null &&
      server.backup_schedule === null &&
      (newest === undefined || now - Date.parse(newest.taken_at) > BACKUP_DAYS * DAY_MS) && {
        mark: 'warn',
        title: newest ? 'The last backup is old' : 'No backup found',
        detail: 'The commands below make one now, or one every day. Keep master.key elsewhere.',
      },
    PRIVATE.test(new URL(public_url).host) && {
      mark: 'warn',
      title: 'The public URL is private',
      detail: `Tools on the internet cannot call ${public_url}. Start the server with --public-url and its address.`,
    },
    !sends_email && {
      mark: 'warn',
      title: 'Email is not sent',
      detail: 'Invitations are links to copy. Set HUBLINE_SMTP_URL.',
    },
  ];
  return found.filter((each) => each !== false);
}
