import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { usageError } from '../../errors.ts';
import { RawBytes } from '../../output/raw-text.ts';
import { define } from '../../spec/command.ts';
import { type BackedUp, backedUpView } from '../../views/backup.ts';
import { copyDatabase } from '../server/copy-database.ts';
import { STORAGE_FLAGS } from '../server/flags.ts';

export const command = define({
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
