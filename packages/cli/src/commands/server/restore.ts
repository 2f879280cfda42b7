import { define } from '../../spec/command.ts';
import { type Restored, restoredView } from '../../views/backup.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';

export const command = define({
  path: 'server restore',
  summary: 'Put a backup in the place of the database. The server must be stopped.',
  description:
    'The data directory must have the master key of the backup. What was on its way when the backup was made is sent again.',
  args: { file: { summary: 'File that server backup wrote' } },
  flags: {
    ...STORAGE_FLAGS,
    force: { type: 'boolean', summary: 'Replace a database; the old one is kept beside it' },
  },
  examples: [
    'hubline server restore /backups/hubline.db --data ./hubline-data',
    'hubline server restore /backups/hubline.db --force',
  ],
  view: restoredView,
  say: ({ path, replaced }, style) =>
    `${style.green('✓')} Restored ${path}${replaced === null ? '' : `; the database before is ${replaced}`}`,
  async run(ctx, { args, flags: { data, databaseUrl, force } }): Promise<Restored> {
    const { parseServerConfig, restore } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    return ctx.perform(`put ${args.file} in the place of ${databaseOf(config)}`, () =>
      ctx.blocking(() => restore(config, args.file, { force })),
    );
  },
});
