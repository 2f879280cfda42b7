import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ServerConfig } from '../config/config.ts';
import type {
  BackupSchedule,
  CertificateStatus,
  KnownBackup,
  ServerCommandLine,
  ServerInfo,
} from '../system/server-info.ts';
import { listBackups } from '../backups/backup-journal.ts';
import type { Logger } from '../log/log.ts';
import { describeFailure } from '../log/describe-failure.ts';

/** The log, and values from other parts of the process. */
interface InfoSources {
  readonly log: Logger;
  /** Default: there is none. */
  readonly backupSchedule?: () => BackupSchedule | null;
  /** Default: there is none. */
  readonly certificate?: () => CertificateStatus | null;
  /** Default: that of an installed program, with the defaults of its flags. */
  readonly commandLine?: Partial<ServerCommandLine> | undefined;
}

/** Reports about this process, and about the files of its data directory. */
export const createServerInfo = (
  { data, databaseUrl }: Pick<ServerConfig, 'data' | 'databaseUrl'>,
  startedAt: Date,
  { log, backupSchedule = () => null, certificate = () => null, commandLine }: InfoSources,
): ServerInfo => ({
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
  backups: () => (databaseUrl === undefined ? backupsIn(data, log) : null),
  backupSchedule,
  certificate,
});

/** The listed backups; none if the list cannot be read, which must not hide the rest. The log says why. */
function backupsIn(data: string, log: Logger): KnownBackup[] {
  try {
    return listBackups(data);
  } catch (error) {
    log.warn(describeFailure(error), 'the list of backups cannot be read');
    return [];
  }
}
