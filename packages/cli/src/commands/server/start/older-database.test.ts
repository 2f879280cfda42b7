import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { expectSentence } from '../../../test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../../test/run-cli.ts';
import { serve } from '../../../test/serve.ts';

const LAST = '0005-statistics-by-name';

it('only a start migrates a database of an older version, after a copy; other commands refuse it', async () => {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const password = join(root, 'password');
  await writeFile(password, 'correct horse battery staple');
  const owner = ['server', 'bootstrap', '--email=ana@acme.test', '--yes'];
  expect(await runCli([...owner, `--data=${data}`])).toMatchObject({ code: 0 });
  // The state after an upgrade of the program, before the server is started again.
  const database = new DatabaseSync(join(data, 'hubline.db'));
  database.exec(`drop table stats_groups; delete from migrations where name = '${LAST}'`);
  database.close();
  const isMigrated = (): boolean => {
    const read = new DatabaseSync(join(data, 'hubline.db'), { readOnly: true });
    const row = read.prepare('select name from migrations where name = ?').get(LAST);
    read.close();
    return row !== undefined;
  };

  const error = `Error: The database was made by an older version of Hubline and lacks ${LAST}. Nothing was changed. Start the server`;
  for (const line of [
    ['server', 'jobs'],
    ['server', 'setup-link'],
    ['server', 'set-password', 'ana@acme.test', `--password-file=${password}`],
    ['server', 'retry-job', '1'],
    [...owner, '--new-key'],
    ['server', 'rotate-key', '--yes'],
  ]) {
    const { code, out, err } = await runCli([...line, `--data=${data}`]);
    expect({ line, code, out, err }).toEqual({ line, code: 2, out: '', err: expect.stringContaining(error) });
    expect(isMigrated()).toBe(false);
    expect(await readdir(data)).not.toContain('backups');
  }

  // Stands for a disk that cannot hold the copy.
  const copy = join(data, 'backups', `before-${LAST}.db`);
  await mkdir(copy, { recursive: true });
  const refused = await runCli(['server', 'start', '--port=0', `--data=${data}`]);
  expectSentence(refused);
  expect(refused.err).toMatch(
    new RegExp(
      `^Error: A copy of the database from before its migration cannot be made in ${data}/backups: .*\\. Nothing was changed\\. `,
    ),
  );
  expect(isMigrated()).toBe(false);
  expect(await readdir(join(data, 'backups'))).toEqual([`before-${LAST}.db`]);
  await rmdir(copy);

  const server = await serve(['--seed', '--json'], { data });
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect(isMigrated()).toBe(true);
  expect(await readdir(join(data, 'backups'))).toEqual([`before-${LAST}.db`]);
});
