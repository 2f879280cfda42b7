import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ServerConfig } from '../config.ts';
import type { BackupSchedule, CertificateStatus, ServerCommandLine, ServerFacts } from '../server-facts.ts';
import { listBackups } from '../backups/backup-journal.ts';

/** Facts that other parts of the process know. */
interface Told {
  /** Default: there is none. */
  readonly backupSchedule?: () => BackupSchedule | null;
  /** Default: there is none. */
  readonly certificate?: () => CertificateStatus | null;
  /** Default: that of an installed program, with the defaults of its flags. */
  readonly commandLine?: Partial<ServerCommandLine> | undefined;
}

/** Facts about this process, and about the files of its data directory. */
export const createServerFacts = (
  { data, databaseUrl }: Pick<ServerConfig, 'data' | 'databaseUrl'>,
  startedAt: Date,
  { backupSchedule = () => null, certificate = () => null, commandLine }: Told = {},
): ServerFacts => ({
  startedAt,
  commandLine: {
    program: 'hubline',
    data: databaseUrl === undefined ? resolve(data) : null,
    flags: '',
    ...commandLine,
  },
  memoryBytes: () => process.memoryUsage.rss(),
  async freeBytes() {
    if (databaseUrl !== undefined) return null;
    const { bavail, bsize } = await statfs(data);
    return bavail * bsize;
  },
  backups: () => (databaseUrl === undefined ? listBackups(data) : null),
  backupSchedule,
  certificate,
});
