/**
 * A named moment at which a test can make the server die. Those of `CRASH_POINTS` are reached by a line in the code,
 * the others by what the test-only build listens to.
 */
export type CrashPoint =
  | 'commit.begun'
  | 'commit.done'
  | 'claim.committed'
  | 'attempt.sent'
  | 'attempt.answered'
  | 'record.committed'
  | 'retention.removed'
  | 'retention.committed'
  | 'backup.begun'
  | 'backup.copied'
  | 'backup.synced'
  | 'backup.renamed'
  | 'migration.begun'
  | 'migration.statement'
  | 'migration.applied';

/** What `#chaos` is: nothing in every build but that of the crash tests. docs/decisions/crash-testing.md */
export interface Chaos {
  /** Says that the program has come this far. */
  reach(point: CrashPoint): void;
}
