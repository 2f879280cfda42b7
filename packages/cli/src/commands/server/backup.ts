import { resolve } from 'node:path';
import { define } from '../../spec/command.ts';
import { type BackedUp, backedUpView } from '../../views/backup.ts';
import { copyDatabase } from './copy-database.ts';
import { STORAGE_FLAGS } from './flags.ts';

export const command = define({
  path: 'server backup',
  summary: 'Copy the database into one file, while the server runs.',
  description:
    'The copy is checked before it gets its name; Ctrl-C leaves at most a file that ends in .partial-…, which the next backup of that name removes after an hour. It holds no master key: keep master.key apart from it; restoring needs both.',
  args: { file: { summary: 'File to write' } },
  flags: { ...STORAGE_FLAGS, force: { type: 'boolean', summary: 'Replace the file if it exists' } },
  examples: [
    'hubline server backup /backups/hubline.db --data ./hubline-data',
    'hubline server backup /backups/hubline.db --force --json=bytes',
  ],
  view: backedUpView,
  say: ({ path, bytes }, style) => `${style.green('✓')} Backed up into ${path} (${bytes} bytes)`,
  async run(ctx, { args, flags }): Promise<BackedUp> {
    return copyDatabase(ctx, resolve(ctx.cwd, args.file), flags);
  },
});
