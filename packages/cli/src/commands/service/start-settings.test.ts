import { chmod, mkdir, mkdtemp, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../test/run-cli.ts';
import { readEnvironmentFile } from './platforms/systemd/environment-file.ts';
import { HIDDEN } from './platforms/hidden.ts';
import { image } from './image.fixture.ts';

const onLinux = process.platform === 'linux';
const TLS = ['--tls-cert=/etc/ssl/c.pem', '--tls-key=/etc/ssl/k.pem'];
const KEEP = '/etc/hubline/env';

/** A folder that, unlike temporary files, is not hidden from a service. */
async function visibleFolder(): Promise<string> {
  const folder = await mkdtemp('/dev/shm/hubline-');
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe.runIf(onLinux)('a service is not installed', () => {
  it('with a key that its user may not read, and says what to type', async () => {
    const { root, run, write, called } = await image();
    await write('etc/ssl/c.pem');
    await write('etc/ssl/k.pem', { mode: 0o600 });
    const makes = `sudo systemd-sysusers --root=${root} --inline 'u hubline - "Hubline"' && `;
    const give = `sudo chroot ${root} chgrp hubline /etc/ssl/k.pem && sudo chroot ${root} chmod 0640 /etc/ssl/k.pem`;
    const copy = `sudo chroot ${root} install -d -m 0755 /etc/hubline && sudo chroot ${root} install -m 0640 -g hubline /etc/ssl/k.pem /etc/hubline/k.pem, and name /etc/hubline/k.pem with --tls-key.`;
    const refused = async (...lines: string[]) => {
      const { code, err } = await run('install', ...lines, '--yes');
      expect({ code, called: await called() }).toEqual({ code: 2, called: [] });
      return err;
    };
    const told = await refused(...TLS);
    expect(told).toMatch(
      /--tls-key \/etc\/ssl\/k\.pem cannot be read by the user of the service, hubline: .*ssl\/k\.pem belongs to user \d+ and group \d+, with mode 0600\./,
    );
    expect(told).toContain(makes + give);

    const OTHER = 4_242;
    const gid = process.getgid?.() ?? 0;
    await write('etc/passwd', { text: `root:x:0:0::/:/bin/sh\nhubline:x:${OTHER}:${OTHER}::/:/bin/sh\n` });
    expect(await refused(...TLS)).toContain(`Type: ${give}`);
    await chmod(join(root, 'etc/ssl'), 0o700);
    expect(await refused(...TLS)).toContain('--tls-cert /etc/ssl/c.pem cannot be read');
    await chmod(join(root, 'etc/ssl'), 0o711);
    await write('etc/ssl/k.pem', { mode: 0o640 });
    await chmod(join(root, 'etc/ssl'), 0o700);
    expect(await refused('--tls-cert=/etc/c.pem', '--tls-key=/etc/ssl/k.pem')).toContain(
      '/etc/c.pem does not',
    );
    await write('etc/c.pem');
    expect(await refused('--tls-cert=/etc/c.pem', '--tls-key=/etc/ssl/k.pem')).toContain(copy);

    // The service's user may read the file now: only its text is wrong.
    await chmod(join(root, 'etc/ssl'), 0o711);
    await write('etc/group', { text: `ssl-cert:x:${gid}:postgres,hubline\n` });
    expect(await refused(...TLS)).not.toContain('cannot be read by');
  });

  it.each([
    ['HUBLINE_PUBLIC_URL=ftp://x', 'HUBLINE_PUBLIC_URL must be'],
    ["HUBLINE_PORT='abc'", 'HUBLINE_PORT must be an integer'],
    ['HUBLINE_DATABASE_URL=postgres://x/y\nHUBLINE_BACKUP_EVERY=24h', 'HUBLINE_BACKUP_EVERY backs up SQLite'],
    ['HUBLINE_TLS_CERT=/root/c.pem\nHUBLINE_TLS_KEY=/etc/k.pem', 'HUBLINE_TLS_CERT /root/c.pem is hidden'],
    ['HUBLINE_TLS_CERT=c.pem\nHUBLINE_TLS_KEY=k.pem', 'HUBLINE_TLS_CERT c.pem is not an absolute path'],
    ['HUBLINE_TLS_CERT=/etc/c.pem\nHUBLINE_TLS_KEY=/etc/k.pem', 'HUBLINE_TLS_CERT /'],
    ['HUBLINE_BACKUP_EVERY=1d\nHUBLINE_BACKUP_TO=/root/x', 'HUBLINE_BACKUP_TO /root/x is hidden'],
    ['HUBLINE_BACKUP_EVERY=1d\nHUBLINE_BACKUP_TO="/"', 'HUBLINE_BACKUP_TO / is a system directory'],
    ['HUBLINE_BACKUP_EVERY=1d\nHUBLINE_BACKUP_TO=/var/lib/hubline', 'is the data directory'],
    ['HUBLINE_BACKUP_TO=/mnt/x', 'HUBLINE_BACKUP_TO needs --backup-every'],
    ['HUBLINE_GITHUB_API_URL=github', 'HUBLINE_GITHUB_API_URL must be'],
  ])('with kept settings that its start refuses: %j', async (text, told) => {
    const { root, run, write, called } = await image();
    await write(KEEP, { text: `# Settings\n${text}\n` });
    const { code, err } = await run('install', '--yes');
    expect({ code, err, called: await called() }).toEqual({
      code: 2,
      err: expect.stringContaining(
        `${KEEP} the service would not start: ${told.startsWith('is ') ? '' : told}`,
      ),
      called: [],
    });
    expect(err).toContain(told);
    expect(err).toContain(`\nThen run hubline service install --root ${root} again.`);
  });

  it('with a directory or a link to nowhere in the place of the settings', async () => {
    const { root, run } = await image();
    const file = join(root, KEEP);
    await mkdir(file, { recursive: true });
    const refused = async (told: string) => {
      for (const flags of [[], ['--rate-limit=5']])
        expect(await run('install', '--yes', ...flags)).toMatchObject({
          code: 2,
          err: expect.stringContaining(told),
        });
    };
    await refused(`${file} is a directory or a device, but must be a file.\nMove it away.`);
    await rmdir(file);
    await symlink('nowhere', file);
    await refused(`${file} is a link to nowhere, which is not there`);
  });

  it('with flags that its start refuses, or for a place that is not one', async () => {
    const { root, run } = await image();
    const refused = async (...lines: string[]) => {
      const { code, err } = await run('install', ...lines, '--yes');
      expect(code).toBe(2);
      return err;
    };
    const ofSystem =
      '/ /sys /proc/1 /dev/null /usr/share/x /var/lib /var/lib/private /var/lib/private/hubline /etc/hubline /mnt /run/b /dev/shm/b';
    for (const place of ofSystem.split(' '))
      expect(await refused(`--backup-to=${place}`)).toContain(`--backup-to ${place} is a system directory`);
    expect(await refused('--backup-to=mnt')).toContain('--backup-to /mnt is a system directory');
    expect(await refused('--backup-to=/var/lib/hubline')).toContain('is the data directory');
    expect(await refused('--backup-to=s3://acme/hub')).toMatch(
      /needs AWS_ACCESS_KEY_ID[^]*from \S*\/etc\/hubline\/env[^]*Put all settings there/,
    );
    expect(await refused(`--root=${root}/typo`)).toContain(`--root ${root}/typo is not a directory.`);
    const file = import.meta.filename;
    const here = await runCli(['service', 'install', `--backup-to=${file}`, '--dry-run'], {
      systemRoot: '/',
    });
    // A clone in a home is hidden from the service.
    const told = HIDDEN.test(file) ? 'is hidden from the service' : 'is not a directory.';
    expect(here).toMatchObject({ code: 2, err: expect.stringContaining(`${file} ${told}`) });
    expect(here.err).not.toContain('mkdir');
  });

  it.skipIf(HIDDEN.test(process.execPath))('for a program that only its owner may run', async () => {
    const folder = await visibleFolder();
    const [, script = ''] = process.argv;
    onTestFinished(() => void (process.argv[1] = script));
    process.argv[1] = join(folder, 'bin.cjs');
    await writeFile(process.argv[1], '', { mode: 0o644 });
    const rehearse = () => runCli(['service', 'install', '--dry-run'], { systemRoot: '/' });
    expect(await rehearse()).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /A service cannot run .*: .* with mode 0700, which keeps out its user, hubline/,
      ),
    });
    await chmod(folder, 0o755);
    await chmod(process.argv[1], 0o600);
    expect((await rehearse()).err).toContain(
      `Open it, and run this again: sudo chmod 0755 ${process.argv[1]}`,
    );
    await chmod(process.argv[1], 0o644);
    expect((await rehearse()).err).not.toContain('A service cannot run');
  });
});

it.runIf(onLinux)('a service keeps settings in the syntax of systemd', async () => {
  const { run, write, read } = await image();
  const text =
    "HUBLINE_TLS_CERT=\nHUBLINE_TLS_KEY=''\nHUBLINE_BACKUP_EVERY = 1d\n HUBLINE_BACKUP_TO='/mnt/my 'back\\\nups  \n#HUBLINE_PORT=x\n";
  await write(KEEP, { text });
  expect(await run('install', '--yes')).toMatchObject({ code: 0 });
  expect(await read('etc/systemd/system/hubline.service')).toContain('ReadWritePaths="-/mnt/my backups"');
  expect(await read(KEEP)).toBe(text);
});

it.runIf(onLinux)('settings without effect are warned about, and their values are not shown', async () => {
  const { root, run, write } = await image();
  const text =
    '# one\n; two\nHUBLINE_PROT=80\nexport HUBLINE_MASTER_KEY=hunter2\nHUBLINE_GITHUB_API_URL=https://x.test/\nrubbish\nTZ=UTC\n';
  await write(KEEP, { text });
  const { code, err } = await run('install', '--yes');
  expect(code).toBe(0);
  expect(err).toContain(`HUBLINE_PROT in ${root}${KEEP} is not a server setting. Check its spelling`);
  expect(err).toContain(
    `systemd ignores the line "export HUBLINE_MASTER_KEY=…" of ${root}${KEEP}. Write NAME=value`,
  );
  expect(err).toContain('systemd ignores the line "rubbish"');
  expect(err.match(/Warning/g)).toHaveLength(3);
  expect(err).not.toContain('hunter2');
  await write(KEEP, { text: `\u001b[31mred\n${'x'.repeat(200)}\n`.repeat(3) });
  const { err: ofRubbish } = await run('install', '--yes');
  expect(ofRubbish).toContain(`the line "\\u001b[31mred" of ${root}`);
  expect(ofRubbish).toContain(`the line "${'x'.repeat(60)}…" of ${root}`);
  expect(ofRubbish).toContain(`systemd ignores 3 more lines of ${root}${KEEP}.`);
});

it('variables are read from a file as systemd reads them', () => {
  const text = String.raw`; X=1
A=plain  text ${''}
B="quoted \"x\" \\ \n y" ${''}
 C = 'single \ x' ${''}
D="a" 'b' c"d"
E=line\
 two\ x\\y
export F=1
G=
H=x # no comment
I="two
J=lines"
K=a'b'"c"
L="not ended
M=2`;
  expect(readEnvironmentFile(text)).toEqual({
    A: 'plain  text',
    B: String.raw`quoted "x" \ \n y`,
    C: String.raw`single \ x`,
    D: 'abc"d"',
    E: String.raw`line two x\y`,
    G: '',
    H: 'x # no comment',
    I: 'two\nJ=lines',
    K: `a'b'"c"`,
    L: 'not ended\nM=2',
  });
});
