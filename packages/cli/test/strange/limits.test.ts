import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { spawnCli } from '../support/spawn-cli.ts';
import { expectSentence } from '../../src/test/expect-sentence.ts';
import { fakeApi, pageResponse } from '../../src/test/fake-api.ts';
import { temporaryDirectory } from '../../src/test/run-cli.ts';

it.runIf(process.platform === 'linux').each([
  ['server check-config', 64],
  ['server backup /none/b.db', 40],
])('hubline %s reports that a process may open only %d files', async (line, files) => {
  const within = ['sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh'];
  const ran = await spawnCli([...line.split(' '), '--data=/none/data'], {}, { within }).ended;
  expectSentence(ran);
  expect(ran.err).toContain(`Error: This process may have ${files} files and connections open, but needs`);
});

// Root may have as many as it likes, and only root may be another user.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a limit of threads counts what the user has already',
  async () => {
    const uid = 4_000_001;
    // The shell ends after the others, so that none is orphaned.
    const fill =
      'trap : TERM; for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do sleep 600 & done; echo full; wait; wait';
    const others = spawn('sh', ['-c', fill], { uid, detached: true });
    onTestFinished(() => void process.kill(-(others.pid ?? 0), 'SIGTERM'));
    await once(others.stdout, 'data');
    const line = ['server', 'check-config', '--senders=2', '--http-thread=on', '--data=/none/data'];
    const ran = await spawnCli(line, {}, { within: ['prlimit', '--nproc=30'], cwd: '/', uid }).ended;
    expectSentence(ran);
    expect(ran.err).toContain(
      'may have 30 processes and threads, but a server needs at least 34, including the 15 that this user already has. Raise',
    );
  },
);

it.runIf(process.platform === 'linux')(
  'a file that cannot grow is named, and no part of it stays',
  async () => {
    const api = await fakeApi(() => pageResponse([{ event_id: 'evt_1', payload: 'x'.repeat(50_000) }]));
    const directory = await temporaryDirectory();
    const file = join(directory, 'events.ndjson');
    const line = ['event', 'export', '--format=ndjson'];
    // 16 blocks of 512 bytes.
    const within = ['sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'];
    const long = await spawnCli(
      [...line, `--out=${file}`],
      { ...api.env, NODE_COMPILE_CACHE: '' },
      { within },
    ).ended;
    expectSentence(long);
    expect(long.err).toMatch(`Error: ${file} cannot be written: file too large.\n`);
    expect(await readdir(directory)).toEqual([]);
    const full = await spawnCli([...line, '--out=/dev/full'], api.env).ended;
    expectSentence(full);
    expect(full.err).toMatch('Error: /dev/full cannot be written: the disk is full.\n');
  },
);
