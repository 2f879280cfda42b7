import { migrateDatabase, parseServerConfig, SCHEMA } from '@hubline/server';
import { chmod, chown, mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as listener, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Interrupted } from '../../errors/errors.ts';
import { OTHER_KEY, programOf, RELEASE_KEY, releaseServer, TARGET } from '../../test/release-server.ts';
import { type RunOptions, runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { version as installed } from '../../about.ts';
import { putInPlace } from './put-in-place.ts';

const OLD_SCHEMA = '0001-initial';

/** A machine with hubline in one file, and a server of releases. */
async function machine() {
  const folder = await temporaryDirectory();
  const path = join(folder, 'hubline');
  await writeFile(path, programOf({ version: installed, schema: SCHEMA }));
  await chmod(path, 0o755);
  const releases = await releaseServer();
  const run = (words: string, { env, ...options }: RunOptions = {}) =>
    runCli(['upgrade', ...words.split(' ').filter(Boolean)], {
      oneFile: { path, releaseKey: RELEASE_KEY },
      env: { HUBLINE_UPGRADE_URL: releases.url, ...env },
      ...options,
    });
  return {
    folder,
    path,
    releases,
    run,
    /** The version in place, as the program itself reports it. */
    inPlace: async () => /"version":"([^"]+)"/.exec(await readFile(path, 'utf8'))?.[1],
    files: async () => (await readdir(folder)).toSorted(),
  };
}

describe.skipIf(process.platform === 'win32')('a program in one file', () => {
  it('is replaced by the newest release, keeps the former, and goes back to it and forward again', async () => {
    const { folder, path, releases, run, inPlace, files } = await machine();
    await releases.publish('9.0.0');
    const { code, out, err } = await run('--json');
    expect({ code, err, out: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      err: '',
      out: {
        installed,
        version: '9.0.0',
        status: 'upgraded',
        date: '2026-12-01',
        file: path,
        previous: `${path}.previous`,
      },
    });
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: '9.0.0',
      files: ['hubline', 'hubline.previous'],
    });
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    expect(releases.asked).toEqual([
      'GET /latest/download/manifest.json',
      'GET /download/v9.0.0/manifest.json',
      'GET /latest/download/manifest.json.sig',
      'GET /download/v9.0.0/manifest.json.sig',
      `GET /download/v9.0.0/hubline-9.0.0-${TARGET}`,
    ]);

    const back = await run('--rollback');
    expect({ code: back.code, out: back.out, version: await inPlace() }).toEqual({
      code: 0,
      out: `✓ Went back from hubline ${installed} to ${installed}; the replaced file is ${folder}/hubline.previous\n`,
      version: installed,
    });
    expect(await run('--rollback')).toMatchObject({ code: 0 });
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: '9.0.0',
      files: ['hubline', 'hubline.previous'],
    });
  });

  it.runIf(process.platform === 'linux')(
    'keeps the capabilities of the former, or says what to type',
    async () => {
      const { folder, path, releases, run } = await machine();
      const bin = join(folder, 'bin');
      await mkdir(bin);
      const script = async (name: string, text: string) => {
        await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
        await chmod(join(bin, name), 0o755);
      };
      const env = { PATH: `${bin}:${process.env['PATH']}` };
      await script('getcap', 'case $1 in *.previous) echo "$1 cap_net_bind_service=ep";; esac');
      await script('setcap', `echo "$*" >> ${bin}/calls`);
      await releases.publish('9.0.0');
      expect(await run('--json', { env })).toMatchObject({ code: 0, err: '' });
      expect(await run('--rollback --json', { env })).toMatchObject({ code: 0, err: '' });
      const line = `cap_net_bind_service=ep ${path}`;
      expect(await readFile(join(bin, 'calls'), 'utf8')).toBe(`${line}\n${line}\n`);

      await script('setcap', 'exit 1');
      expect(await run('--json', { env })).toMatchObject({
        code: 0,
        err: expect.stringContaining(`sudo setcap ${line}`),
      });
      await script('getcap', 'exit 0');
      expect(await run('--rollback --json', { env })).toMatchObject({ code: 0, err: '' });
    },
  );

  it('is left alone by a check, whose exit code says whether there is another version', async () => {
    const { releases, run, inPlace, files } = await machine();
    await releases.publish('9.0.0');
    const look = await run('--check --json=version,status');
    expect({ code: look.code, out: JSON.parse(look.out) as unknown }).toEqual({
      code: 9,
      out: { version: '9.0.0', status: 'available' },
    });
    expect((await run('--check', { tty: true })).out).toContain('hubline 9.0.0 of 2026-12-01 is available');
    expect(await run('--dry-run')).toMatchObject({ code: 0 });
    await releases.publish(installed);
    expect(await run('--check')).toMatchObject({ code: 0 });
    for (const words of ['', '--check'])
      expect(await run(words)).toMatchObject({
        code: 0,
        out: `✓ You have the newest version, ${installed}.\n`,
      });
    expect(await run(`--to=${installed}`)).toMatchObject({
      code: 0,
      out: `✓ You have hubline ${installed} already.\n`,
    });
    // An older release that is shown as the newest has no effect.
    await releases.publish('0.0.1');
    expect(await run('')).toMatchObject({ code: 0 });
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: installed,
      files: ['hubline'],
    });
  });

  it('stays as it is when the release does not match its signature', async () => {
    const { releases, run, inPlace, files } = await machine();
    const program = programOf({ version: '9.0.0', schema: SCHEMA });
    const refused = async (why: string, code = 9, options: RunOptions = {}): Promise<void> => {
      const { code: ended, err } = await run('', options);
      expect({ why, code: ended, err }).toEqual({ why, code, err: expect.stringContaining(why) });
      expect({ version: await inPlace(), files: await files() }).toEqual({
        version: installed,
        files: ['hubline'],
      });
    };
    await releases.publish('9.0.0', { program, served: program.replace('exit 3', 'exit 4') });
    await refused('is not the file that was signed');
    await releases.publish('9.0.0', { program, served: `${program}# and more` });
    await refused('is longer than');
    await releases.publish('9.0.0', { program, served: program.slice(0, -5) });
    await refused('Only ', 7);
    await releases.publish('9.0.0', { program: programOf({ version: '8.0.0' }) });
    await refused('says that it is hubline 8.0.0, not 9.0.0');
    await releases.publish('9.0.0', { program: '#!/bin/sh\necho no such library >&2; exit 127\n' });
    await refused('does not run on this machine: no such library', 7);
    // A user of the single-file program has no docs/.
    await refused('See what it needs: https://', 7);
    await releases.publish('9.0.0', { program: programOf({ version: '9.0.0', sqlite: null }) });
    await refused('SQLite could not be loaded', 7);
    await releases.publish('9.0.0', { says: { files: {} } });
    await refused(`has no file for ${TARGET}`, 4);
    await releases.publish('9.0.0');
    releases.cutOff(`hubline-9.0.0-${TARGET}`);
    await refused('was cut off', 7);
    const oneFile = { path: join(await temporaryDirectory(), 'hubline'), releaseKey: OTHER_KEY };
    await refused('is not that of Hubline', 9, { oneFile });
    const manifest = join(releases.folder, '9.0.0/manifest.json');
    await writeFile(manifest, `${await readFile(manifest, 'utf8')} `);
    await refused('is not that of Hubline');
    releases.lead('7.7.7');
    await refused('There is no release at', 4);
  });

  it('is replaced by a version that is named, and by no other under its name', async () => {
    const { releases, run, inPlace } = await machine();
    await releases.publish('8.0.0');
    await releases.publish('9.0.0');
    expect(await run('--to=8.0.0')).toMatchObject({ code: 0 });
    expect(await inPlace()).toBe('8.0.0');
    expect(await run('--to=7.0.0')).toMatchObject({
      code: 4,
      err: expect.stringContaining('no release 7.0.0'),
    });
    await releases.publish('7.0.0', { says: { version: '9.0.0' } });
    expect(await run('--to=7.0.0')).toMatchObject({
      code: 9,
      err: expect.stringContaining('not that of 7.0.0'),
    });
    expect(await run('--to=newest')).toMatchObject({ code: 2, err: expect.stringContaining('1.2.3') });
    expect(await run('--rollback --check')).toMatchObject({ code: 2 });
  });

  it('is not replaced by an older version that could not open the database', async () => {
    const { folder, path, releases, run, inPlace } = await machine();
    await releases.publish('0.0.9', { schema: SCHEMA });
    await releases.publish('0.0.8', { schema: OLD_SCHEMA });
    const told = `knows no schema step after ${OLD_SCHEMA}`;
    expect(await run('--to=0.0.8')).toMatchObject({ code: 5, err: expect.stringContaining(told) });
    const data = join(folder, 'data');
    await migrateDatabase(parseServerConfig({ data }, {}));
    const newer = { code: 5, err: expect.stringContaining(`has schema step ${SCHEMA}`) };
    expect(await run(`--to=0.0.8 --data=${data}`)).toMatchObject(newer);
    expect(await run('--to=0.0.8', { env: { HUBLINE_DATA: data } })).toMatchObject(newer);
    expect(await inPlace()).toBe(installed);
    expect(await run('--to=0.0.9')).toMatchObject({ code: 0 });
    expect(await inPlace()).toBe('0.0.9');

    // The state after a restore of the backup from before the migrations.
    const database = new DatabaseSync(join(data, 'hubline.db'));
    database.exec(`delete from migrations where name > '${OLD_SCHEMA}'`);
    database.close();
    expect(await run(`--to=0.0.8 --data=${data}`)).toMatchObject({ code: 0 });
    expect(await inPlace()).toBe('0.0.8');

    await writeFile(`${path}.previous`, programOf({ version: '0.0.8', schema: OLD_SCHEMA }), { mode: 0o755 });
    expect(await run('--rollback')).toMatchObject({
      code: 5,
      err: expect.stringContaining('server restore'),
    });
    expect(await run(`--rollback --data=${data}`)).toMatchObject({ code: 0 });
  });

  it('says why it cannot go back to a program that is broken', async () => {
    const { path, run, inPlace } = await machine();
    const previous = `${path}.previous`;
    const broken: [string, number, string][] = [
      ['#!/bin/sh\n', 0o755, 'it does not say its version'],
      ['#!/bin/sh\necho {}\n', 0o755, 'it does not say its version'],
      ['#!/bin/sh\nexit 3\n', 0o755, 'it ended with exit code 3 and printed nothing'],
      ['#!/bin/sh\nkill -BUS $$\n', 0o755, 'it was ended by SIGBUS and printed nothing'],
      ['#!/nonexistent/sh\n', 0o755, 'there is no such file or directory'],
      ['#!/bin/sh\n', 0o644, 'permission is denied'],
    ];
    for (const [program, mode, reason] of broken) {
      await writeFile(previous, program);
      await chmod(previous, mode);
      const { code, err } = await run('--rollback');
      const told = `Error: ${previous} does not run on this machine: ${reason}.\nNothing was changed. Name the version instead: hubline upgrade --to <version>\n`;
      expect({ program, code, err }).toEqual({ program, code: 7, err: told });
    }
    expect(await inPlace()).toBe(installed);
  });

  it('gives up on a program that hangs when it is tried, and says what it waits for', async () => {
    const { path, folder, releases, run, inPlace, files } = await machine();
    // The limit is for the program alone: on a busy machine, a download may take longer.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // A program that prints its process ID, so that the test sees it end.
    const hanging = `#!/bin/sh\ntrap '' TERM\necho $$ > ${folder}/pid\nexec sleep 100\n`;
    const givesUp = async (words: string, tried: string): Promise<void> => {
      const { code, err } = await run(`${words} --timeout=500ms`, {
        tty: true,
        columns: 200,
        env: { NO_COLOR: '1' },
      });
      expect({ code, err }).toEqual({
        code: 7,
        err: expect.stringMatching(
          new RegExp(
            `trying ${tried} …[^]*Error: ${tried} was tried and did not respond within 0.5 s.\nNothing was changed. .*--timeout`,
          ),
        ),
      });
      const pid = await readFile(join(folder, 'pid'), 'utf8').catch(
        () => 'it was killed before it could say',
      );
      await rm(join(folder, 'pid'), { force: true });
      if (Number(pid) > 0) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    };
    await releases.publish('9.0.0', { program: hanging });
    await givesUp('', `${path}.new`);
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: installed,
      files: ['hubline'],
    });
    await writeFile(`${path}.previous`, hanging, { mode: 0o755 });
    await givesUp('--rollback', `${path}.previous`);
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: installed,
      files: ['hubline', 'hubline.previous'],
    });
  });

  it.runIf(process.getuid?.() === 0)(
    'goes back where the directory is this user’s and the programs are root’s',
    async () => {
      const NOBODY = 65_534;
      const { folder, path, inPlace } = await machine();
      const previous = `${path}.previous`;
      await writeFile(previous, programOf({ version: '0.0.1', schema: SCHEMA }), { mode: 0o755 });
      await chmod(previous, 0o755);
      await chown(folder, NOBODY, NOBODY);
      const asNobody = async () => {
        process.seteuid?.(NOBODY);
        try {
          await putInPlace(previous, path);
        } finally {
          process.seteuid?.(0);
        }
      };
      await asNobody();
      expect(await inPlace()).toBe('0.0.1');
    },
  );

  it('says that there is nothing to go back to', async () => {
    const { run } = await machine();
    expect(await run('--rollback')).toMatchObject({
      code: 4,
      err: expect.stringContaining('--to <version>'),
    });
  });

  it('says where it may not write before it downloads, and leaves another upgrade alone', async () => {
    const { folder, path, releases, run } = await machine();
    await releases.publish('9.0.0');
    // There is no folder below a file, not even for root.
    const oneFile = { path: join(path, 'hubline'), releaseKey: RELEASE_KEY };
    const { code, err } = await run('', { oneFile });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`${path} cannot be written`) });
    expect(err).toContain('sudo');
    const partial = join(folder, 'hubline.new');
    await writeFile(partial, 'half');
    expect(await run('')).toMatchObject({ code: 5, err: expect.stringContaining('under way') });
    expect(releases.asked.filter((line) => line.includes(TARGET))).toEqual([]);
    await utimes(partial, 0, 0);
    expect(await run('')).toMatchObject({ code: 0 });
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { releases, run, inPlace, files } = await machine();
    const stopping = new AbortController();
    releases.onFile = () => stopping.abort(new Interrupted('SIGINT'));
    await releases.publish('9.0.0');
    expect(await run('', { signal: stopping.signal })).toMatchObject({ code: 130, out: '' });
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: installed,
      files: ['hubline'],
    });
  });

  it('goes through the proxy of the environment', async () => {
    const { run } = await machine();
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void proxy.close());
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { HTTPS_PROXY, HUBLINE_UPGRADE_URL: 'https://releases.example.com' };
    expect(await run('--check', { env })).toMatchObject({ code: 7 });
    expect(asked).toEqual(['releases.example.com:443']);
  });

  it('names the setting of a source of releases that is away, silent, or something else', async () => {
    const { run, inPlace, files } = await machine();
    const place = async (take: (socket: Socket) => void): Promise<string> => {
      const sockets = new Set<Socket>();
      const server = listener((socket) => {
        sockets.add(socket.on('error', () => undefined));
        take(socket);
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';
    const away = 'http://127.0.0.1:1';
    const late = /did not respond in time\.\n.*--timeout/;
    const moved = `HTTP/1.1 302 Found\r\nlocation: ${away}/\r\ncontent-length: 0\r\n\r\n`;
    const broken: [string, RegExp, string?][] = [
      [away, /Nothing responds at .*:1\./],
      [await place((socket) => socket.once('data', () => socket.destroy())), /closed the connection/],
      [await place((socket) => socket.end('220 mail.example.com\r\n')), /does not speak HTTP/],
      [await place((socket) => socket.end(moved)), /Nothing responds at .*:1\./],
      [await place(() => undefined), late, '--timeout=300ms'],
      [await place((socket) => socket.write(head)), late, '--timeout=300ms'],
    ];
    for (const [url, told, limit = ''] of broken) {
      const { code, err } = await run(`--check ${limit}`, { env: { HUBLINE_UPGRADE_URL: url } });
      expect({ code, err }).toEqual({ code: 7, err: expect.stringMatching(told) });
      expect(err).toContain('HUBLINE_UPGRADE_URL names this source of releases');
      expect(err).not.toMatch(/server start|looks like a bug/);
    }
    const slow = await place((socket) => socket.write(`${head}half`));
    expect(await run('--timeout=300ms', { env: { HUBLINE_UPGRADE_URL: slow } })).toMatchObject({
      code: 7,
      err: expect.stringContaining('took longer than 0.3 s'),
    });
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: installed,
      files: ['hubline'],
    });
  });

  it('takes releases from this machine or by TLS only', async () => {
    const { run } = await machine();
    const env = { HUBLINE_UPGRADE_URL: 'http://releases.example.com' };
    expect(await run('', { env })).toMatchObject({ code: 2, err: expect.stringContaining('https://') });
    // A name alone means https://, and there is no such machine.
    const nowhere = await run('', { env: { HUBLINE_UPGRADE_URL: 'releases.invalid' } });
    expect(nowhere.err).not.toContain('looks like a bug');
  });

  it('takes a folder of releases without ? and #, and tells nobody its password', async () => {
    const { run, releases } = await machine();
    const { host } = new URL(releases.url);
    const ask = (url: string) => run('--check', { env: { HUBLINE_UPGRADE_URL: url } });
    for (const url of [`${releases.url}/a?b=c`, `${releases.url}/a#b`, `http://u:hunt/er2@${host}`])
      expect(await ask(url)).toMatchObject({ code: 2, err: expect.stringContaining('without ? and #') });
    // The folder belongs to another server, which answers with 400.
    const away = await ask(`http://user:hunter2@${host}/hub`);
    expect(away).toMatchObject({ code: 7, err: expect.stringContaining(`//…@${host}/hub/latest`) });
    const refused = await ask(`http://user:hunter2@releases.example.com/`);
    expect(refused.code).toBe(2);
    expect(away.err + refused.err).not.toContain('hunter2');
    expect(releases.asked).toHaveLength(1);
  });

  it('keeps its mode, and under root its owner', async () => {
    const { path, releases, run } = await machine();
    await chmod(path, 0o711);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(path, 65_534, 65_534);
    const before = await stat(path);
    await releases.publish('9.0.0');
    expect(await run('')).toMatchObject({ code: 0 });
    const { mode, uid, gid } = await stat(path);
    expect({ mode: mode & 0o777, uid, gid }).toEqual({ mode: 0o711, uid: before.uid, gid: before.gid });
  });

  it('is renamed away on Windows, which does not replace what runs', async () => {
    const { folder, path, inPlace, files } = await machine();
    const fresh = join(folder, 'fresh');
    await writeFile(fresh, programOf({ version: '9.0.0' }));
    await putInPlace(fresh, path, 'win32');
    expect({ version: await inPlace(), files: await files() }).toEqual({
      version: '9.0.0',
      files: ['hubline', 'hubline.previous'],
    });
    await expect(putInPlace(join(folder, 'gone'), path, 'win32')).rejects.toThrow('cannot be replaced');
    expect(await inPlace()).toBe('9.0.0');
  });
});

it.each([
  ['hubline', undefined, 'npm install --global hubline@9.0.0'],
  ['npx hubline', undefined, 'npx hubline@9.0.0'],
  ['npx -y pnpm@12 --silent hubline', undefined, 'git pull'],
  [
    'hubline',
    { path: '/nonexistent/hubline', releaseKey: '' },
    'replace /nonexistent/hubline with the new file',
  ],
])('says what to type where %s cannot replace itself', async (program, oneFile, cure) => {
  const { code, err } = await runCli(['upgrade', '--to=9.0.0'], { program, ...(oneFile && { oneFile }) });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(cure) });
});

it.skipIf(process.platform === 'win32')(
  'goes back without the key of releases: nothing is downloaded',
  async () => {
    const { path, run, inPlace } = await machine();
    const oneFile = { path, releaseKey: '' };
    expect(await run('--rollback', { oneFile })).toMatchObject({
      code: 4,
      err: expect.stringContaining(`cp ${path} ${path}.previous`),
    });
    await writeFile(`${path}.previous`, programOf({ version: '0.0.1', schema: SCHEMA }));
    await chmod(`${path}.previous`, 0o755);
    expect(await run('--rollback', { oneFile })).toMatchObject({ code: 0 });
    expect(await inPlace()).toBe('0.0.1');
  },
);

describe('the note about a newer version', () => {
  const DAY = 86_400_000;
  const NOW = Date.parse('2026-12-01T12:00:00Z');
  const oneFile = { path: '/nonexistent/hubline', releaseKey: RELEASE_KEY };

  async function terminal() {
    const cache = join(await temporaryDirectory(), 'cache');
    const background: (readonly string[])[] = [];
    const run = (words: string, options: RunOptions = {}) =>
      runCli(words.split(' '), { tty: true, cache, background, oneFile, now: NOW, ...options });
    const noted = async (words: string, options: RunOptions = {}) =>
      (await run(words, options)).err.includes('Install it: hubline upgrade');
    return { cache, background, run, noted };
  }

  it('comes once a day from the result of an earlier check, which no command waits for', async () => {
    const releases = await releaseServer();
    await releases.publish('9.0.0');
    const { background, run, noted } = await terminal();
    const env = { HUBLINE_UPGRADE_URL: releases.url };
    expect(await noted('version')).toBe(false);
    expect(background).toEqual([['upgrade', '--check', '--quiet', '--timeout=5s']]);
    // That process has no terminal.
    expect(await run((background[0] ?? []).join(' '), { tty: false, env })).toMatchObject({ code: 9 });

    expect(await noted('version', { now: NOW + DAY - 1 })).toBe(false);
    expect(await noted('version', { now: NOW + DAY })).toBe(true);
    expect(await noted('version', { now: NOW + DAY + 1 })).toBe(false);
    expect(await noted('version', { now: NOW + 2 * DAY })).toBe(true);
    expect(background).toHaveLength(3);
  });

  it('never comes in scripts, nor where it is switched off or of no use', async () => {
    const { cache, background, noted } = await terminal();
    await mkdir(cache);
    const know = (version: string) => writeFile(join(cache, 'latest-version'), version);
    await know('9.0.0');
    const silent: [string, RunOptions][] = [
      ['version', { tty: false }],
      ['version', { env: { CI: 'true' } }],
      ['version', { env: { HUBLINE_NO_UPDATE_NOTICE: '1' } }],
      ['version', { env: { HUBLINE_NO_INPUT: '1' } }],
      ['version --json', {}],
      ['version -q', {}],
      ['version', { oneFile: { ...oneFile, releaseKey: '' } }],
    ];
    for (const [words, options] of silent)
      expect([words, options, await noted(words, options)]).toEqual([words, options, false]);
    const npm = await runCli(['version'], { tty: true, cache, background, now: NOW });
    expect({ err: npm.err, background }).toEqual({ err: '', background: [] });
    await know(installed);
    expect(await noted('version')).toBe(false);
    await know('nonsense');
    expect(await noted('version', { now: NOW + DAY })).toBe(false);
    await know('9.0.0');
    expect(await noted('version', { now: NOW + 2 * DAY })).toBe(true);
  });

  it('never comes if its time cannot be stored', async () => {
    const { background } = await terminal();
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    for (const cache of [{}, { cache: join(file, 'cache') }])
      expect(await runCli(['version'], { tty: true, background, oneFile, now: NOW, ...cache })).toMatchObject(
        { code: 0, err: '' },
      );
    expect(background).toEqual([]);
  });
});
