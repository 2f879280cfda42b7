import { expect, it } from 'vitest';
import { spawnCli } from '../../../test/support/spawn-cli.ts';
import { expectSentence } from '../../test/expect-sentence.ts';

it.runIf(process.platform === 'linux').each([
  ['server check-config', 64],
  ['server backup /none/b.db', 40],
])('hubline %s tells that a process may open %d files alone', async (line, files) => {
  const within = ['sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh'];
  const ran = await spawnCli([...line.split(' '), '--data=/none/data'], {}, { within }).ended;
  expectSentence(ran);
  expect(ran.err).toContain(`Error: This process may have ${files} files and connections open, and needs`);
});
