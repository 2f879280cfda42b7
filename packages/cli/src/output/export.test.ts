import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { PATIENT, spawnCli } from '../../test/support/spawn-cli.ts';
import { errorResponse, fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { testIo } from '../test/test-io.ts';

const MAKE_PIPE = 'mkfifo';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory, 'audit.csv');
});

// A value with a line break and quotes is in one record.
const csv = 'id,action\r\naud_1,"a ""b""\nc"\r\n';
const api = () =>
  fakeApi(({ query }) =>
    query['format'] === 'csv'
      ? { text: csv, headers: { 'content-type': 'text/csv' } }
      : pageResponse([{ id: 'aud_1' }]),
  );

it("prints the server's own CSV, or JSON, whole", async () => {
  const { env } = await api();
  expect(await runCli(['audit', 'export'], { env })).toEqual({ code: 0, out: csv, err: '' });
  expect(await runCli(['audit', 'export', '--format=ndjson'], { env })).toMatchObject({
    out: '{"id":"aud_1"}\n',
  });
  expect(await runCli(['audit', 'export', '--json'], { env })).toMatchObject({ out: '[{"id":"aud_1"}]\n' });
});

it('writes a file, and replaces one only by --force', async () => {
  const { env } = await api();
  expect(await runCli(['audit', 'export', `--out=${file}`], { env })).toEqual({
    code: 0,
    out: '',
    err: `✓ Wrote 1 entry into ${file}\n`,
  });
  expect(await readFile(file, 'utf8')).toBe(csv);
  await writeFile(file, 'mine');
  expect(await runCli(['audit', 'export', `--out=${file}`], { env })).toMatchObject({ code: 2, out: '' });
  expect(await readFile(file, 'utf8')).toBe('mine');
  // A link in the place of the unfinished file is not followed.
  const elsewhere = join(directory, 'elsewhere');
  await writeFile(elsewhere, 'mine');
  await symlink(elsewhere, `${file}.part`);
  expect(await runCli(['audit', 'export', `--out=${file}`, '--force'], { env })).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toBe(csv);
  expect(await readFile(elsewhere, 'utf8')).toBe('mine');
});

it('writes where a link leads, even if nothing is there yet, and keeps the link', async () => {
  const { env } = await api();
  const link = join(directory, 'link.csv');
  await mkdir(join(directory, 'disk'));
  await symlink(join('disk', 'audit.csv'), link);
  const target = join(directory, 'disk', 'audit.csv');
  const line = ['audit', 'export', `--out=${link}`];
  expect(await runCli(line, { env })).toMatchObject({ code: 0, err: `✓ Wrote 1 entry into ${link}\n` });
  expect(await readFile(target, 'utf8')).toBe(csv);
  await writeFile(target, 'mine');
  await chmod(target, 0o600);
  expect(await runCli(line, { env })).toMatchObject({ code: 2 });
  expect(await readFile(target, 'utf8')).toBe('mine');
  expect(await runCli([...line, '--force'], { env })).toMatchObject({ code: 0 });
  expect(await readFile(target, 'utf8')).toBe(csv);
  // The group and others could not read it before.
  if (process.platform !== 'win32') expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect(await readlink(link)).toBe(join('disk', 'audit.csv'));
  expect(await readdir(join(directory, 'disk'))).toEqual(['audit.csv']);
});

it('refuses a link that leads to itself or into a directory that is not there, and a directory', async () => {
  const received = await api();
  const refused = async (name: string, to?: string) => {
    const path = join(directory, name);
    if (to !== undefined) await symlink(to, path);
    const { code, err } = await runCli(['audit', 'export', `--out=${path}`, '--force'], received);
    expect(code).toBe(2);
    return err.replaceAll(directory, '');
  };
  expect(await refused('loop', 'loop')).toMatch('Error: /loop leads through too many links.\n');
  expect(await refused('lost', 'no/where')).toMatch(
    'Error: /lost cannot be written: there is no such file or directory.\n',
  );
  await mkdir(join(directory, 'folder'));
  expect(await refused('folder')).toMatch('Error: /folder is a directory.\nName a file in it.\n');
  expect(received.received).toEqual([]);
});

it.runIf(process.platform !== 'win32').each([
  ['>>', '/dev/stdout'],
  ['>>', '/dev/fd/1'],
  ['2>>', '/dev/stderr'],
  ['3>>', '/dev/fd/3'],
  ['3>>', 'LINK'],
  ['3>>', 'FOLDER/3'],
  ['3>>', process.platform === 'linux' ? '/proc/self/fd/3' : '/dev/fd/3'],
])(
  'writes to what is open already, instead of replacing the file behind it: %s %s',
  async (redirection, path) => {
    const { env } = await api();
    const link = join(directory, 'link');
    await symlink('/dev/fd/3', link);
    const folder = join(directory, 'descriptors');
    await symlink('/dev/fd', folder);
    for (const force of [[], ['--force']]) {
      await writeFile(file, 'kept\n');
      const within = ['sh', '-c', `exec "$@" ${redirection} "$0"`, file];
      const line = [
        'audit',
        'export',
        `--out=${path.replace('LINK', link).replace('FOLDER', folder)}`,
        ...force,
      ];
      const { code, err } = await spawnCli(line, env, { within }).ended;
      expect({ code, err }).toMatchObject({ code: 0 });
      expect((await readFile(file, 'utf8')).split('✓')[0]).toBe(`kept\n${csv}`);
    }
  },
  PATIENT.timeout,
);

it.runIf(process.platform !== 'win32')(
  'refuses a file that is open for reading only, and one that is not open',
  async () => {
    const { env } = await api();
    await writeFile(file, 'kept\n');
    for (const number of [3, 999]) {
      const line = ['audit', 'export', `--out=/dev/fd/${number}`, '--force'];
      const ran = await spawnCli(line, env, { within: ['sh', '-c', 'exec "$@" 3< "$0"', file] }).ended;
      expect(ran).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('cannot be written: bad file descriptor.'),
      });
    }
    expect(await readFile(file, 'utf8')).toBe('kept\n');
  },
  PATIENT.timeout,
);

it.runIf(process.platform === 'linux')('writes into a device or a pipe without replacing it', async () => {
  const { env } = await api();
  const pipe = join(directory, 'pipe');
  spawnSync(MAKE_PIPE, [pipe]);
  const reading = readFile(pipe, 'utf8');
  expect(await runCli(['audit', 'export', `--out=${pipe}`], { env })).toMatchObject({ code: 0 });
  expect(await reading).toBe(csv);
  expect((await stat(pipe)).isFIFO()).toBe(true);
});

it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'root does not follow a link of another user',
  async () => {
    const { env } = await api();
    const link = join(directory, 'link.csv');
    await symlink('elsewhere.csv', link);
    await lchown(link, 65_534, 65_534);
    const { code, err } = await runCli(['audit', 'export', `--out=${link}`], { env });
    expect(code).toBe(2);
    expect(err).toContain(`${link} is a link of user 65534, and root does not follow`);
    expect(await readdir(directory)).toEqual(['link.csv']);
  },
);

it.runIf(process.platform === 'linux' && process.getuid?.() === 0).each(['itself', 'behind a link'])(
  'root does not write into a pipe of another user: %s',
  async (where) => {
    const { env } = await api();
    const [pipe, link] = [join(directory, 'pipe'), join(directory, 'link.csv')];
    spawnSync(MAKE_PIPE, [pipe]);
    await chown(pipe, 65_534, 65_534);
    await symlink('pipe', link);
    await lchown(link, 65_534, 65_534);
    const path = where === 'itself' ? pipe : link;
    const { code, err } = await runCli(['audit', 'export', `--out=${path}`], { env });
    expect(code).toBe(2);
    expect(err).toContain(`${path} belongs to another user.`);
  },
);

it('writes the file whole while another export of the same name is under way', async () => {
  const pages = ['1', '2', '3', null];
  const { env } = await fakeApi(({ query }) => {
    const at = Number(query['cursor'] ?? 0);
    return pageResponse([{ id: `aud_${at}` }], pages[at] ?? null);
  });
  const line = ['audit', 'export', '--format=ndjson', `--out=${directory}/log.ndjson`, '--force'];
  const both = await Promise.all([runCli(line, { env }), runCli(line, { env })]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const ids = pages.map((_, at) => `{"id":"aud_${at}"}\n`);
  expect(await readFile(join(directory, 'log.ndjson'), 'utf8')).toBe(ids.join(''));
  expect(await readdir(directory)).toEqual(['log.ndjson']);
});

it('removes what a killed export has left, but not the file of one that is under way', async () => {
  const line = ['audit', 'export', `--out=${file}`];
  // The rest of this response never comes.
  const endless = { 'content-type': 'text/csv', 'content-length': '1000' };
  const killed = await fakeApi(() => ({ text: csv, headers: endless }));
  const { child } = spawnCli(line, killed.env);
  await vi.waitUntil(async () => (await readdir(directory)).length === 1, PATIENT);
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
  const [left = ''] = await readdir(directory);
  const held = await open(`${file}.partial-00000000`, 'w');
  // If the system does not tell which files are open, their age decides.
  const before = new Date(process.platform === 'linux' ? Date.now() : 0);
  await utimes(join(directory, left), before, before);
  const { env } = await api();
  expect(await runCli(line, { env })).toMatchObject({ code: 0 });
  expect((await readdir(directory)).toSorted()).toEqual(['audit.csv', 'audit.csv.partial-00000000']);
  await held.close();
});

it('--out - is stdout, and no file of this name', async () => {
  const { env } = await api();
  for (const line of [
    ['audit', 'export', '--out=-'],
    ['audit', 'export', '--out', '-', '--force'],
  ]) {
    expect(await runCli(line, { env, cwd: directory })).toEqual({ code: 0, out: csv, err: '' });
  }
  const lines = ['event', 'export', '--out=-', '--format=ndjson', `--cursor-file=${directory}/c`];
  const events = await fakeApi(() => pageResponse([{ event_id: 'evt_1' }]));
  expect(await runCli(lines, { env: events.env })).toMatchObject({ code: 0, out: '{"event_id":"evt_1"}\n' });
});

it('leaves no half of a file behind when it fails', async () => {
  const { env } = await fakeApi(({ query }) =>
    query['cursor'] === undefined
      ? pageResponse([{ id: 'aud_1' }], 'next')
      : errorResponse(500, 'internal_error'),
  );
  const line = ['audit', 'export', '--format=json', `--out=${directory}/x.json`, '--retries=0'];
  expect(await runCli(line, { env })).toMatchObject({ code: 7, out: '' });
  expect(await readdir(directory)).toEqual([]);
  expect(await runCli(['audit', 'export', `--out=${directory}/none/x`], { env })).toMatchObject({ code: 2 });
});

it.each([
  ['events.json', [], '[{"event_id":"evt_1","type":"push"}]\n'],
  ['events.ndjson', [], '{"event_id":"evt_1","type":"push"}\n'],
  ['events.JSONL', [], '{"event_id":"evt_1","type":"push"}\n'],
  ['events.csv', [], 'event_id,type,source,created_at,summary.text\r\nevt_1,push,,,\r\n'],
  ['events', [], 'event_id,type,source,created_at,summary.text\r\nevt_1,push,,,\r\n'],
  ['events.txt', ['--format=json'], '[{"event_id":"evt_1","type":"push"}]\n'],
  ['events.csv', ['--template={{type}}'], 'push\n'],
])('%s %j is what its name says', async (name, more, text) => {
  const { env } = await fakeApi(() => pageResponse([{ event_id: 'evt_1', type: 'push' }]));
  const out = join(directory, name);
  expect(await runCli(['event', 'export', `--out=${out}`, ...more], { env })).toMatchObject({
    code: 0,
    out: '',
  });
  expect(await readFile(out, 'utf8')).toBe(text);
});

it.each([
  [['--out=events.json', '--format=csv'], '--out events.json is named as json, but the format is csv.'],
  [['--out=events.csv', '--json'], '--out events.csv is named as csv, but the format is json.'],
  [['--out=events.csv', '-o', 'yaml'], '--out events.csv is named as csv, but the format is yaml.'],
  [['--format=csv', '--ndjson'], 'One format at a time, not csv and ndjson.'],
])('%j contradicts itself', async (more, message) => {
  const { env, received } = await fakeApi(() => pageResponse([]));
  const { code, err } = await runCli(['event', 'export', ...more], { env, cwd: directory });
  expect({ code, requests: received.length, said: err.includes(message) ? message : err }).toEqual({
    code: 2,
    requests: 0,
    said: message,
  });
});

it('has the payload that a list leaves out', async () => {
  const large = { event_id: 'evt_1', type: 'push', payload: { text: 'all of it' } };
  const { env } = await fakeApi(({ path }) =>
    path.endsWith('/evt_1')
      ? { body: large }
      : pageResponse([{ event_id: 'evt_1', type: 'push', payload: null, payload_omitted: true }]),
  );
  expect(await runCli(['event', 'export', '--format=ndjson'], { env })).toMatchObject({
    code: 0,
    out: `${JSON.stringify(large)}\n`,
  });
});

it('counts on a terminal what goes into a file', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({ event_id: `evt_${index}`, type: 'push' }));
  const { env } = await fakeApi(({ query }) => pageResponse(rows, query['cursor'] ? null : 'next'));
  const io = testIo({ tty: true });
  const out = join(directory, 'events.ndjson');
  // Each look at the clock is a second later: the count is drawn each time.
  let now = 0;
  const { code } = await runCli(['event', 'export', `--out=${out}`, '--color=never'], {
    env,
    io,
    clock: () => (now += 1_000),
  });
  expect(code).toBe(0);
  expect(io.err()).toContain('Exported 57');
  expect(io.err().split('\r').at(-1)).toBe(`\u001b[2K✓ Wrote 200 events into ${out}\n`);
});
