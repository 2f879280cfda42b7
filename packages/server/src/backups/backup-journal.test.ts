import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { listBackups } from './backup-journal.ts';

const NOTES = 10;

it('keeps the backups of a server and of a command that end at the same time', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hubline-journal-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const program = (name: string) => `
    import { noteBackup } from ${JSON.stringify(new URL('backup-journal.ts', import.meta.url).href)};
    for (let count = 0; count < ${NOTES}; count += 1)
      noteBackup(${JSON.stringify(data)}, { path: '/${name}-' + count, bytes: 1, taken_at: '' });`;
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(name)]);
  await Promise.all([run('server'), run('command')]);
  expect(listBackups(data).map(({ path }) => path)).toHaveLength(2 * NOTES);
});
