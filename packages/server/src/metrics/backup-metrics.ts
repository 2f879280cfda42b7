import { Counter, Gauge, type Registry } from 'prom-client';
import type { BackupSchedule } from '../server-facts.ts';

/** The metrics of the backups that a server makes by itself; the result brings them up to date. Without a schedule they have no values. */
export function backupMetrics(registry: Registry, schedule: () => BackupSchedule | null): () => void {
  const registers = [registry];
  const every = new Gauge({
    name: 'hubline_backup_interval_seconds',
    help: 'How often a backup is to be made.',
    registers,
  });
  const succeeded = new Gauge({
    name: 'hubline_backup_last_success_timestamp_seconds',
    help: 'The time of the last complete backup, in seconds since 1970; 0 before the first.',
    registers,
  });
  const bytes = new Gauge({
    name: 'hubline_backup_last_size_bytes',
    help: 'Size of the last complete backup.',
    registers,
  });
  const seconds = new Gauge({
    name: 'hubline_backup_last_duration_seconds',
    help: 'Duration of the last complete backup, check and upload included.',
    registers,
  });
  const failed = new Counter({
    name: 'hubline_backup_failures_total',
    help: 'Backups that failed since the process started; each is tried again.',
    registers,
  });
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
    // Counted where it happens.
    failed.reset();
    failed.inc(failures);
  };
}
