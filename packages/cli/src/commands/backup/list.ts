import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { define } from '../../spec/command.ts';
import { type BackedUp, backedUpView } from '../../views/backup.ts';
import { STORAGE_FLAGS } from '../server/flags.ts';

export const command = define({
  path: 'backup list',
  summary:
    'List what the server itself keeps: backups from before migrations, and databases that were replaced.',
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
