import { sql } from 'kysely';
import { chaos } from '#chaos';
import { ConfigError } from '../../config/config.ts';
import { initial } from './0001-initial.ts';
import { statistics } from './0002-statistics.ts';
import { rowChanges } from './0003-row-changes.ts';
import { quotas } from './0004-quotas.ts';
import { statisticsByName } from './0005-statistics-by-name.ts';
import { tallies } from './0006-tallies.ts';
import { deletedWorkspaces } from './0007-deleted-workspaces.ts';
import { refreshLeases } from './0008-refresh-leases.ts';
import { recoveryWebhooks } from './0009-recovery-webhooks.ts';
import { auditFilters } from './0010-audit-filters.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Migration } from './migration.ts';
import type { Store } from '../core/store.ts';

/** All steps, in order. A merged step never changes: databases that have it would miss the change. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  statistics,
  rowChanges,
  quotas,
  statisticsByName,
  tallies,
  deletedWorkspaces,
  refreshLeases,
  recoveryWebhooks,
  auditFilters,
];

/** Compares the steps of a database with those of this version: the pending ones, and the unknown ones. */
export function judgeMigrations(applied: readonly string[]): { pending: string[]; unknown: string[] } {
  const known = MIGRATIONS.map((migration) => migration.name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Refuses a database that a newer version has migrated. Throws `ConfigError`. */
export function requireKnownSchema(applied: readonly string[]): void {
  const { unknown } = judgeMigrations(applied);
  if (unknown.length === 0) return;
  throw new ConfigError(
    `The database was migrated by a newer version of Hubline (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup made before the upgrade.',
  );
}

/** An older database. Only a start of the server, or an explicit command, may migrate it: an older server may be running on it. */
export class OlderDatabase extends ConfigError {}

/**
 * Brings the schema up to date in one transaction: a crash leaves it as it was. Refuses a database that a newer
 * version has migrated, and without `upgrade` one of an older version. Returns the steps that an older database lacked; none for a new one.
 */
export async function migrate(store: Store, now: Date, { upgrade = true } = {}): Promise<readonly string[]> {
  return store.write(async (tx) => {
    const { name: dialect, lockForMigration } = dialectOf(tx);
    await lockForMigration(tx);
    await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(
      tx,
    );
    const applied = await sql<{ name: string }>`select name from migrations order by name`.execute(tx);
    const names = applied.rows.map((row) => row.name);
    requireKnownSchema(names);
    const { pending } = judgeMigrations(names);
    if (!upgrade && applied.rows.length > 0 && pending.length > 0) {
      throw new OlderDatabase(
        `The database was made by an older version of Hubline and lacks ${pending.join(', ')}. Nothing was changed. ` +
          `Start the server with this version, which migrates it, on SQLite after a backup. To do that without starting it, run: hubline server migrate`,
      );
    }
    for (const migration of MIGRATIONS) {
      if (!pending.includes(migration.name)) continue;
      chaos.reach('migration.begun');
      await migration.up(tx, dialect);
      await sql`insert into migrations (name, applied_at) values (${migration.name}, ${now.toISOString()})`.execute(
        tx,
      );
      chaos.reach('migration.applied');
    }
    return applied.rows.length === 0 ? [] : pending;
  });
}
