/** A point at which a test can kill the server. docs/decisions/crash-testing.md says what each is for. */
export type CrashPoint =
  | 'commit.begun'
  | 'commit.done'
  | 'claim.committed'
  | 'sender.received'
  | 'attempt.sent'
  | 'attempt.ended'
  | 'record.committed'
  | 'retention.removed'
  | 'retention.committed'
  | 'workspace.removed'
  | 'workspace.committed'
  | 'job.claimed'
  | 'job.worked'
  | 'job.recorded'
  | 'automation.acted'
  | 'automation.recorded'
  | 'notification.sent'
  | 'backup.begun'
  | 'backup.copied'
  | 'backup.synced'
  | 'backup.renamed'
  | 'migration.begun'
  | 'migration.statement'
  | 'migration.applied';

/** `#chaos`: does nothing, except in the build of the crash tests. */
export interface Chaos {
  /** Marks a point at which a crash test may kill the program. `kind`: the kind of the job, at the points of jobs. */
  reach(point: CrashPoint, kind?: string): void;
}
