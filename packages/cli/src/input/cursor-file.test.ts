import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, pageResponse } from '../test/fake-api.ts';
import { realServer } from '../test/real-server.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';

const { cli, json } = await realServer();

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory, 'position');
});

const CONTENTS = [
  ['binary junk', Buffer.from([0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0a, 0x80])],
  ['other text', 'évènement ☃'],
  ['a truncated position', 'evt_06f8x'],
  ['a position with text after it', 'evt_06f8xw2b3c4d5e6f7g8h9j0kmn and more'],
  ['a large file', 'e'.repeat(2_000_000)],
] as const;

const CURE = 'Name another file. Or delete this one, and the next run begins anew.';

describe.each([
  ['event tail --resume-file', (path: string) => ['event', 'tail', '--limit=1', `--resume-file=${path}`]],
  ['event export --cursor-file', (path: string) => ['event', 'export', `--cursor-file=${path}`]],
])('%s', (typed, line) => {
  const [flag = ''] = /--\S+/.exec(typed) ?? [];

  // Only the server can read the cursor of a page.
  it.each(CONTENTS.filter(([what]) => flag === '--resume-file' || !/truncated/.test(what)))(
    'refuses %s before it sends anything, and keeps the file',
    async (_, content) => {
      const api = await fakeApi(() => pageResponse([]));
      await writeFile(file, content);
      const { code, out, err } = await runCli(line(file), api);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        `Error: ${flag} ${file} does not hold a position, which is ${flag === '--resume-file' ? 'the ID of an event, evt_…' : 'the cursor that an export saved'}.\n${CURE}\n`,
      );
      expect(api.received).toEqual([]);
      expect((await readFile(file)).equals(Buffer.from(content))).toBe(true);
    },
  );

  it('refuses a directory, a device and a path that cannot be written, before it sends anything', async () => {
    const api = await fakeApi(() => pageResponse([]));
    await mkdir(file);
    const refused = async (path: string) => {
      const { code, err } = await runCli(line(path), api);
      expect(code).toBe(2);
      return err;
    };
    expect(await refused(file)).toMatch(`Error: ${flag} ${file} is a directory, but must be a file.\n`);
    if (process.platform !== 'win32')
      expect(await refused('/dev/null')).toMatch(`Error: ${flag} /dev/null is a device, a pipe or a socket`);
    const below = join(directory, 'plain');
    await writeFile(below, '');
    expect(await refused(join(below, 'x'))).toContain(`${below} is a file`);
    expect(await refused(join(directory, 'x'.repeat(300)))).toContain('its name is too long');
    expect(await refused('')).toContain(`${flag} needs the path of a file`);
    expect(api.received).toEqual([]);
  });

  it('begins anew with an empty file, keeps a link to it, and leaves no other file', async () => {
    await json('event', 'publish', '--type=deploy');
    const link = join(directory, 'link');
    await symlink('position', link);
    const run = async () => cli([...line(link), ...(flag === '--resume-file' ? ['--since=1h'] : [])]);
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('deploy') });
    await writeFile(file, '\n');
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('deploy') });
    expect(await readlink(link)).toBe('position');
    expect((await readdir(directory)).toSorted()).toEqual(['link', 'position']);
  });
});

it('the cursor of another export is named with its file', async () => {
  await writeFile(file, 'truncated\n');
  const { code, err } = await cli(['event', 'export', `--cursor-file=${file}`]);
  expect(code).toBe(6);
  expect(err).toContain('Error: --cursor-file must be next_cursor of the previous page');
  expect(err).toContain(`${file} is from an export with other filters, or of another workspace or server.`);
});

it('listen refuses a recording that cannot be written, and a damaged position of its own, at the start', async () => {
  const api = await fakeApi(() => pageResponse([]));
  const listen = ['listen', 'http://localhost:9', '--limit=1'];
  const { code, err } = await runCli([...listen, `--record=${directory}`], api);
  expect({ code, err }).toEqual({
    code: 2,
    err: `Error: --record ${directory} cannot be written: it is a directory.\nChoose another path.\n`,
  });
  const env = { ...api.env, HUBLINE_CONFIG_DIR: directory };
  await writeFile(join(directory, `listen-${api.env.HUBLINE_WORKSPACE}`), 'junk');
  expect(await runCli([...listen, '--resume'], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining('does not hold a position, which is the ID of an event'),
  });
  await writeFile(join(directory, 'listen-secret'), '');
  expect(await runCli(listen, { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${join(directory, 'listen-secret')} is empty, but must have a secret.`),
  });
  expect(api.received).toEqual([]);
});
