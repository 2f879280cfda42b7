import { existsSync } from 'node:fs';
import { CommandError, usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { STORAGE_FLAGS } from '../server/flags.ts';

interface Verified {
  readonly path: string;
  readonly bytes: number;
  /** The newest step of its schema. */
  readonly schema: string | null;
  /** Whether the master key of the data directory opens it; `null` where there is no key to compare. */
  readonly key_fits: boolean | null;
}

export const command = define({
  path: 'backup verify',
  summary:
    'Read a whole backup, and say whether it can be restored with this version and master key. Exit code 9 if not.',
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
