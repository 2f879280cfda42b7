import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/run-cli.ts';
import { HIDDEN } from './platforms/hidden.ts';
import { launchd } from './platforms/launchd.ts';
import { planFor } from './plan.ts';
import { requireManager } from './run-program.ts';
import { systemd } from './platforms/systemd/systemd.ts';
import { taskScheduler } from './platforms/task-scheduler.ts';

const options = {
  program: ['/opt/a node/node', '/opt/50%/$x/bin.cjs'],
  settings: { HUBLINE_PUBLIC_URL: 'https://hub.example.com/?a&"b"' },
  root: '',
  user: 'ana',
} as const;

it('systemd is given words that it does not expand, and no backups of a PostgreSQL database', () => {
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
] as const)('a service of %s keeps daily backups in its own directory', (platform, variable, made) => {
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

it.each([
  [String.raw`C:\Users\ana\AppData\Roaming\npm\node_modules\hubline\bin.cjs`, true],
  [String.raw`d:\users\ana`, true],
  [String.raw`C:\Users\Public\hubline\bin.cjs`, false],
  [String.raw`C:\Users\publican\bin.cjs`, true],
  [String.raw`C:\Program Files\nodejs\node.exe`, false],
  ['/home/ana/bin', true],
  ['/usr/local/home', false],
])('the home of a user is hidden from a service: %s', (path, hidden) => {
  expect(HIDDEN.test(path)).toBe(hidden);
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

it('launchd gets a new daemon only when the old one is gone, which may take a while', async () => {
  const directory = await temporaryDirectory();
  // `print` fails once there is no daemon of that label: here, at its third call.
  await writeFile(
    join(directory, 'launchctl'),
    '#!/bin/sh\necho "$1" >> "$0.log"\n[ "$1" != print ] || [ "$(grep -c print "$0.log")" -lt 3 ]\n',
    { mode: 0o755 },
  );
  await writeFile(join(directory, 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
  const [program = '', ...args] = launchd(options).install.at(-1) ?? [];
  execFileSync(program, args, { env: { PATH: `${directory}:${process.env['PATH']}` } });
  expect(await readFile(join(directory, 'launchctl.log'), 'utf8')).toBe(
    'bootout\nprint\nprint\nprint\nbootstrap\n',
  );
});

it('Windows is given a task that starts with the machine, in a directory of its user', () => {
  const { files, install, uninstall, status, logs } = taskScheduler(options);
  const text = files[0]?.text ?? '';
  expect(text).toContain('<BootTrigger>');
  expect(text).toContain('<UserId>S-1-5-19</UserId>');
  expect(text).toContain('&quot;/opt/a node/node&quot; &quot;/opt/50%/$x/bin.cjs&quot; &quot;server&quot;');
  expect(text).not.toContain('&amp;"');
  expect(install[0]?.slice(0, 3)).toEqual(['icacls', String.raw`C:\ProgramData\Hubline`, '/inheritance:r']);
  expect(uninstall.at(-1)).toEqual(['schtasks', '/Delete', '/F', '/TN', 'Hubline']);
  expect(status.at(-1)).toContain("if ($task.State -in 'Ready', 'Disabled') { exit 1 }");
  expect(logs({ follow: false }).at(-1)).not.toContain('-Wait');
});

it('a system without a running systemd is refused, and an image needs none', async () => {
  const root = await temporaryDirectory();
  expect(systemd(options).manager).toBe('/run/systemd/system');
  expect(() => requireManager({ manager: join(root, 'run') })).toThrow('systemd is not running here');
  expect(() => requireManager({ manager: root })).not.toThrow();
  expect(() => requireManager(systemd({ ...options, root }))).not.toThrow();
});
