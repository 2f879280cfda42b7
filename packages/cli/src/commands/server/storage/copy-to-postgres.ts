import type { CopiedDatabase } from '@hubline/server';
import { join, resolve } from 'node:path';
import { usageError } from '../../../errors/errors.ts';
import { define } from '../../../spec/command.ts';
import { view } from '../../../spec/view.ts';
import { STORAGE_FLAGS } from '../flags.ts';
import { requireDatabase } from './storage.ts';
import { shellWord } from '../../../terminal/shell-word.ts';

interface Copied extends CopiedDatabase {
  /** The data directory, which also has the master key. */
  readonly data: string;
}

export const copyToPostgres = define({
  path: 'server copy-to-postgres',
  summary: 'Copy a SQLite database into an empty PostgreSQL database. The server must be stopped.',
  description:
    'Everything is copied in one transaction, or nothing. The SQLite database is unchanged. Then start the server with the same --data, which has the master key, and with --database-url. Deliveries that were open are sent from there: do not start a server on the SQLite database again.',
  flags: {
    data: STORAGE_FLAGS.data,
    'database-url': { ...STORAGE_FLAGS['database-url'], summary: 'The empty PostgreSQL database' },
  },
  examples: [
    'hubline server copy-to-postgres --data ./hubline-data --database-url postgres://hubline@db/hubline',
    'HUBLINE_DATABASE_URL=postgres://hubline@db/hubline hubline server copy-to-postgres --json=rows',
  ],
  view: view<Copied>()({
    noun: ['copy', 'copies'],
    fields: ['workspaces', 'events', 'deliveries', 'rows', 'data'],
    columns: ['workspaces', 'events', 'deliveries', 'rows'],
    id: 'rows',
  }),
  say: ({ rows, data }, style) =>
    `${style.green('✓')} Copied all ${rows} rows to PostgreSQL. Start the server with --data ${shellWord(data)} and --database-url, and move ${join(data, 'hubline.db')} away.`,
  async run(ctx, { flags: { data, databaseUrl } }): Promise<Copied> {
    const { copyToPostgres: copy, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    const { databaseUrl: target } = config;
    if (target === undefined) {
      throw usageError(
        'There is no database to copy to.',
        'Name a PostgreSQL database with --database-url or HUBLINE_DATABASE_URL.',
      );
    }
    await requireDatabase(ctx, { ...config, databaseUrl: undefined }, { data, mayCreate: false });
    return ctx.perform(
      `copy the database in ${resolve(config.data)} into the PostgreSQL database`,
      async () => ({
        ...(await copy({ ...config, databaseUrl: target }, new Date())),
        data: resolve(config.data),
      }),
    );
  },
});
