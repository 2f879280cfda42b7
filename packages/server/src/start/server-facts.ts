import { statfs } from 'node:fs/promises';
import type { ServerConfig } from '../config.ts';
import type { BackupSchedule, ServerFacts } from '../server-facts.ts';
import { listBackups } from './backup-journal.ts';

/** Facts about this process, and about the files of its data directory. */
export const createServerFacts = (
  { data, databaseUrl }: Pick<ServerConfig, 'data' | 'databaseUrl'>,
  startedAt: Date,
  backupSchedule: () => BackupSchedule | null = () => null,
): ServerFacts => ({
  startedAt,
  memoryBytes: () => process.memoryUsage.rss(),
  async freeBytes() {
    if (databaseUrl !== undefined) return null;
    const { bavail, bsize } = await statfs(data);
    return bavail * bsize;
  },
  backups: () => (databaseUrl === undefined ? listBackups(data) : null),
  backupSchedule,
});
