import type { BackupSchedule } from '../system/server-info.ts';
import type { Meters } from './meters.ts';

/** The metrics of the backups that a server makes by itself. The returned function updates them; without a schedule they have no values. */
export function backupMetrics(meters: Meters, schedule: () => BackupSchedule | null): () => void {
  const every = meters.gauge('hubline_backup_interval_seconds', 'The interval between backups.');
  const succeeded = meters.gauge(
    'hubline_backup_last_success_timestamp_seconds',
    'The time of the last complete backup, in seconds since 1970; 0 before the first.',
  );
  const bytes = meters.gauge('hubline_backup_last_size_bytes', 'Size of the last complete backup.');
  const seconds = meters.gauge(
    'hubline_backup_last_duration_seconds',
    'Duration of the last complete backup, check and upload included.',
  );
  const failed = meters.counter(
    'hubline_backup_failures_total',
    'Backups that failed since the process started; each is retried.',
  );
  return () => {
    const known = schedule();
    if (known === null) {
      // The library begins with 0, which would mean a backup of 1970.
      for (const metric of [every, succeeded, bytes, seconds, failed]) metric.remove();
      return;
    }
    const { everyMs, last, failures } = known;
    every.set(everyMs / 1_000);
    succeeded.set(last === null ? 0 : Date.parse(last.takenAt) / 1_000);
    bytes.set(last?.bytes ?? 0);
    seconds.set((last?.durationMs ?? 0) / 1_000);
    // The schedule keeps the count: this copies it.
    failed.reset();
    failed.inc(failures);
  };
}
