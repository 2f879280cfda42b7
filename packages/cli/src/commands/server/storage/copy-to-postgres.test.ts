import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../../test/run-cli.ts';
import { testIo } from '../../../test/test-io.ts';
import { createStyle } from '../../../terminal/io.ts';
import { copyToPostgres } from './copy-to-postgres.ts';

const URL = 'postgres://hubline:secret@127.0.0.1:1/hubline';

async function newDatabase(): Promise<string> {
  const data = join(await temporaryDirectory(), 'data');
  const made = await runCli(['server', 'bootstrap', '--email=ana@example.com', `--data=${data}`, '--yes']);
  expect(made.code, made.err).toBe(0);
  return data;
}

it('needs a database to copy, and a place for the copy', async () => {
  const data = await newDatabase();
  const nowhere = await runCli(['server', 'copy-to-postgres', `--data=${data}`]);
  expect(nowhere.code).toBe(2);
  expect(nowhere.err).toContain('Name a PostgreSQL database with --database-url');
  const planned = await runCli(['server', 'copy-to-postgres', `--data=${data}`, '--dry-run']);
  expect([planned.code, planned.err]).toEqual([nowhere.code, nowhere.err]);
  const missing = await runCli(['server', 'copy-to-postgres', `--data=${data}/no`, `--database-url=${URL}`]);
  expect(missing.code).toBe(4);
  // A server that was started with this URL would make the target unusable.
  expect(missing.err).toMatch(/There is no database in .*\nGive the server's directory with --data\.\n$/);
});

it('says why PostgreSQL cannot be reached, without its password', async () => {
  const data = await newDatabase();
  const { code, err } = await runCli([
    'server',
    'copy-to-postgres',
    `--data=${data}`,
    `--database-url=${URL}`,
  ]);
  expect(code).not.toBe(0);
  expect(err).toContain('PostgreSQL at 127.0.0.1:1 cannot be reached');
  expect(err).not.toContain('secret');
});

it('says which command migrates a SQLite database of an older version, and not the empty one', async () => {
  const data = await newDatabase();
  const database = new DatabaseSync(join(data, 'hubline.db'));
  database.exec(`drop table stats_groups; delete from migrations where name = '0005-statistics-by-name'`);
  database.close();
  const copy = () => runCli(['server', 'copy-to-postgres', `--data=${data}`, `--database-url=${URL}`]);
  const { code, err } = await copy();
  expect(code).toBe(2);
  const [, command = ''] = /without --database-url and HUBLINE_DATABASE_URL: hubline (.*)$/m.exec(err) ?? [];
  expect(await runCli(command.split(' '))).toMatchObject({ code: 0 });
  expect((await copy()).err).toContain('PostgreSQL at 127.0.0.1:1 cannot be reached');
});

it('copies nothing with --dry-run', async () => {
  const data = await newDatabase();
  const { code, out, err } = await runCli([
    'server',
    'copy-to-postgres',
    `--data=${data}`,
    `--database-url=${URL}`,
    '--dry-run',
  ]);
  expect(code, err).toBe(0);
  expect(out).toContain('copy the database in');
});

it('says how to start the server on the copy', () => {
  const copied = { workspaces: 1, events: 2, deliveries: 3, rows: 20, data: '/srv/hubline' };
  expect(
    copyToPostgres.say?.(copied, createStyle(testIo().stdout, { when: 'never', env: {} }), {} as never),
  ).toBe(
    '✓ Copied all 20 rows to PostgreSQL. Start the server with --data /srv/hubline and --database-url, and move /srv/hubline/hubline.db away.',
  );
});
