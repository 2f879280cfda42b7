import { startTestServer } from '@hubline/server/testing';
import { statSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { PATIENT, spawnCli } from '../support/spawn-cli.ts';
import { expectSentence } from '../../src/test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../src/test/run-cli.ts';

const onLinux = process.platform === 'linux';
const NOBODY = 65_534;
const UNSHARE = 'unshare';
/** The exit code where no disk can be mounted. */
const NO_DISK = 77;

it('a data directory that is in use is reported with the process that has it', async () => {
  await using server = await startTestServer();
  const started = await runCli(['server', 'start', '--port=0', `--data=${server.data}`]);
  expectSentence(started);
  expect(started.err).toContain(`Another server is using ${server.data}`);
  if (onLinux) expect(started.err).toMatch(new RegExp(`\\(pid ${process.pid}\\)`));
});

it.each([
  ['master.key', 'cannot be used: it is a directory. Fix that'],
  ['hubline.db', 'is a directory, but must be a file. Move it away'],
  ['server.lock', 'is a directory, but must be a file. Move it away'],
  ['server.json', 'cannot be used: '],
])('a directory in the place of %s is reported', async (name, told) => {
  const data = await temporaryDirectory();
  await mkdir(join(data, name));
  const started = await runCli(['server', 'start', '--port=0', `--data=${data}`]);
  expectSentence({ ...started, out: '' });
  expect(started.err).toContain(`${join(data, name)} ${told}`);
});

it.runIf(onLinux)(
  'a data directory of another user is reported',
  async () => {
    const uid = process.getuid?.() === 0 ? NOBODY : undefined;
    for (const command of ['start', 'check-config']) {
      const line = ['server', command, '--port=0', '--data=/hubline-of-nobody'];
      const ran = await spawnCli(line, {}, { cwd: '/', ...(uid === undefined ? {} : { uid }) }).ended;
      expectSentence(ran);
      expect(ran.err).toContain('/hubline-of-nobody cannot be written to: / belongs to user 0');
      expect(ran.err).toContain(`sudo install -d -m 700 -o ${uid ?? process.getuid?.()} /hubline-of-nobody`);
      expect(ran.err).not.toContain('chown');
    }
  },
  PATIENT.timeout,
);

it.runIf(onLinux && process.getuid?.() === 0)(
  'certificates that root has left in the data directory are reported',
  async () => {
    const data = await temporaryDirectory();
    await mkdir(join(data, 'certificates'), { mode: 0o700 });
    await chown(data, NOBODY, NOBODY);
    const ports = ['--domain=hub.example.com', '--https-port=0', '--http-port=0', '--host=127.0.0.1'];
    const line = ['server', 'start', `--data=${data}`, ...ports];
    const started = await spawnCli(line, {}, { cwd: '/', uid: NOBODY }).ended;
    expectSentence(started);
    expect(started.err).toContain(`${join(data, 'certificates')} belongs to user 0`);
  },
  PATIENT.timeout,
);

it.runIf(onLinux && process.getuid?.() === 0)(
  'what root makes in the data directory of another user belongs to that user',
  async () => {
    const data = await temporaryDirectory();
    await chown(data, NOBODY, NOBODY);
    const owner = ['server', 'bootstrap', `--data=${data}`, '--email=ana@acme.test', '--yes'];
    expect(await runCli(owner)).toMatchObject({ code: 0 });
    // It fails at its port, after it has opened all that it needs.
    const ports = ['--domain=hub.example.com', '--https-port=0', '--http-port=0', '--host=192.0.2.1'];
    expect(await runCli(['server', 'start', `--data=${data}`, ...ports])).toMatchObject({ code: 2 });
    const made = await readdir(data, { recursive: true });
    expect(made).toEqual(expect.arrayContaining(['hubline.db', 'master.key', 'server.lock']));
    expect(made.filter((name) => name.startsWith('certificates')).length).toBe(2);
    const ofRoot = made.filter((name) => statSync(join(data, name)).uid !== NOBODY);
    expect(ofRoot).toEqual([]);

    // A killed server of root leaves this file.
    await writeFile(join(data, 'server.json'), '{}', { mode: 0o600 });
    const line = ['server', 'start', '--port=0', `--data=${data}`, '--json'];
    const { child, read } = spawnCli(line, {}, { cwd: '/', uid: NOBODY });
    await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
    expect(read).toMatchObject({ out: expect.stringContaining(`"pid":${child.pid}`) });
  },
  PATIENT.timeout,
);

it.runIf(onLinux).each([
  [['event', 'tail', '--resume-file=FILE'], '--resume-file FILE', 'Let this user read it'],
  [['event', 'tail', '--resume-file=HIDDEN', '--dry-run'], '--resume-file HIDDEN', 'Let this user read it'],
  [['event', 'export', '--cursor-file=FILE'], '--cursor-file FILE', 'Let this user read it'],
  [['member', 'import', 'FILE'], 'The file FILE', 'Let this user read it'],
  [['replay', 'FILE', '--to=3000'], 'The recording FILE', 'Let this user read it'],
  [['listen', '--print-secret'], 'CONFIG/listen-secret', 'Let this user read it, or delete it'],
  [['config', 'list'], 'CONFIG/config.json', 'choose another directory with HUBLINE_CONFIG_DIR'],
  [['whoami'], 'FILE of HUBLINE_API_KEY_FILE', 'unset the variable', { HUBLINE_API_KEY_FILE: 'FILE' }],
  [
    ['whoami'],
    'FILE of SSL_CERT_FILE',
    'unset the variable',
    { SSL_CERT_FILE: 'FILE', HUBLINE_API_KEY: 'hl_x' },
  ],
] as [string[], string, string, Record<string, string>?][])(
  'a file that this user may not read is named, with the cure: %j',
  async (line, name, cure, variables = {}) => {
    const directory = await temporaryDirectory();
    await chmod(directory, 0o755);
    const places = { FILE: join(directory, 'file'), HIDDEN: join(directory, 'hidden', 'file') };
    const config = join(directory, 'config');
    const named = (text: string): string =>
      text
        .replace('FILE', () => places.FILE)
        .replace('HIDDEN', places.HIDDEN)
        .replace('CONFIG', config);
    await mkdir(config);
    await mkdir(join(directory, 'hidden'), { mode: 0 });
    const isConfig = name.startsWith('CONFIG');
    await writeFile(isConfig ? named(name) : places.FILE, '{}', { mode: 0 });
    const env = {
      HUBLINE_BASE_URL: 'https://127.0.0.1:1/v1',
      HUBLINE_WORKSPACE: 'ws_06f8xw2b3c4d5e6f7g8h9j0kmn',
      HUBLINE_CONFIG_DIR: config,
      ...Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, named(value)])),
    };
    if (process.getuid?.() === 0) for (const each of [directory, config]) await chown(each, NOBODY, NOBODY);
    const uid = process.getuid?.() === 0 ? { uid: NOBODY } : {};
    const ran = await spawnCli(line.map(named), env, { cwd: '/', ...uid }).ended;
    expectSentence(ran);
    expect(ran.err).toContain(`${named(name)} cannot be read: permission is denied.`);
    expect(ran.err).toContain(cure);
  },
  PATIENT.timeout,
);

it('a directory in the place of the secret of listen is named', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'listen-secret'));
  const ran = await runCli(['listen', '--print-secret'], { env: { HUBLINE_CONFIG_DIR: directory } });
  expectSentence(ran);
  expect(ran.err).toContain(`${join(directory, 'listen-secret')} cannot be read: it is a directory.`);
});

it.runIf(onLinux && process.getuid?.() === 0)(
  'a master key that root has left in the data directory is reported',
  async () => {
    const data = await temporaryDirectory();
    const key = join(data, 'master.key');
    await writeFile(key, Buffer.alloc(32).toString('base64'), { mode: 0 });
    await chown(data, NOBODY, NOBODY);
    const started = await spawnCli(
      ['server', 'start', '--port=0', `--data=${data}`],
      {},
      { cwd: '/', uid: NOBODY },
    ).ended;
    expectSentence(started);
    expect(started.err).toContain(`${key} cannot be read by user ${NOBODY}`);
  },
  PATIENT.timeout,
);

it.runIf(onLinux).each([
  ['nofile=32', 'may have 32 files and connections open, but needs at least 152. Raise the limit: ulimit -n'],
  ['nofile=64', 'may have 64 files and connections open, but needs at least 152. Raise the limit: ulimit -n'],
  ['nproc=17', 'may have 17 processes and threads, but a server needs at least'],
])('a limit of %s is reported before anything is made', async (limit, told) => {
  const folder = await temporaryDirectory();
  // Root has no limit of processes, and other users share theirs with all that they run.
  const other = process.getuid?.() === 0 ? { uid: 4_000_000 } : {};
  if (other.uid !== undefined) await chown(folder, other.uid, other.uid);
  const line = [
    'server',
    'start',
    '--seed',
    '--port=0',
    '--senders=2',
    '--http-thread=on',
    `--data=${join(folder, 'data')}`,
  ];
  const started = await spawnCli(line, {}, { within: ['prlimit', `--${limit}`], cwd: '/', ...other }).ended;
  expectSentence(started);
  expect(started.err).toContain(told);
  expect(await readdir(folder)).toEqual([]);
});

it.runIf(onLinux)('a file system that does not allow new directories is reported', async () => {
  const link = join(await temporaryDirectory(), 'link');
  await symlink('/proc', link);
  const started = await runCli(['server', 'start', '--port=0'], { env: { HUBLINE_DATA: join(link, 'x') } });
  expectSentence(started);
  expect(started.err).toContain('/x cannot be used: its file system does not allow new directories.');
  expect(started.err).toContain('with --data or HUBLINE_DATA');
});

// A restore would write nothing there even without the refusal, since this is not a database.
it.runIf(onLinux).each(['/', '/proc/1', '/usr/../var/lib', '/var/lib/private', '/var/tmp', '/mnt'])(
  '%s is not a data directory',
  async (data) => {
    const file = join(await temporaryDirectory(), 'backup.db');
    await writeFile(file, 'no database');
    const restored = await runCli(['server', 'restore', file, `--data=${data}`]);
    expectSentence(restored);
    expect(restored.err).toMatch(
      /Error: \/\S* is a system directory\. Name a directory for Hubline alone with --data or HUBLINE_DATA/,
    );
  },
);

it.runIf(onLinux).each([
  [' ', 'HUBLINE_DATA must not be empty or only spaces'],
  ['~/hubline', 'HUBLINE_DATA must be a full path'],
  ['$HOME/hubline', 'HUBLINE_DATA must be a full path'],
  ['/', '/ is a system directory. Name a directory for Hubline alone with --data or HUBLINE_DATA'],
  ['/dev/null', '/dev/null is a file, but must be a directory. Name a directory'],
  ['/etc/passwd/x', '/etc/passwd is a file, but must be a directory. Name a directory'],
])('check-config and a start refuse the data directory %j, and make nothing', async (data, told) => {
  for (const command of ['check-config', 'start']) {
    const env = { HUBLINE_DATA: data };
    const refused = await runCli(['server', command, '--port=0'], { env });
    expectSentence(refused);
    expect(refused.err).toContain(told);
  }
});

/** Starts a server on its own disk, mounted with `options`. */
async function startOnDisk(options: string) {
  const folder = await temporaryDirectory();
  const mount = `mount -t tmpfs -o ${options} tmpfs "$0" || exit ${NO_DISK}; exec "$@"`;
  const within = [UNSHARE, '-rm', 'sh', '-c', mount, folder];
  return spawnCli(['server', 'start', '--port=0', `--data=${folder}`], {}, { within }).ended;
}

it.runIf(onLinux).for([
  { disk: 'full', options: 'size=64k', reason: 'There is no space for the database in' },
  { disk: 'read-only', options: 'ro', reason: 'is on a read-only file system' },
])('a disk that is $disk is reported', PATIENT, async ({ options, reason }, context) => {
  const started = await startOnDisk(options);
  context.skip([1, NO_DISK].includes(started.code ?? 1), 'a separate disk cannot be mounted here');
  expectSentence(started);
  expect(started.err).toContain(reason);
});

it.runIf(onLinux)(
  'a full disk does not make a stopped server look like a running one',
  PATIENT,
  async (context) => {
    const folder = await temporaryDirectory();
    const fill = `: > "$0/server.lock"; head -c 1m /dev/zero > "$0/fill" 2> /dev/null`;
    const mount = `mount -t tmpfs -o size=64k tmpfs "$0" || exit ${NO_DISK}; ${fill}; exec "$@"`;
    const within = [UNSHARE, '-rm', 'sh', '-c', mount, folder];
    const { code, err } = await spawnCli(['server', 'stop', `--data=${folder}`], {}, { within }).ended;
    context.skip([1, NO_DISK].includes(code ?? 1), 'a separate disk cannot be mounted here');
    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringContaining(`No server is running in ${folder}`),
    });
  },
);

it.runIf(onLinux && process.getuid?.() === 0)(
  'a data directory that this user may not open is not taken for an empty one',
  async () => {
    const data = await temporaryDirectory();
    for (const line of [['stop'], ['bootstrap', '--email=ana@acme.test', '--yes']]) {
      const ran = await spawnCli(['server', ...line, `--data=${data}`], {}, { cwd: '/', uid: NOBODY }).ended;
      expectSentence(ran);
      expect(ran.err).toContain(`${data} belongs to user 0, and this process is user ${NOBODY}`);
    }
    const startIn = (place: string) =>
      spawnCli(['server', 'start', '--port=0', `--data=${place}`], {}, { cwd: '/', uid: NOBODY }).ended;
    const below = await startIn(join(data, 'x'));
    expect(below.err).toContain('It lets no other user in: name another place with --data or HUBLINE_DATA.');
    // A directory with other files is not handed over.
    await writeFile(join(data, 'photo.jpg'), '');
    await chmod(data, 0o755);
    const beside = await startIn(data);
    expect(beside.err).toContain(`${data} contains files other than Hubline's: name another place`);
    expect(below.err + beside.err).not.toMatch(/chown|install/);
  },
  PATIENT.timeout,
);

it(
  'a clock without a battery, too little memory and keys that others can read are warned about, and the server starts',
  async () => {
    const folder = await temporaryDirectory();
    const preload = join(folder, 'clock.mjs');
    const past = `globalThis.Date = class extends Date { constructor(...a) { super(...(a.length ? a : [Date.now() - 1.7e12])); } };`;
    await writeFile(preload, past);
    const data = join(folder, 'data');
    await mkdir(join(data, 'certificates/ca'), { recursive: true, mode: 0o700 });
    const keys = [join(data, 'master.key'), join(data, 'certificates/ca/account.pem')];
    for (const key of keys) await writeFile(key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o644 });
    const line = ['server', 'start', '--port=0', `--data=${data}`, '--memory-budget=900000'];
    const { child, read, ended } = spawnCli(line, {
      NODE_OPTIONS: `--import=${preload}`,
      LC_ALL: 'C',
      HUBLINE_PUBLIC_URL: 'https://hub.example.com',
    });
    await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
    child.kill('SIGTERM');
    const { code, err } = await ended;
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).toMatch(/The clock says 19\d\d-/);
    expect(err).toContain('Lower --memory-budget from 900000');
    expect(err).toContain(
      'HUBLINE_PUBLIC_URL https://hub.example.com is HTTPS, but this server speaks plain HTTP',
    );
    if (!onLinux) return;
    for (const key of keys) {
      expect(err).toContain(`Other users could read ${key} (mode 644). Now only its owner can`);
      expect(statSync(key).mode & 0o777).toBe(0o600);
    }
  },
  PATIENT.timeout,
);
