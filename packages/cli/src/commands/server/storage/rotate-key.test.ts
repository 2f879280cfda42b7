import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../../test/run-cli.ts';
import { testIo } from '../../../test/test-io.ts';
import { createStyle } from '../../../terminal/io.ts';
import { rotateKey } from './rotate-key.ts';

const keysIn = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n');

it('replaces the master key of a stopped server, and says where the old one is', async () => {
  const data = join(await temporaryDirectory(), 'data');
  const made = await runCli(['server', 'bootstrap', '--email=ana@example.com', `--data=${data}`, '--yes']);
  expect(made.code, made.err).toBe(0);
  const old = await keysIn(join(data, 'master.key'));
  const unconfirmed = await runCli(['server', 'rotate-key', `--data=${data}`]);
  expect(unconfirmed.code).not.toBe(0);
  expect(await keysIn(join(data, 'master.key'))).toEqual(old);
  const { code, out, err } = await runCli(['server', 'rotate-key', `--data=${data}`, '--yes', '--json']);
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toEqual({ resealed: 0, unreadable: 0, retired: join(data, 'master.key.retired') });
  expect(await keysIn(join(data, 'master.key.retired'))).toEqual(old);
  expect(await keysIn(join(data, 'master.key'))).not.toEqual(old);
});

it('counts one secret as one', () => {
  const said = rotateKey.say?.(
    { resealed: 1, unreadable: 0, retired: 'x' },
    createStyle(testIo().stdout, { when: 'never', env: {} }),
    {} as never,
  );
  expect(said).toContain('Sealed 1 secret with');
});

it('changes nothing where the file of the retired keys cannot be read', async () => {
  const data = join(await temporaryDirectory(), 'data');
  const made = await runCli(['server', 'bootstrap', '--email=ana@example.com', `--data=${data}`, '--yes']);
  expect(made.code, made.err).toBe(0);
  const old = await keysIn(join(data, 'master.key'));
  const retired = join(data, 'master.key.retired');
  await writeFile(retired, 'broken');
  const { code, err } = await runCli(['server', 'rotate-key', `--data=${data}`, '--yes']);
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`${retired} must hold one key per line`),
  });
  expect(await keysIn(join(data, 'master.key'))).toEqual(old);
});

it('says what is missing where there is no database', async () => {
  const data = await temporaryDirectory();
  expect(await runCli(['server', 'rotate-key', `--data=${data}`, '--yes'])).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringContaining('There is no database'),
  });
});
