/** A moment at which a test can make the server die. docs/decisions/crash-testing.md says what each is for. */
export type CrashPoint =
  | 'commit.begun'
  | 'commit.done'
  | 'claim.committed'
  | 'sender.received'
  | 'attempt.sent'
  | 'attempt.answered'
  | 'record.committed'
  | 'retention.removed'
  | 'retention.committed'
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

/** `#chaos`: nothing in every build but that of the crash tests. */
export interface Chaos {
  /** Marks a point in the program: a crash test may end it here. `kind`: that of the job, at the points of jobs. */
  reach(point: CrashPoint, kind?: string): void;
}
