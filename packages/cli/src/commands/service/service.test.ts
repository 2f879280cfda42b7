import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { HIDDEN } from './platforms/hidden.ts';
import { image } from './image.fixture.ts';
import { serviceProgram } from './service-program.ts';
import { visiblePaths } from './visible-paths.ts';

const ANALYZE = 'systemd-analyze';
const EXAMPLE = new URL('../../../../../examples/self-hosting/hubline.service', import.meta.url);
const UNIT = 'etc/systemd/system/hubline.service';

it.runIf(process.platform === 'linux')(
  'a service is installed with its settings, again without losing them, and removed without its data',
  async () => {
    const { root, run, read, called } = await image();
    const settings = ['--public-url=https://hub.example.com', '--behind-proxy'];
    expect(await run('install', ...settings)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    const rehearsed = await run('install', '--database-url=postgres://x:secret@y/z', '--dry-run');
    expect({ ...rehearsed, called: await called() }).toMatchObject({ code: 0, called: [] });
    expect(rehearsed.out).toContain(`Would write ${root}/${UNIT}\n  [Unit]\n  Description=Hubline\n`);
    expect(rehearsed.out).toContain('\n  HUBLINE_DATABASE_URL="postgres://x:***@y/z"\n');
    expect(rehearsed.out).toContain('Would start the service with the machine\n');
    expect(await run('install', '--yes', '--rate-limit=many')).toMatchObject({ code: 2 });

    expect(await run('install', ...settings, '--yes')).toMatchObject({ code: 0 });
    expect(await called()).toEqual([`--root=${root} enable hubline.service`]);
    expect(await read(UNIT)).toBe(await readFile(EXAMPLE, 'utf8'));
    const lines = (await read('etc/hubline/env')).split('\n').slice(1, -1);
    expect(lines).toEqual([
      'HUBLINE_BEHIND_PROXY="true"',
      'HUBLINE_PUBLIC_URL="https://hub.example.com"',
      'HUBLINE_BACKUP_EVERY="24h"',
      'HUBLINE_BACKUP_TO="/var/lib/hubline-backups"',
    ]);
    expect((await stat(join(root, 'etc/hubline/env'))).mode & 0o777).toBe(0o600);

    expect(await run('install', '--yes', '--rate-limit=5')).toMatchObject({
      code: 5,
      err: expect.stringContaining('/etc/hubline/env has the settings'),
    });
    expect(await run('install', '--yes')).toMatchObject({ code: 0 });
    expect((await read('etc/hubline/env')).split('\n').slice(1, -1)).toEqual(lines);

    expect(await run('status')).toMatchObject({ code: 4, err: expect.stringContaining('is not running') });
    expect(await run('uninstall', '--yes')).toMatchObject({ code: 0 });
    expect((await called()).at(-1)).toBe(`--root=${root} disable hubline.service`);
    await expect(read(UNIT)).rejects.toThrow('ENOENT');
    expect(await read('etc/hubline/env')).toContain('HUBLINE_PUBLIC_URL');
    expect(await run('uninstall', '--yes')).toMatchObject({ code: 4 });
    const named = await run('install', '--yes', `--root=${root}`);
    expect(named.out + named.err).toContain(
      'When the system runs, its log has the setup link: hubline service logs',
    );
    await rm(join(root, 'bin/hubline'));
    expect(await run('install', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining(`The system in ${root} has no program hubline`),
    });
  },
);

it.runIf(process.platform === 'linux').each([
  [['--backup-keep=30'], 'HUBLINE_BACKUP_TO="/var/lib/hubline-backups"'],
  [['--backup-to=/mnt/backups'], 'HUBLINE_BACKUP_TO="/mnt/backups"'],
])('%j keeps the daily backups of a service', async (flags, to) => {
  const { run } = await image();
  const { code, out } = await run('install', ...flags, '--dry-run');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(to) });
  expect(out).toContain('HUBLINE_BACKUP_EVERY="24h"');
});

it.runIf(process.platform === 'linux').each([
  [['--public-url=ftp://hub.example.com'], '--public-url'],
  [['--backup-to=ftp://backups'], '--backup-to ftp://backups is neither a directory nor s3://'],
  [['--backup-to=s3://b'], 's3://b must name a bucket'],
  [['--database-url=postgres://x/y', '--backup-every=24h'], '--backup-every'],
  [['--database-url=postgres://x/y', '--backup-keep=3'], '--backup-keep'],
  [['--domain=hub.example.com', '--port=80'], '--port'],
  [['--senders=many'], '--senders'],
])('what a start refuses is not installed: %j', async (flags, told) => {
  const { run, called } = await image();
  const { code, err } = await run('install', ...flags, '--yes');
  expect({ code, err, called: await called() }).toEqual({
    code: 2,
    err: expect.stringContaining(told),
    called: [],
  });
});

it.runIf(process.platform === 'linux')(
  'a directory of backups is opened for the service, even after an upgrade, with a user that can own it',
  async () => {
    const { root, run, read, write, called } = await image();
    const settings = ['--backup-every=24h', '--backup-to=/mnt/my backups'];
    const sudo = `sudo chroot ${root}`;
    const cure = `${sudo} install -d -m 0700 -o hubline '/mnt/my backups'`;
    const rehearsed = await run('install', ...settings, '--dry-run');
    expect(rehearsed.out).toContain(cure);
    expect(rehearsed.out).toContain('\n  ReadWritePaths="-/mnt/my backups"\n');
    const installed = await run('install', ...settings, '--yes');
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.out + installed.err).toMatch(/-o hubline [^]*hubline service logs/);
    expect(installed.out + installed.err).toContain(cure);
    expect(await called()).toEqual([
      `--root=${root} --inline u hubline - "Hubline"`,
      `--root=${root} enable hubline.service`,
    ]);
    const unit = await read(UNIT);
    expect(unit).toContain('\nProtectSystem=strict\nReadWritePaths="-/mnt/my backups"\n');
    expect(await run('install', '--yes')).toMatchObject({ code: 0 });
    expect(await read(UNIT)).toBe(unit);
    const again = async () => {
      const { out, err } = await run('install', '--yes');
      return out + err;
    };
    await mkdir(join(root, 'mnt/my backups/lost+found'), { recursive: true });
    expect(await again()).toContain(`${sudo} chown hubline: '/mnt/my backups'`);
    // A directory with other files keeps its owner.
    await write('mnt/my backups/photo.jpg');
    const told = await again();
    expect(told).toContain('which also holds other files');
    expect(told).toContain(
      `in ${root}/etc/hubline/env: ${sudo} install -d -m 0700 -o hubline '/mnt/my backups/hubline'`,
    );
    expect(told).not.toContain('chown');
    // Once the directory belongs to the user, nothing is left to type.
    await write('etc/passwd', { text: `hubline:x:${process.getuid?.()}:1::/:/bin/sh\n` });
    expect(await again()).not.toContain('sudo');
  },
);

it.runIf(process.platform === 'linux')(
  'a path that the service cannot see is refused, and a relative one becomes absolute',
  async () => {
    const { root, run, read } = await image();
    const refused = async (...flags: string[]) => {
      const { code, err } = await run('install', ...flags, '--yes');
      expect(code).toBe(2);
      return err;
    };
    const cert = '--tls-cert=etc/ssl/c.pem';
    expect(await refused('--tls-cert=/root/c.pem', '--tls-key=/etc/k.pem')).toMatch(
      /--tls-cert \/root\/c\.pem is hidden[^]*in \/etc\/hubline/,
    );
    expect(await refused('--backup-every=24h', '--backup-to=/home/ana')).toMatch(
      /--backup-to \/home\/ana is hidden/,
    );
    expect(await refused(cert, '--tls-key=etc/ssl/k.pem')).toContain(
      `--tls-cert ${root}/etc/ssl/c.pem does not exist`,
    );
    await mkdir(join(root, 'etc/ssl/k.pem'), { recursive: true });
    await writeFile(join(root, 'etc/ssl/c.pem'), '');
    expect(await refused(cert, '--tls-key=etc/ssl/k.pem')).toContain(`${root}/etc/ssl/k.pem is not a file`);
    expect(await refused(cert, '--tls-key=etc/ssl/c.pem')).toContain('has no certificate in PEM form');
    await expect(read(UNIT)).rejects.toThrow('ENOENT');
    expect(await run('install', '--backup-to=mnt/backups', '--yes')).toMatchObject({ code: 0 });
    expect(await read('etc/hubline/env')).toContain('\nHUBLINE_BACKUP_TO="/mnt/backups"\n');
  },
);

it.runIf(process.platform === 'linux')(
  'a failed installation can be repeated, and removed where the manager fails',
  async () => {
    const { root, run, read } = await image();
    const broken = '#!/bin/sh\necho no bus; exit 1\n';
    const systemctl = join(root, 'bin/systemctl');
    const works = await readFile(systemctl, 'utf8');
    await writeFile(systemctl, broken);
    const failed = { code: 7, err: expect.stringContaining('no bus') };
    expect(await run('install', '--rate-limit=5', '--yes')).toMatchObject(failed);
    expect(await run('install', '--rate-limit=5', '--yes')).toMatchObject(failed);
    await writeFile(systemctl, works);
    expect(await run('install', '--rate-limit=5', '--yes')).toMatchObject({ code: 0 });
    expect(await run('install', '--rate-limit=6', '--yes')).toMatchObject({ code: 5 });
    await writeFile(systemctl, broken);
    expect(await run('uninstall', '--yes')).toMatchObject({
      code: 10,
      err: expect.stringMatching(/Removed [^]*hubline\.service, but systemctl [^]*no bus/),
    });
    await expect(read(UNIT)).rejects.toThrow('ENOENT');
    expect(await read('etc/hubline/env')).toContain('HUBLINE_RATE_LIMIT');
  },
);

// A dry run, so that nothing is written even if the refusal is missing. A clone in a home is refused earlier, for its place.
const isBare = process.platform === 'linux' && !existsSync('/run/systemd/system');
it.runIf(isBare && process.getuid?.() === 0 && !HIDDEN.test(process.execPath))(
  'a machine without systemd is refused before a file is written',
  async () => {
    const [, script = ''] = process.argv;
    onTestFinished(() => void (process.argv[1] = script));
    process.argv[1] = process.execPath;
    expect(await runCli(['service', 'install', '--dry-run'], { systemRoot: '/' })).toMatchObject({
      code: 7,
      err: expect.stringContaining('systemd is not running here'),
    });
  },
);

it.runIf(isBare)('a machine without systemd says so when it is asked for the state', async () => {
  const { root } = await image();
  await writeFile(join(root, 'bin/systemctl'), '#!/bin/sh\necho no bus; exit 1\n');
  const env = { PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
  const { code, out, err } = await runCli(['service', 'status'], { systemRoot: '/', env });
  expect({ code, out }).toEqual({ code: 7, out: '' });
  expect(err).toContain('systemd is not running here');
});

it.runIf(existsSync('/run/systemd/system') && !existsSync('/etc/systemd/system/hubline.service'))(
  'a service that is not installed has no status, and is not said to have a log',
  async () => {
    const { root } = await image();
    await writeFile(join(root, 'bin/systemctl'), '#!/bin/sh\nexit 4\n');
    const env = { PATH: join(root, 'bin') };
    expect(await runCli(['service', 'status'], { systemRoot: '/', env })).toMatchObject({
      code: 4,
      err: 'Error: There is no service hubline.\nInstall it: hubline service install\n',
    });
  },
);

it.runIf(process.platform === 'linux')('an address of another machine is not installed', async () => {
  const line = ['service', 'install', '--host=192.0.2.1', '--dry-run'];
  expect(await runCli(line, { systemRoot: '/' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('--host 192.0.2.1 is not an address of this machine'),
  });
});

it.runIf(process.platform === 'linux')('a relative path begins where the command is typed', () => {
  const running = {
    root: '',
    absolute: (path: string) => resolve('/usr', path),
    isUnfitForBackups: () => false,
  };
  expect(visiblePaths({ HUBLINE_BACKUP_TO: '../var/spool' }, running)).toEqual({
    HUBLINE_BACKUP_TO: '/var/spool',
  });
  expect(visiblePaths({ HUBLINE_BACKUP_TO: 's3://a/b' }, running)).toEqual({ HUBLINE_BACKUP_TO: 's3://a/b' });
  expect(() => visiblePaths({ HUBLINE_BACKUP_TO: '/var/not-there' }, running)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('mkdir -p /var/not-there') }),
  );
});

it.runIf(process.platform === 'linux')(
  'a program in a place that no service can use still shows the service',
  async () => {
    const { root } = await image();
    const [node = '', script = ''] = process.argv;
    onTestFinished(() => void (process.argv[1] = script));
    process.argv[1] = join(root, 'bin/systemctl');
    const env = { PATH: `${join(root, 'bin')}:${node}` };
    const run = (...line: string[]) => runCli(['service', ...line], { systemRoot: '/', env });
    expect(await run('status')).toMatchObject({ code: 0, err: '' });
    expect(await run('logs')).toMatchObject({ code: 4, err: expect.stringContaining('There is no service') });
    expect(await run('install', '--dry-run')).toMatchObject({
      code: 2,
      err: expect.stringContaining('A service cannot run'),
    });
    const file = join(root, 'bin/systemctl');
    expect(() => serviceProgram({ execPath: file, execArgv: [], argv: [file, file] })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`sudo install ${file} `) }),
    );
  },
);

it.runIf(process.platform === 'linux')(
  'a service with a domain may take the ports of HTTPS and HTTP',
  async () => {
    const { run, read } = await image();
    expect(await run('install', '--domain=hub.example.com', '--behind-proxy', '--yes')).toMatchObject({
      code: 2,
    });
    expect(
      await run('install', '--domain=hub.example.com', '--acme-email=me@example.com', '--yes'),
    ).toMatchObject({
      code: 0,
    });
    expect((await read('etc/hubline/env')).split('\n').slice(1, 3)).toEqual([
      'HUBLINE_DOMAIN="hub.example.com"',
      'HUBLINE_ACME_EMAIL="me@example.com"',
    ]);
    expect(await read(UNIT)).toContain('\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n');
  },
);

it('systemd starts the server again for as long as the cause of a failure lasts', async () => {
  const [unit = '', service = ''] = (await readFile(EXAMPLE, 'utf8')).split('[Service]');
  // Otherwise five starts in ten seconds would be the last.
  expect(unit).toContain('\nStartLimitIntervalSec=0\n');
  expect(service).toContain('\nRestart=always\n');
});

it.runIf(spawnSync(ANALYZE, ['--version']).status === 0)(
  'systemd accepts the unit, and finds it hardened',
  async () => {
    const file = join(await temporaryDirectory(), 'hubline.service');
    await writeFile(file, await readFile(EXAMPLE));
    const verified = spawnSync(ANALYZE, ['verify', file], { encoding: 'utf8' });
    expect([verified.status, verified.stderr.includes('hubline.service:')]).toEqual([0, false]);
    const judged = spawnSync(ANALYZE, ['security', '--offline=true', '--threshold=25', file], {
      encoding: 'utf8',
    });
    expect(judged.status, judged.stdout).toBe(0);
  },
);
