/** A backup that was written. */
export interface KnownBackup {
  path: string;
  bytes: number;
  /** ISO 8601: everything that was stored before is in it. */
  taken_at: string;
  /** True while the file is where it was written. */
  present: boolean;
}

/** The process and its files, as the health page shows them to the operator. */
export interface ServerFacts {
  readonly startedAt: Date;
  memoryBytes(): number;
  /** Free space for the database file; `null` on PostgreSQL. */
  freeBytes(): Promise<number | null>;
  /** The last backups, newest first; `null` on PostgreSQL. */
  backups(): readonly KnownBackup[] | null;
}
