import type { ServerConfig } from '@hubline/server';
import { join, resolve } from 'node:path';
import { linkTarget } from '../../../config/link-target.ts';
import type { Context } from '../../../context.ts';
import { CommandError, usageError } from '../../../errors/errors.ts';
import { formatBytes } from '../../../output/bytes.ts';
import { descriptorOf } from '../../../output/descriptor.ts';
import { define } from '../../../spec/command.ts';
import { view } from '../../../spec/view.ts';
import { type BackedUp, backedUpView, type Restored, restoredView } from '../../../views/backup.ts';
import { BACKUP_FLAGS, databaseOf, STORAGE_FLAGS } from '../flags.ts';
import { warnOfSuspectBackups } from './warn-of-suspect-backups.ts';

interface DatabaseOptions {
  /** `--data` as it was given. */
  readonly data: string | undefined;
  /** True if the command may make a database that is not there. */
  readonly mayCreate: boolean;
}

/**
 * Makes sure that a command works on the intended database. In a wrong folder there is none: that is an error or, for a command that may
 * make one, a question unless the directory was named. Returns whether the database is new.
 */
export async function requireDatabase(
  ctx: Context,
  config: ServerConfig,
  { data, mayCreate }: DatabaseOptions,
): Promise<boolean> {
  // The URL of the database was given, and the server finds out whether it is empty.
  if (config.databaseUrl !== undefined) return false;
  const { hasDatabase } = await import('@hubline/server');
  if (hasDatabase(config.data)) return false;
  const missing = `There is no database in ${resolve(config.data)}.`;
  if (!mayCreate) {
    throw new CommandError('not_found', missing, "Give the server's directory with --data.");
  }
  const named = data !== undefined || Boolean(ctx.env['HUBLINE_DATA']);
  if (named || ctx.globals.yes || ctx.globals.dryRun) return true;
  if (!ctx.interactive) {
    throw new CommandError(
      'usage',
      missing,
      "Give the server's directory with --data. To create a new database here, add --yes.",
    );
  }
  if (await (await ctx.prompt('--yes')).confirm(`${missing} Create a new one there?`)) return true;
  throw new CommandError(
    'usage',
    'Cancelled: nothing was created.',
    "Give the server's directory with --data.",
  );
}

interface CopyOptions {
  readonly data: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly force: boolean;
  /** False for a copy that is removed at once, which must not be in the list of backups. Default: true. */
  readonly listed?: boolean;
}

/**
 * Copies the database of a server on this machine into the file at `path`, which is absolute. SQLite copies without a pause in which JavaScript
 * could run: Ctrl-C ends the process in the middle, and the next copy removes the unfinished file.
 */
export async function copyDatabase(
  ctx: Context,
  path: string,
  { data, databaseUrl, force, listed = true }: CopyOptions,
): Promise<BackedUp> {
  // To replace the file behind it would lose what a shell has written there.
  if ((await descriptorOf(path)) !== null)
    throw usageError(
      `${path} stands for an open file, but a backup needs a file of its own.`,
      'Name a file, or write it to stdout: hubline backup create --out -',
    );
  const file = await linkTarget(path);
  const { backup, parseServerConfig, removeUnfinished } = await import('@hubline/server');
  const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
  return ctx.perform(`copy ${databaseOf(config)} into ${file}`, async () => {
    await removeUnfinished(file);
    const { unlisted, ...made } = ctx.blocking(() => backup(config, file, { force, listed }));
    if (unlisted !== null)
      await ctx.warn(`${made.path} is complete, but could not be added to the list of backups: ${unlisted}`);
    return made;
  });
}

export const RESTORE_FLAGS = {
  'without-secrets': {
    type: 'boolean',
    summary: 'Restore a backup even if its secrets need another key, which is lost',
  },
} as const;

interface RestoreOptions {
  readonly config: ServerConfig;
  /** True if a database that is there may be replaced. */
  readonly force: boolean;
  /** True if secrets that no key here opens may be lost. */
  readonly withoutSecrets: boolean;
}

/** Replaces the database of a stopped server with a backup, wherever the backup is. */
export async function restoreDatabase(
  ctx: Context,
  named: string,
  { config, force, withoutSecrets }: RestoreOptions,
): Promise<Restored> {
  const { fetchBackup, removeUnfinished, restore } = await import('@hubline/server');
  return ctx.perform(`replace ${databaseOf(config)} with ${named}`, async () => {
    await using found = await fetchBackup(config, named);
    await warnOfSuspectBackups(ctx, found);
    await removeUnfinished(join(resolve(config.data), 'hubline.restored.db'));
    return ctx.blocking(() => restore(config, found.path, { force, withoutSecrets, known: found.known }));
  });
}

export const backup = define({
  path: 'server backup',
  summary: 'Copy the database into one file, while the server runs.',
  description:
    'The copy is checked before it gets its name. Ctrl-C leaves at most a file that ends in .partial-…, which the next backup of that name removes. The backup does not contain the master key: keep master.key elsewhere. Restoring needs both.',
  args: { file: { summary: 'File to write' } },
  flags: { ...STORAGE_FLAGS, force: { type: 'boolean', summary: 'Replace the file if it exists' } },
  examples: [
    'hubline server backup /backups/hubline.db --data ./hubline-data',
    'hubline server backup /backups/hubline.db --force --json=bytes',
  ],
  view: backedUpView,
  say: ({ path, bytes }, style) => `${style.green('✓')} Backed up into ${path} (${formatBytes(bytes)})`,
  async run(ctx, { args, flags }): Promise<BackedUp> {
    if (args.file === '-')
      throw usageError('server backup writes a file.', 'For stdout: hubline backup create --out -');
    return copyDatabase(ctx, ctx.absolute(args.file), flags);
  },
});

export const restore = define({
  path: 'server restore',
  summary: 'Replace the database with a backup. The server must be stopped.',
  description:
    'The data directory must have the master key of the backup. Deliveries that were open when the backup was made are sent again.',
  args: {
    file: { summary: 'A file, an s3://… URL, or, with --backup-to, latest or a name from backup list' },
  },
  flags: {
    ...STORAGE_FLAGS,
    ...BACKUP_FLAGS,
    ...RESTORE_FLAGS,
    force: { type: 'boolean', summary: 'Replace an existing database; the old one is kept beside it' },
  },
  examples: [
    'hubline server restore /backups/hubline.db --data ./hubline-data',
    'hubline server restore /backups/hubline.db --force',
  ],
  view: restoredView,
  say: ({ path, replaced }, style) =>
    `${style.green('✓')} Restored ${path}${replaced === null ? '' : `; the old database is ${replaced}`}`,
  async run(ctx, { args, flags: { force, withoutSecrets, ...flags } }): Promise<Restored> {
    const { parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig(flags, { ...ctx.env });
    return restoreDatabase(ctx, args.file, { config, force, withoutSecrets });
  },
});

interface Migrated {
  /** The copy of the database from before the migration; `null` when there was nothing to do, and on PostgreSQL. */
  readonly backup: string | null;
}

export const migrate = define({
  path: 'server migrate',
  summary: 'Bring the schema of the database up to date, as server start does.',
  description:
    'For a deployment that upgrades the database before its servers. A SQLite database is copied into backups/ first; a server that uses it must be stopped before. A database that is up to date stays as it is.',
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
    `${style.green('✓')} The schema is up to date${backup === null ? '' : `; a copy of the old database is ${backup}`}`,
  async run(ctx, { flags }): Promise<Migrated> {
    const { migrateDatabase, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig(flags, { ...ctx.env });
    await requireDatabase(ctx, config, { data: flags.data, mayCreate: true });
    return ctx.perform(`bring the schema of ${databaseOf(config)} up to date`, () => migrateDatabase(config));
  },
});
