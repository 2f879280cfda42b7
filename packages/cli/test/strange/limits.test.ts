import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { spawnCli } from '../support/spawn-cli.ts';
import { expectSentence } from '../../src/test/expect-sentence.ts';

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
