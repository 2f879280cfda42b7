/** A backup that was written. */
export interface KnownBackup {
  path: string;
  bytes: number;
  /** Time of the backup, which has everything stored before it. ISO 8601. */
  taken_at: string;
  /** True if the file still exists. Always true for backups in S3, which are not checked. */
  present: boolean;
}

/** The backups that the server makes by itself. */
export interface BackupSchedule {
  everyMs: number;
  /** The number of backups that stay; older ones are removed. */
  keep: number;
  /** The directory, or `s3://bucket/prefix`. */
  to: string;
  /** The newest that is complete; `null` before the first. */
  last: LastBackup | null;
  /** The reason why the last attempt failed; `null` after a success. */
  lastError: string | null;
  /** The number of attempts that have failed since the process started. */
  failures: number;
}

/** A backup that the server has made. */
export interface LastBackup {
  /** ISO 8601. */
  takenAt: string;
  bytes: number;
  /** The time that the copy, its check, and its move or upload took. */
  durationMs: number;
}

/** The certificate that the server gets and renews by itself. */
export interface CertificateStatus {
  domain: string;
  /** The host of the authority. */
  authority: string;
  /** `null` before the first. */
  expiresAt: Date | null;
  /** The time from which it is renewed; `null` before the first. */
  renewsAt: Date | null;
  /** The time of the next attempt; `null` while one is under way. */
  nextAttemptAt: Date | null;
  /** The reason why the last attempt failed, with the fix; `null` after a success. */
  lastError: string | null;
  /** The number of attempts that have failed since the process started. */
  failures: number;
}

/** The command line of the machine that runs the server, for commands that its operator can paste. */
export interface ServerCommandLine {
  /** The words that start the program from any folder. Quoted for a shell, like `flags`. */
  program: string;
  /** The data directory, an absolute path, unquoted; `null` on PostgreSQL. */
  data: string | null;
  /** The flags of `server start` that were given, except those of the storage. */
  flags: string;
}

/** The process and its files, as the health page shows them to the operator. */
export interface ServerInfo {
  readonly startedAt: Date;
  readonly commandLine: ServerCommandLine;
  memoryBytes(): number;
  /** Free space for the database file; `null` on PostgreSQL. */
  freeBytes(): Promise<number | null>;
  /** The last backups, newest first; `null` on PostgreSQL. */
  backups(): readonly KnownBackup[] | null;
  /** The backups that it makes by itself; `null` where it makes none. */
  backupSchedule(): BackupSchedule | null;
  /** The certificate of its domain; `null` where it has none. */
  certificate(): CertificateStatus | null;
}
