import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { launchd } from './launchd.ts';
import { HIDDEN } from './hidden.ts';
import { planFor } from './plan.ts';
import { requireManager } from './run-program.ts';
import { serviceProgram } from './service-program.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';
import { visiblePaths } from './visible-paths.ts';

const ANALYZE = 'systemd-analyze';
const EXAMPLE = new URL('../../../../../examples/self-hosting/hubline.service', import.meta.url);
const UNIT = 'etc/systemd/system/hubline.service';

/** Runs `hubline service` on a system in a directory, with a `systemctl` that writes down its arguments. */
async function image() {
  const root = await temporaryDirectory();
  const bin = join(root, 'bin');
  const calls = join(root, 'calls');
  await mkdir(bin);
  for (const program of ['systemctl', 'systemd-sysusers']) {
    await writeFile(join(bin, program), `#!/bin/sh\necho "$*" >> ${calls}\n`);
    await chmod(join(bin, program), 0o755);
  }
  return {
    root,
    read: (name: string) => readFile(join(root, name), 'utf8'),
    called: async () => (await readFile(calls, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    run: (...line: string[]) =>
      runCli(['service', ...line], { systemRoot: root, env: { PATH: `${bin}:${process.env['PATH']}` } }),
  };
}

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

    expect(await run('status')).toMatchObject({ code: 4, err: expect.stringContaining('does not run') });
    expect(await run('uninstall', '--yes')).toMatchObject({ code: 0 });
    expect((await called()).at(-1)).toBe(`--root=${root} disable hubline.service`);
    await expect(read(UNIT)).rejects.toThrow('ENOENT');
    expect(await read('etc/hubline/env')).toContain('HUBLINE_PUBLIC_URL');
    expect(await run('uninstall', '--yes')).toMatchObject({ code: 4 });
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
  'a directory of backups is opened for the service, also after an upgrade, with a user that can own it',
  async () => {
    const { root, run, read, called } = await image();
    const settings = ['--backup-every=24h', '--backup-to=/mnt/my backups'];
    const cure = `sudo chroot ${root} chown hubline: '/mnt/my backups'`;
    const rehearsed = await run('install', ...settings, '--dry-run');
    expect(rehearsed.out).toContain(cure);
    expect(rehearsed.out).toContain('\n  ReadWritePaths="-/mnt/my backups"\n');
    const installed = await run('install', ...settings, '--yes');
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.out + installed.err).toMatch(/chown hubline: [^]*hubline service logs/);
    expect(installed.out + installed.err).toContain(cure);
    expect(await called()).toEqual([
      `--root=${root} --inline u hubline - "Hubline"`,
      `--root=${root} enable hubline.service`,
    ]);
    const unit = await read(UNIT);
    expect(unit).toContain('\nProtectSystem=strict\nReadWritePaths="-/mnt/my backups"\n');
    expect(await run('install', '--yes')).toMatchObject({ code: 0 });
    expect(await read(UNIT)).toBe(unit);
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
      /--tls-cert \/root\/c\.pem is hidden[^]*below \/etc\/hubline/,
    );
    expect(await refused('--backup-every=24h', '--backup-to=/home/ana')).toMatch(
      /--backup-to \/home\/ana is hidden/,
    );
    expect(await refused(cert, '--tls-key=etc/ssl/k.pem')).toContain(
      `--tls-cert ${root}/etc/ssl/c.pem does not exist`,
    );
    await mkdir(join(root, 'etc/ssl/k.pem'), { recursive: true });
    await writeFile(join(root, 'etc/ssl/c.pem'), '');
    expect(await refused(cert, '--tls-key=etc/ssl/k.pem')).toContain(`${root}/etc/ssl/k.pem is no file`);
    expect(await refused(cert, '--tls-key=etc/ssl/c.pem')).toContain('must name PEM files that belong');
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

it('a system without a running systemd is refused, and an image needs none', async () => {
  const root = await temporaryDirectory();
  expect(systemd(options).manager).toBe('/run/systemd/system');
  expect(() => requireManager({ manager: join(root, 'run') })).toThrow('Nothing was changed');
  expect(() => requireManager({ manager: root })).not.toThrow();
  expect(() => requireManager(systemd({ ...options, root }))).not.toThrow();
});

// A rehearsal: should the refusal be missing, nothing is written all the same. A clone in a home is refused for that before.
const isBare = process.platform === 'linux' && !existsSync('/run/systemd/system');
it.runIf(isBare && process.getuid?.() === 0 && !HIDDEN.test(process.execPath))(
  'a machine without systemd is told so before a file is written',
  async () => {
    const [, script = ''] = process.argv;
    onTestFinished(() => void (process.argv[1] = script));
    process.argv[1] = process.execPath;
    expect(await runCli(['service', 'install', '--dry-run'], { systemRoot: '/' })).toMatchObject({
      code: 7,
      err: expect.stringContaining('systemd does not run here'),
    });
  },
);

it.runIf(process.platform === 'linux')('a relative path begins where the command is typed', () => {
  const running = { root: '', cwd: '/usr' };
  expect(visiblePaths({ HUBLINE_BACKUP_TO: 'lib' }, running)).toEqual({ HUBLINE_BACKUP_TO: '/usr/lib' });
  expect(visiblePaths({ HUBLINE_BACKUP_TO: 's3://a/b' }, running)).toEqual({ HUBLINE_BACKUP_TO: 's3://a/b' });
  expect(() => visiblePaths({ HUBLINE_BACKUP_TO: 'not-there' }, running)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("mkdir -p '/usr/not-there'") }),
  );
});

it.runIf(process.platform === 'linux')(
  'a program in a place for no service asks about the service',
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

const options = {
  program: ['/opt/a node/node', '/opt/50%/$x/bin.cjs'],
  settings: { HUBLINE_PUBLIC_URL: 'https://hub.example.com/?a&"b"' },
  root: '',
  user: 'ana',
} as const;

it('systemd is given words that it does not expand, and leaves backups to whoever decides about them', () => {
  const { files, install, uninstall } = systemd(options);
  expect(files[0]?.text).toContain('ExecStart="/opt/a node/node" /opt/50%%/$$x/bin.cjs server start --data');
  expect(files[1]?.text).toContain(String.raw`HUBLINE_PUBLIC_URL="https://hub.example.com/?a&\"b\""`);
  expect(install.map((line) => line.join(' '))).toEqual([
    'systemctl daemon-reload',
    'systemctl enable hubline.service',
    'systemctl restart hubline.service',
  ]);
  expect(uninstall).toEqual([['systemctl', 'disable', '--now', 'hubline.service']]);
  const own = systemd({ ...options, settings: { HUBLINE_DATABASE_URL: 'postgres://x/y' } });
  expect(own.files[1]?.text).not.toContain('HUBLINE_BACKUP');
});

it.each([
  ['linux', 'HUBLINE_BACKUP_TO="/var/lib/hubline-backups"', undefined],
  [
    'darwin',
    '<key>HUBLINE_BACKUP_TO</key><string>/usr/local/var/hubline-backups</string>',
    'install -d -m 0700 -o ana /usr/local/var/hubline-backups',
  ],
  [
    'win32',
    String.raw`HUBLINE_BACKUP_TO=C:\ProgramData\Hubline\scheduled-backups&quot;`,
    String.raw`mkdir C:\ProgramData\Hubline\scheduled-backups`,
  ],
] as const)('a service of %s keeps daily backups in a directory of its own', (platform, variable, made) => {
  const plan = planFor(platform, { ...options, settings: { HUBLINE_BACKUP_KEEP: '30' } });
  const text = plan?.files.map((file) => file.text).join('');
  expect(text).toContain(variable);
  expect(text).toMatch(/HUBLINE_BACKUP_EVERY(?:="?|<\/key><string>)24h/);
  const steps = plan?.install.map((line) => line.join(' ')) ?? [];
  if (made !== undefined) expect(steps).toContainEqual(expect.stringContaining(made));
  const settings = { HUBLINE_BACKUP_TO: '/mnt/x' };
  const other = planFor(platform, { ...options, settings })?.install ?? [];
  expect(other.flat().join(' ')).not.toContain('scheduled-backups');
  expect(other.flat().join(' ')).not.toContain('hubline-backups');
});

it('launchd is given a daemon that runs as the user who installs it', () => {
  const { files, install, uninstall, status, logs } = launchd(options);
  const { text, path, mode } = files[0] ?? { text: '', path: '', mode: 0 };
  expect([path, mode]).toEqual(['/Library/LaunchDaemons/dev.hubline.server.plist', 0o600]);
  expect(text).toContain('<key>UserName</key><string>ana</string>');
  expect(text).toContain('    <string>/opt/a node/node</string>\n    <string>/opt/50%/$x/bin.cjs</string>\n');
  expect(text).toContain('<string>https://hub.example.com/?a&amp;&quot;b&quot;</string>');
  expect(install[0]).toEqual(['install', '-d', '-m', '0700', '-o', 'ana', '/usr/local/var/hubline']);
  expect(install.at(-1)?.at(-1)).toMatch(/bootstrap system \/Library\/LaunchDaemons\//);
  expect(uninstall).toEqual([['launchctl', 'bootout', 'system/dev.hubline.server']]);
  expect(status).toEqual(['launchctl', 'print', 'system/dev.hubline.server']);
  expect(logs({ follow: true })).toContain('-F');
});

it('Windows is given a task that starts with the machine, in a directory of its user', () => {
  const { files, install, uninstall, logs } = taskScheduler(options);
  const text = files[0]?.text ?? '';
  expect(text).toContain('<BootTrigger>');
  expect(text).toContain('<UserId>S-1-5-19</UserId>');
  expect(text).toContain('&quot;/opt/a node/node&quot; &quot;/opt/50%/$x/bin.cjs&quot; &quot;server&quot;');
  expect(text).not.toContain('&amp;"');
  expect(install[0]?.slice(0, 3)).toEqual(['icacls', String.raw`C:\ProgramData\Hubline`, '/inheritance:r']);
  expect(uninstall.at(-1)).toEqual(['schtasks', '/Delete', '/F', '/TN', 'Hubline']);
  expect(logs({ follow: false }).at(-1)).not.toContain('-Wait');
});
