import { resolve } from 'node:path';
import { cancelled, usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { type Restored, restoredView } from '../../views/backup.ts';
import { databaseOf, STORAGE_FLAGS } from '../server/flags.ts';

export const command = define({
  path: 'backup restore',
  summary: 'Put a backup in the place of the database. The server must be stopped.',
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
