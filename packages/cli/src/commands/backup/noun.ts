import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cancelled, CommandError, usageError } from '../../errors/errors.ts';
import { RawBytes } from '../../output/items.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { type BackedUp, backedUpView, type Restored, restoredView } from '../../views/backup.ts';
import { databaseOf, STORAGE_FLAGS } from '../server/flags.ts';
import { copyDatabase } from '../server/storage.ts';

const list = define({
  path: 'backup list',
  summary: 'List the backups that the server keeps: those from before migrations, and replaced databases.',
  aliases: ['ls'],
  flags: STORAGE_FLAGS,
  examples: ['hubline backup list --data ./hubline-data'],
  view: backedUpView,
  async *run(ctx, { flags: { data, databaseUrl } }): AsyncGenerator<BackedUp> {
    const { parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    for (const directory of [join(config.data, 'backups'), config.data]) {
      const names = await readdir(directory).catch(() => []);
      for (const name of names.filter((each) => /^(?:before|replaced)-.*\.db$/.test(each))) {
        const path = join(directory, name);
        const { size, mtime } = await stat(path);
        yield { path, bytes: size, taken_at: mtime.toISOString() };
      }
    }
  },
});

const create = define({
  path: 'backup create',
  summary: 'Copy the database of a server on this machine into one file, while it runs.',
  description:
    'The same as server backup; with --out - the file goes to stdout. The copy is checked before it gets its name; Ctrl-C leaves at most a file that ends in .partial-…, which the next backup of that name removes after an hour. It holds no master key: keep master.key apart from it.',
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
  say: ({ path, bytes }, style) => `${style.green('✓')} Backed up into ${path} (${bytes} bytes)`,
  async *run(ctx, { flags: { out, force, data, databaseUrl } }): AsyncGenerator<BackedUp | RawBytes> {
    const source = { data, databaseUrl };
    if (out !== '-') {
      const stamp = new Date(ctx.now()).toISOString().slice(0, 19).replaceAll(/\D/g, '');
      yield copyDatabase(ctx, resolve(ctx.cwd, out ?? `hubline-${stamp}.db`), { ...source, force });
      return;
    }
    if (ctx.io.stdout.isTTY)
      throw usageError('A terminal cannot show a database.', 'Redirect it: > hubline.db');
    const directory = await ctx.perform('copy the database to stdout', () =>
      mkdtemp(join(tmpdir(), 'hubline-backup-')),
    );
    try {
      const { path } = await copyDatabase(ctx, join(directory, 'hubline.db'), { ...source, force: false });
      for await (const chunk of createReadStream(path)) yield new RawBytes(chunk as Buffer);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
});

interface Verified {
  readonly path: string;
  readonly bytes: number;
  /** The newest step of its schema. */
  readonly schema: string | null;
  /** True if the master key of the data directory opens it; `null` where there is no key to compare. */
  readonly key_fits: boolean | null;
}

const verify = define({
  path: 'backup verify',
  summary: 'Check that a backup can be restored with this version and master key. Exit code 9 if not.',
  args: { file: { summary: 'The backup' } },
  flags: STORAGE_FLAGS,
  examples: ['hubline backup verify hubline.db --data ./hubline-data'],
  view: view<Verified>()({
    noun: ['backup', 'backups'],
    fields: ['path', 'bytes', 'schema', 'key_fits'],
    columns: [{ path: 'path', flexible: true }, 'bytes', 'schema', 'key_fits'],
    id: 'path',
  }),
  say: ({ path, bytes, schema, key_fits: fits }, style) => {
    const key =
      fits === null ? 'no master key to compare' : fits ? 'the master key opens it' : 'ANOTHER master key';
    return `${fits === false ? style.red('✗') : style.green('✓')} ${path}: ${bytes} bytes, schema ${schema ?? 'none'}, ${key}`;
  },
  refusal: ({ key_fits: fits }) =>
    fits === false
      ? {
          message: 'The backup was sealed with another master key than that of the data directory.',
          hint: 'Name the directory with the right master.key in --data.',
        }
      : undefined,
  async run(ctx, { args: { file }, flags: { data, databaseUrl } }): Promise<Verified> {
    const { parseServerConfig, verifyBackup } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    if (!existsSync(file)) throw usageError(`There is no file ${file}.`, 'Check the path.');
    try {
      return ctx.blocking(() => verifyBackup(config, file));
    } catch (error) {
      // The file is there, and it is not a backup that could be restored.
      if (!(error instanceof Error) || error.name !== 'ConfigError') throw error;
      throw new CommandError('check_failed', error.message, 'Make another one: hubline backup create');
    }
  },
});

const restore = define({
  path: 'backup restore',
  summary: 'Replace the database by a backup. The server must be stopped.',
  description:
    'The path of the data directory has to be typed, or given with --confirm. The data directory must have the master key of the backup; the database before is kept beside the new one.',
  danger: 'type-name',
  args: { file: { summary: 'The backup' } },
  flags: {
    confirm: { type: 'text', value: 'dir', summary: 'The data directory, instead of typing it' },
    ...STORAGE_FLAGS,
  },
  examples: ['hubline backup restore hubline.db --data ./hubline-data --confirm ./hubline-data'],
  view: restoredView,
  say: ({ path, replaced }, style) =>
    `${style.green('✓')} Restored ${path}${replaced === null ? '' : `; the database before is ${replaced}`}`,
  async run(ctx, { args: { file }, flags: { confirm, data, databaseUrl } }): Promise<Restored> {
    const { parseServerConfig, restore } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    if (confirm !== undefined && resolve(confirm) !== resolve(config.data)) {
      throw usageError(
        `--confirm is "${confirm}", but the data directory is "${config.data}".`,
        'Nothing was changed. Write it the same way twice.',
      );
    }
    if (confirm === undefined && !ctx.globals.dryRun) {
      await ctx.tell(`Replaces the database in ${config.data}.`);
      const typed = await (await ctx.prompt('--confirm')).text(`Type ${config.data} to confirm`);
      if (typed !== config.data) throw cancelled('nothing was changed', '--confirm <directory>');
    }
    return ctx.perform(`put ${file} in the place of ${databaseOf(config)}`, () =>
      ctx.blocking(() => restore(config, file, { force: true })),
    );
  },
});

export const commands = [create, restore, verify, list] as const;
