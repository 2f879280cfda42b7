import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { PATIENT, spawnCli } from '../../../../test/support/spawn-cli.ts';
import { runCli, temporaryDirectory } from '../../../test/run-cli.ts';

/** The exit code of `mount` where no disk can be mounted. */
const NO_DISK = 77;

/** A data directory with an owner, and commands that write to its database. */
async function stopped() {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const made = await runCli(['server', 'bootstrap', '--email=ana@acme.test', `--data=${data}`, '--yes']);
  expect(made.code, made.err).toBe(0);
  const password = join(root, 'password');
  await writeFile(password, 'a password of many words');
  const writes = [
    ['start', '--port=0'],
    ['set-password', 'ana@acme.test', '--password-file', password],
    ['bootstrap', '--email=ana@acme.test', '--new-key'],
    ['rotate-key', '--yes'],
  ];
  return { root, data, writes };
}

it(
  'a command whose write another program holds up names that program',
  async () => {
    const { data, writes } = await stopped();
    const other = new DatabaseSync(join(data, 'hubline.db'));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const holder = process.platform === 'linux' ? `\\(pid ${process.pid}\\)` : 'Another program';
    // A rotation and a start keep each other out: each has its turn.
    for (const words of writes) {
      const { code, err } = await spawnCli(['server', ...words, `--data=${data}`]).ended;
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringMatching(new RegExp(`Error: .*${holder} is writing to the database in ${data}\\.`)),
      });
    }
  },
  PATIENT.timeout * 2,
);

it.runIf(process.platform === 'linux')(
  'a command for whose write the disk has no space says so',
  async (context) => {
    const { root, data, writes } = await stopped();
    const disk = join(root, 'disk');
    await mkdir(disk);
    // Leaves room to open the database, but not to write to it.
    const fill = `cp -p ${data}/* "$0"; head -c 36k /dev/zero > "$0/room"; cat /dev/zero > "$0/fill" 2> /dev/null; rm "$0/room"`;
    const within = (size: string, first: string) => [
      'unshare',
      '-rm',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${size} tmpfs "$0" || exit ${NO_DISK}; ${first}; exec "$@"`,
      disk,
    ];
    const ended = await Promise.all([
      ...writes.map(
        (words) => spawnCli(['server', ...words, `--data=${disk}`], {}, { within: within('2m', fill) }).ended,
      ),
      spawnCli(
        ['server', 'start', '--seed', '--port=0', `--data=${disk}/new`],
        {},
        { within: within('3m', ':') },
      ).ended,
    ]);
    context.skip(
      ended.some(({ code, err }) => code === NO_DISK || err.startsWith('unshare:')),
      'a separate disk cannot be mounted here',
    );
    for (const { code, err } of ended) {
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`Error: There is no space for the database in ${disk}`),
      });
    }
  },
  PATIENT.timeout,
);
