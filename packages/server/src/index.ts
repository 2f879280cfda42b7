/**
 * The Hubline reference server: the whole API and the delivery engine in one process, on SQLite or PostgreSQL.
 *
 * @packageDocumentation
 */
export {
  backup,
  type BackedUp,
  restore,
  type Restored,
  type VerifiedBackup,
  verifyBackup,
} from './backups/backup.ts';
export { parseStartConfig } from './backups/parse-start-config.ts';
export { DamagedBackup, fetchBackup, type FoundBackup, listBackups } from './backups/find-backups.ts';
export { backupWarning } from './backups/backup-warning.ts';
export { removeUnfinished } from './backups/leftovers.ts';
export { bootstrap, type BootstrapOptions, newSetupLink, setUserPassword } from './start/bootstrap.ts';
export { type CopiedDatabase, copyToPostgres } from './start/storage/copy-to-postgres.ts';
export { databaseWarning } from './start/storage/database-warning.ts';
export { inspectStorage } from './start/storage/inspect-storage.ts';
export { migrateDatabase } from './start/storage/open-storage.ts';
export { type JobFilter, type JobInfo, listJobs, retryJob } from './start/operator-jobs.ts';
export type { JobState } from './db/jobs.ts';
export type { ServerCommandLine } from './system/server-info.ts';
export { ConfigError, parseServerConfig, type ServerConfig, type ServerFlags } from './config/config.ts';
export { unreadDatabaseSettings } from './config/database-url.ts';
export { unknownVariables } from './config/unknown-variables.ts';
export { providers } from './providers/registry.ts';
export type { Provider } from './providers/provider.ts';
export { refuseForeignPath } from './data-directory/foreign-links.ts';
export { surroundingsOf, warningsOf } from './data-directory/start-warnings.ts';
export { refuseUnusableDirectory } from './data-directory/prepare-directory.ts';
export { isUnfitForBackups } from './system/system-directories.ts';
export { tlsWarnings } from './http/listeners/tls-files.ts';
export { checkBody } from './http/check-body.ts';
export { tryPorts } from './http/ports/try-ports.ts';
export { requireLimits } from './config/require-limits.ts';
export { hasDatabase, isInUse } from './data-directory/data-directory.ts';
export { SCHEMA, schemaOf, sqliteVersion } from './start/storage/schema.ts';
export { Fault } from './domain/faults/fault.ts';
export { liveDemo } from './seed/live-demo.ts';
export { seedDatabase, type SeedOptions } from './seed/seed-database.ts';
export type { SeedOwner } from './seed/workspace.ts';
export { type RunningServer, startServer } from './server.ts';
export type { ServerOverrides } from './start/server-overrides.ts';
export type { Bootstrapped } from './services/workspaces/setup.ts';
export { VERSION } from './assets/version.ts';
// Types that the ones above are made of: their declarations must have a name.
export type { Awaitable } from './db/core/awaitable.ts';
export { rotateMasterKey, type RotatedKey } from './start/storage/master-key/rotate-key.ts';
