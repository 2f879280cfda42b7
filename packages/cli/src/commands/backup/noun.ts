import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cancelled, CommandError, usageError } from '../../errors/errors.ts';
import { fileReason } from '../../errors/file-error.ts';
import { formatBytes } from '../../output/bytes.ts';
import { RawBytes } from '../../output/items.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { type BackedUp, backedUpView, type Restored, restoredView } from '../../views/backup.ts';
import { BACKUP_FLAGS, STORAGE_FLAGS } from '../server/flags.ts';
import { copyDatabase, requireDatabase, RESTORE_FLAGS, restoreDatabase } from '../server/storage/storage.ts';
import { warnOfSuspectBackups } from '../server/storage/warn-of-suspect-backups.ts';

const BACKUP_ARGUMENT = {
  summary: 'A file, an s3://… URL, or, with --backup-to, latest or a name from backup list',
} as const;

interface Listed extends BackedUp {
  /** True if the master key of the data directory opens it; `null` if that is not known. */
  readonly key_fits: boolean | null;
  /** True if it was read and checked when it was made. */
  readonly verified: boolean;
}

const list = define({
  path: 'backup list',
  summary:
    'List backups: scheduled ones, those made by backup create, those from before migrations, and replaced databases.',
  description:
    'Looks for scheduled backups in --backup-to (HUBLINE_BACKUP_TO), a directory or s3://bucket/prefix. Incomplete backups are left out, damaged ones are named on stderr. Servers may share a destination: "key_fits" says whether the master key in --data opens a backup. "verified" says that every page was read and checked when the backup was made.',
  aliases: ['ls'],
  flags: { ...STORAGE_FLAGS, ...BACKUP_FLAGS },
  examples: [
    'hubline backup list --data ./hubline-data --backup-to /var/backups/hubline',
    "hubline backup list --backup-to s3://acme-backups/hubline --jq '.[0].taken_at'",
  ],
  view: view<Listed>()({
    noun: ['backup', 'backups'],
    fields: ['path', 'bytes', 'taken_at', 'key_fits', 'verified'],
    columns: [{ path: 'path', flexible: true }, 'bytes', 'taken_at', 'key_fits', 'verified'],
    id: 'path',
  }),
  async *run(ctx, { flags }): AsyncGenerator<Listed> {
    const { listBackups, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig(flags, { ...ctx.env });
    if (config.backupTo !== undefined) ctx.progress.wait(`looking in ${config.backupTo}`);
    const { backups, retired, foreign, ...suspect } = await listBackups(config).finally(ctx.progress.clear);
    await warnOfSuspectBackups(ctx, suspect);
    if (foreign > 0)
      await ctx.note(
        `${counted(foreign)} from another server, or made with a lost key: no master key in ${resolve(config.data)} opens ${foreign === 1 ? 'it' : 'them'}.`,
      );
    if (retired > 0)
      await ctx.note(
        retired === 1
          ? '1 backup was made before the master key was replaced. Its key is in master.key.retired.'
          : `${retired} backups were made before the master key was replaced. Their key is in master.key.retired.`,
      );
    // If only the database is missing, the backups may be those of a lost machine. If both are missing, the directory is wrong.
    if (backups.length === 0 && config.backupTo === undefined)
      await requireDatabase(ctx, config, { data: flags.data, mayCreate: false });
    yield* backups;
  },
});

const counted = (count: number): string => (count === 1 ? '1 backup is' : `${count} backups are`);

const create = define({
  path: 'backup create',
  summary: 'Copy the database of a server on this machine into one file, while it runs.',
  description:
    'The same as server backup. With --out - the backup goes to stdout, through a copy in the temporary folder (TMPDIR), or beside the database if there is none. The copy is checked before it gets its name. Ctrl-C leaves at most a file that ends in .partial-…, which the next backup of that name removes. The backup does not contain the master key: keep master.key elsewhere.',
  flags: {
    out: { type: 'text', value: 'file|-', summary: 'File to write (default: hubline-<time>.db)' },
    force: { type: 'boolean', summary: 'Replace the file if it exists' },
    ...STORAGE_FLAGS,
  },
  examples: [
    'hubline backup create --out /backups/hubline.db',
    'hubline backup create --out - | zstd > hubline.db.zst',
  ],
  view: backedUpView,
  say: ({ path, bytes }, style) => `${style.green('✓')} Backed up into ${path} (${formatBytes(bytes)})`,
  async *run(ctx, { flags: { out, force, data, databaseUrl } }): AsyncGenerator<BackedUp | RawBytes> {
    const source = { data, databaseUrl };
    if (out !== '-') {
      const stamp = new Date(ctx.now()).toISOString().slice(0, 19).replaceAll(/\D/g, '');
      yield copyDatabase(ctx, ctx.absolute(out ?? `hubline-${stamp}.db`), { ...source, force });
      return;
    }
    if (ctx.io.stdout.isTTY)
      throw usageError(
        'The backup is a database, which a terminal cannot show.',
        'Redirect it: > hubline.db',
      );
    const { parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig(source, { ...ctx.env });
    const directory = await ctx.perform('copy the database to stdout', () => temporaryFolder(config.data));
    try {
      const options = { ...source, force: false, listed: false };
      const { path } = await copyDatabase(ctx, join(directory, 'hubline.db'), options);
      const copy = await open(path);
      // A reader that goes away ends this process at once, so the open copy is removed now. Windows cannot remove an open file.
      if (process.platform !== 'win32') await rm(directory, { recursive: true });
      for await (const chunk of copy.createReadStream()) yield new RawBytes(chunk as Buffer);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
});

/** Makes a temporary folder, beside the database if the system has no place for one, as in a read-only container. */
async function temporaryFolder(data: string): Promise<string> {
  const name = 'hubline-backup-';
  try {
    return await mkdtemp(join(tmpdir(), name));
  } catch (error) {
    return mkdtemp(join(resolve(data), name)).catch(() => {
      throw usageError(
        `${tmpdir()} cannot hold a temporary copy: ${fileReason(error)}.`,
        'Set TMPDIR to a folder that can be written to.',
      );
    });
  }
}

interface Verified {
  readonly path: string;
  readonly bytes: number;
  /** The newest step of its schema. */
  readonly schema: string | null;
  /** True if the master key of the data directory opens it; `null` if there is no key to compare. */
  readonly key_fits: boolean | null;
  /** The reason why the key does not fit, and the cure. */
  readonly unfit: string | null;
}

const verify = define({
  path: 'backup verify',
  summary: 'Check that a backup can be restored with this version and master key. Exit code 9 if not.',
  args: { file: BACKUP_ARGUMENT },
  flags: { ...STORAGE_FLAGS, ...BACKUP_FLAGS },
  examples: [
    'hubline backup verify hubline.db --data ./hubline-data',
    'hubline backup verify latest --backup-to s3://acme-backups/hubline',
  ],
  view: view<Verified>()({
    noun: ['backup', 'backups'],
    fields: ['path', 'bytes', 'schema', 'key_fits', 'unfit'],
    columns: [{ path: 'path', flexible: true }, 'bytes', 'schema', 'key_fits'],
    id: 'path',
  }),
  say: ({ path, bytes, schema, key_fits: fits }, style) => {
    const key =
      fits === null ? 'no master key to compare' : fits ? 'the master key opens it' : 'ANOTHER master key';
    return `${fits === false ? style.red('✗') : style.green('✓')} ${path}: ${formatBytes(bytes)}, schema ${schema ?? 'none'}, ${key}`;
  },
  refusal: ({ unfit: message }) =>
    message === null ? undefined : { message, hint: 'Or name the directory with the right key in --data.' },
  async run(ctx, { args: { file }, flags }): Promise<Verified> {
    const { DamagedBackup, fetchBackup, parseServerConfig, verifyBackup } = await import('@hubline/server');
    const config = parseServerConfig(flags, { ...ctx.env });
    await using found = await fetchBackup(config, file).catch((error: unknown) => {
      throw error instanceof DamagedBackup ? unfit(error) : error;
    });
    await warnOfSuspectBackups(ctx, found);
    try {
      return ctx.blocking(() => verifyBackup(config, found.path, found.known));
    } catch (error) {
      // The file is there, but it is not a backup that could be restored.
      if (!(error instanceof Error) || error.name !== 'ConfigError') throw error;
      throw unfit(error);
    }
  },
});

const unfit = ({ message }: Error): CommandError =>
  new CommandError('check_failed', message, 'Make another one: hubline backup create');

const restore = define({
  path: 'backup restore',
  summary: 'Replace the database with a backup. The server must be stopped.',
  description:
    'To confirm, type the path of the data directory, or give it with --confirm. The data directory must have the master key of the backup. The old database is kept beside the new one.',
  danger: 'type-name',
  args: { file: BACKUP_ARGUMENT },
  flags: {
    confirm: { type: 'text', value: 'dir', summary: 'The data directory, instead of typing it' },
    ...RESTORE_FLAGS,
    ...STORAGE_FLAGS,
    ...BACKUP_FLAGS,
  },
  examples: [
    'hubline backup restore hubline.db --data ./hubline-data --confirm ./hubline-data',
    'hubline backup restore latest --backup-to s3://acme-backups/hubline --data ./hubline-data',
  ],
  view: restoredView,
  say: ({ path, replaced }, style) =>
    `${style.green('✓')} Restored ${path}${replaced === null ? '' : `; the old database is ${replaced}`}`,
  async run(ctx, { args: { file }, flags: { confirm, withoutSecrets, ...flags } }): Promise<Restored> {
    const { parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig(flags, { ...ctx.env });
    if (confirm !== undefined && resolve(confirm) !== resolve(config.data)) {
      throw usageError(
        `--confirm is "${confirm}", but the data directory is "${config.data}".`,
        'Nothing was changed. Give the same directory twice.',
      );
    }
    if (confirm === undefined && !ctx.globals.dryRun) {
      await ctx.report(`This replaces the database in ${config.data}.`);
      const typed = await (await ctx.prompt('--confirm')).text(`Type ${config.data} to confirm`);
      if (typed !== config.data) throw cancelled('nothing was changed', '--confirm <directory>');
    }
    return restoreDatabase(ctx, file, { config, force: true, withoutSecrets });
  },
});

export const commands = [create, restore, verify, list] as const;
