import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { requireDatabase } from './require-database.ts';

interface Migrated {
  /** The copy of the database before; `null` when there was nothing to do, and on PostgreSQL. */
  readonly backup: string | null;
}

export const command = define({
  path: 'server migrate',
  summary: 'Bring the schema of the database up to date, as server start does.',
  description:
    'For a deployment that upgrades the database before its servers. A SQLite database is copied into backups/ first. A database that is up to date stays as it is.',
  flags: STORAGE_FLAGS,
  examples: [
    'hubline server migrate --data ./hubline-data',
    'HUBLINE_DATABASE_URL=postgres://hubline@db/hubline hubline server migrate',
  ],
  view: view<Migrated>()({
    noun: ['migration', 'migrations'],
    fields: ['backup'],
    columns: [{ path: 'backup', flexible: true }],
    id: 'backup',
  }),
  say: ({ backup }, style) =>
    `${style.green('✓')} The schema is up to date${backup === null ? '' : `; the database before is ${backup}`}`,
  async run(ctx, { flags }): Promise<Migrated> {
    const { migrateDatabase, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig(flags, { ...ctx.env });
    await requireDatabase(ctx, config, { data: flags.data, mayCreate: true });
    return ctx.perform(`bring the schema of ${databaseOf(config)} up to date`, () => migrateDatabase(config));
  },
});
