import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { unwrap } from '@hubline/webhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../cli/package.json' with { type: 'json' };
import { programOf, RELEASE_KEY, releaseServer, SIGNING_KEY } from '../../cli/src/test/release-server.ts';
import { HOST } from '../scripts/targets.ts';
import { canContain, Container, librariesOf } from './support/container.ts';
import { deb, type Image, ImageBuilder } from './support/image-builder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const file = join(root, 'dist', HOST, 'hubline');
/** The only folder that the program gets: it has nothing of this clone, and no Node. */
const home = mkdtempSync(join(tmpdir(), 'hubline-binary-'));
const env = { HOME: home, TMPDIR: home, PATH: '', HUBLINE_KEYCHAIN: 'off' };
const hubline = (args: readonly string[], more: Record<string, string> = {}) =>
  run(file, [...args], { cwd: home, env: { ...env, ...more } });

beforeAll(async () => {
  await run(process.execPath, ['--conditions=hubline-source', join(root, 'scripts/build.ts')], {
    env: { ...process.env, HUBLINE_RELEASE_PUBLIC_KEY: RELEASE_KEY },
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('is one file that holds the command line', async () => {
  expect((await hubline(['--version'])).stdout).toBe(`${manifest.version}\n`);
  expect((await hubline(['--help'])).stdout).toContain('hubline <noun> <verb>');
});

it('names its build, so that files of two builds are not released together', () => {
  const id = readFileSync(join(root, 'dist/build-id'));
  expect(id.toString()).toMatch(/^hubline-build [0-9a-f]{64}\n$/);
  expect(readFileSync(file).includes(id)).toBe(true);
});

it('runs for a user who may run but not read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hubline-unreadable-'));
  try {
    const unreadable = join(folder, 'hubline');
    copyFileSync(file, unreadable);
    chmodSync(folder, 0o755);
    chmodSync(unreadable, 0o111);
    // Root may read everything.
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const { stdout } = await run(unreadable, ['server', 'start', '--help'], { env, cwd: folder, ...user });
    expect(stdout).toContain('hubline server start');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('has no crash points', () => {
  expect(readFileSync(join(root, 'dist/parts/server.js'), 'utf8')).not.toMatch(
    /HUBLINE_CRASH_AT|chaos\.reach/,
  );
});

it('holds code compiled for its flags: the code that a server start loads, and none that is used later', async () => {
  const { execArgv } = JSON.parse(readFileSync(join(root, 'dist', HOST, 'sea.json'), 'utf8')) as {
    execArgv: string[];
  };
  const compiled = join(root, 'dist', HOST, 'compiled');
  const isRejected = (pack: string) => {
    const [text, cachedData] = [join(root, `dist/parts/${pack}.js`), join(compiled, `${pack}.compiled`)];
    const script = `new vm.Script(fs.readFileSync(${JSON.stringify(text)}, 'latin1'), { cachedData: fs.readFileSync(${JSON.stringify(cachedData)}) })`;
    return run(process.execPath, [...execArgv, '-p', `${script}.cachedDataRejected`]);
  };
  for (const pack of ['first', 'command', 'thread', 'server'])
    expect((await isRejected(pack)).stdout).toBe('false\n');
  expect(readdirSync(compiled)).not.toContainEqual(
    expect.stringMatching(/connection-pool|nodemailer|postgres/),
  );
});

it('holds the server with its dashboard, reference, senders and jq, and leaves nothing in the temporary folder', async () => {
  const calls: { headers: Record<string, string>; body: Buffer }[] = [];
  const receiver = createServer((request, response) => {
    void buffer(request).then((body) => {
      calls.push({ headers: request.headers as Record<string, string>, body });
      return response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const owner = ['--email', 'ada@example.com', '--name', 'Acme', '--slug', 'acme'];
  const made = await hubline(['server', 'bootstrap', '--data', 'data', ...owner, '--json']);
  const { api_key: key, workspace_id: workspace } = JSON.parse(made.stdout) as Record<string, string>;
  const flags = ['--data', 'data', '--port', '0', '--allow-http-localhost', '--senders', '1', '--json'];
  const backups = ['--backup-every', '24h', '--backup-to', 'backups'];
  mkdirSync(join(home, 'backups'));
  const served = join(home, 'served');
  copyFileSync(file, served);
  const server = spawn(served, ['server', 'start', ...flags, ...backups], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url, base_url: baseUrl } = JSON.parse(line) as { url: string; base_url: string };
    // An upgrade replaces the file like this. Code that is loaded from here on still comes from the file that runs.
    writeFileSync(`${served}.new`, 'another program');
    renameSync(`${served}.new`, served);
    const page = await (await fetch(url, { headers: { Accept: 'text/html' } })).text();
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript');
    expect(await (await fetch(`${baseUrl}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' });
    const notices = await (await fetch(new URL('/THIRD-PARTY-NOTICES.txt', baseUrl))).text();
    for (const each of [
      'Node.js',
      'better-sqlite3',
      'koffi',
      'jq-web',
      'hono',
      'yaml',
      'preact',
      'SIL OPEN FONT',
      'octokit',
    ])
      expect(notices).toContain(each);

    const client = {
      HUBLINE_BASE_URL: baseUrl,
      HUBLINE_API_KEY: String(key),
      HUBLINE_WORKSPACE: String(workspace),
    };
    const providers = await fetch(`${baseUrl}/integrations`, { headers: { Authorization: `Bearer ${key}` } });
    expect(((await providers.json()) as { data: object[] }).data).toContainEqual(
      expect.objectContaining({
        provider: 'github',
        methods: [
          expect.objectContaining({
            credentials: expect.arrayContaining([
              expect.objectContaining({ secret: true, description: expect.stringMatching(/\w/) }),
            ]),
          }),
        ],
      }),
    );
    const port = (receiver.address() as AddressInfo).port;
    const hook = ['--url', `http://127.0.0.1:${port}/hook`, '--trigger', '*', '--secret-file', 'secret'];
    writeFileSync(join(home, 'secret'), 'shared-secret');
    await hubline(['webhook', 'create', ...hook], client);
    const published = await hubline(['event', 'publish', '--type', 'deploy', '--jq', '.event_id'], client);
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBe(1);
    const [call] = calls;
    const event = await unwrap(call as never, { secret: 'shared-secret' });
    expect(event).toMatchObject({ data: { event_id: published.stdout.trim() } });

    // A long call is read by a thread that starts only now.
    const credentials = { verification: 'none' };
    const connected = await fetch(`${baseUrl}/integrations/connect`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ provider: 'custom', workspace_id: workspace, credentials }),
    });
    const { ingest } = (await connected.json()) as { ingest: { url: string } };
    const long = { method: 'POST', body: JSON.stringify({ text: 'x'.repeat(300_000) }) };
    expect(await (await fetch(ingest.url, long)).json()).toMatchObject({ status: 'accepted' });
    // A backup is complete once it has its manifest.
    const manifests = () => readdirSync(join(home, 'backups')).filter((name) => name.endsWith('.db.json'));
    await expect.poll(manifests, { timeout: 60_000 }).toHaveLength(1);
    const verified = await hubline([
      'backup',
      'verify',
      'latest',
      '--backup-to',
      'backups',
      '--data',
      'data',
    ]);
    expect(verified.stderr + verified.stdout).toContain('the master key opens it');
    expect(readdirSync(home).filter((name) => name.startsWith('hubline-'))).toEqual([]);
  } finally {
    server.kill('SIGTERM');
    receiver.close();
  }
  expect((await once(server, 'exit'))[0]).toBe(0);
});

it.runIf(process.platform === 'linux')(
  'bounds its memory without starting again, and leaves a setting of the caller alone',
  async () => {
    const koffi = async (more: Record<string, string>) => {
      const server = spawn(file, ['server', 'start', '--data', 'bounded', '--port', '0', '--json'], {
        cwd: home,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(server.stdout, 'data');
      const [maps, environ] = ['maps', 'environ'].map((name) =>
        readFileSync(`/proc/${server.pid}/${name}`, 'utf8'),
      );
      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
      return { isLoaded: maps?.includes('/koffi.node'), variable: /MALLOC_\w+=\d+/.exec(environ ?? '')?.[0] };
    };
    expect(await koffi({})).toEqual({ isLoaded: true });
    const variable = 'MALLOC_MMAP_THRESHOLD_=65536';
    expect(await koffi({ MALLOC_MMAP_THRESHOLD_: '65536' })).toEqual({ isLoaded: false, variable });
  },
);

it('has one SQLite for all of its threads: an event acknowledged after a backup survives kill -9', async () => {
  const owner = ['--email', 'ada@example.com', '--name', 'Acme', '--slug', 'acme'];
  const made = await hubline(['server', 'bootstrap', '--data', 'killed', ...owner, '--json']);
  const { api_key: key, workspace_id: workspace } = JSON.parse(made.stdout) as Record<string, string>;
  mkdirSync(join(home, 'copies'));
  const flags = [
    '--data',
    'killed',
    '--port',
    '0',
    '--backup-every',
    '24h',
    '--backup-to',
    'copies',
    '--json',
  ];
  const start = async () => {
    const server = spawn(file, ['server', 'start', ...flags], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { base_url: baseUrl } = JSON.parse(line) as { base_url: string };
    const client = {
      HUBLINE_BASE_URL: baseUrl,
      HUBLINE_API_KEY: String(key),
      HUBLINE_WORKSPACE: String(workspace),
    };
    const end = async (signal: NodeJS.Signals) => {
      server.kill(signal);
      return once(server, 'exit');
    };
    return { client, end };
  };
  const first = await start();
  const backups = () => readdirSync(join(home, 'copies')).filter((name) => name.endsWith('.db.json'));
  await expect.poll(backups, { timeout: 60_000 }).toHaveLength(1);
  // A second SQLite would have removed it, with everything that is written from here on.
  expect(readdirSync(join(home, 'killed'))).toContain('hubline.db-wal');
  const published = await hubline(
    ['event', 'publish', '--type', 'deploy', '--jq', '.event_id'],
    first.client,
  );
  await first.end('SIGKILL');
  const second = await start();
  const listed = await hubline(['event', 'list', '--jq', '.[].event_id'], second.client);
  expect(listed.stdout).toBe(published.stdout);
  expect(await second.end('SIGTERM')).toEqual([0, null]);
});

it.runIf(canContain)(
  'serves requests in a container, as its own user, with a read-only root and one volume',
  async () => {
    using builder = new ImageBuilder();
    builder.putProgram(HOST, 'a stand-in for the program');
    await builder.build({ amd64: [builder.put('libraries.deb', await deb(await librariesOf(file)))] });
    const container = await Container.of(builder, builder.built().images['amd64'] as Image);
    container.exchangeProgram(file);
    const { server, url, base_url: baseUrl } = await container.serve('--senders', '1');
    try {
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok' });
      expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\t10001\t10001\t/m);
      expect(readdirSync(container.volume)).toContain('hubline.db');
      expect(await container.health(baseUrl)).toBe(0);
      expect(await container.health('http://127.0.0.1:9/v1')).toBe(9);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await once(server, 'exit')).toEqual([0, null]);
  },
);

it('says what to do if no folder allows a file to run', async () => {
  // A file cannot hold another file, not even for root.
  const nowhere = { TMPDIR: file, XDG_RUNTIME_DIR: file, HOME: file };
  const bootstrap = ['server', 'bootstrap', '--email', 'a@example.com'];
  await expect(hubline([...bootstrap, '--yes'], nowhere)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Set TMPDIR to one that does.*: not a directory(?!.*looks like a bug)/s),
  });
  // In a container, the data directory may be the only writable one.
  const data = join(home, 'other');
  await hubline([...bootstrap, '--data', data], nowhere);
  await hubline(['server', 'rotate-key', '--yes'], { ...nowhere, HUBLINE_DATA: data });
});

it('knows the releases that are signed for it, and is replaced by a newer one', async () => {
  const folder = join(home, 'bin');
  mkdirSync(folder);
  const installed = join(folder, 'hubline');
  copyFileSync(file, installed);
  const releases = await releaseServer();
  const upgrade = (...words: string[]) =>
    run(installed, ['upgrade', ...words], {
      cwd: home,
      env: { ...env, PATH: '/bin:/usr/bin', HUBLINE_UPGRADE_URL: releases.url },
    });
  const { version } = manifest;

  await run(process.execPath, [join(root, 'scripts/release/sign-release.ts'), '--target', HOST], {
    env: { ...process.env, HUBLINE_RELEASE_PRIVATE_KEY: SIGNING_KEY },
  });
  cpSync(join(root, 'dist/release'), join(releases.folder, version), { recursive: true });
  releases.lead(version);
  const status = await upgrade('--check', '--json=version,status');
  expect(JSON.parse(status.stdout)).toEqual({ version, status: 'current' });

  // The program runs, and its database fits, but it is not that version.
  await releases.publish('9.0.0', { program: readFileSync(file) });
  await expect(upgrade()).rejects.toMatchObject({
    code: 9,
    stderr: expect.stringContaining(`says that it is hubline ${version}, not 9.0.0`),
  });
  await releases.publish('9.0.0', { program: programOf({ version: '9.0.0' }) });
  const nobody = {
    uid: 65_534,
    gid: 65_534,
    env: { ...env, TMPDIR: '/tmp', HUBLINE_UPGRADE_URL: releases.url },
  };
  chmodSync(home, 0o755);
  if (process.getuid?.() === 0)
    await expect(run(installed, ['upgrade'], { cwd: '/', ...nobody })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${folder} cannot be written, permission is denied`),
    });
  expect((await upgrade('--json=version,status')).stdout).toBe('{"version":"9.0.0","status":"upgraded"}\n');
  expect(readFileSync(installed, 'utf8')).toBe(programOf({ version: '9.0.0' }));
  expect((await run(`${installed}.previous`, ['--version'], { env })).stdout).toBe(`${version}\n`);
  expect(readdirSync(folder).toSorted()).toEqual(['hubline', 'hubline.previous']);
});

/** Reports whether a process of the file is checking for a newer version. */
function isChecking(): boolean {
  const line = `${file}\0upgrade\0--check`;
  return readdirSync('/proc').some((entry) => {
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'utf8').startsWith(line);
    } catch {
      return false;
    }
  });
}

it.skipIf(process.platform !== 'linux' || spawnSync('script', ['--version']).error)(
  'checks for a newer version in a separate process when a person uses it, and announces it on another day',
  async () => {
    const releases = await releaseServer();
    await releases.publish('9.0.0');
    const cache = join(home, 'cache');
    const at = { ...env, XDG_CACHE_HOME: cache, HUBLINE_UPGRADE_URL: releases.url };
    const onTerminal = () =>
      run('/usr/bin/script', ['-qec', `${file} config path`, '/dev/null'], { cwd: home, env: at });
    expect((await onTerminal()).stdout).not.toContain('9.0.0');
    const known = join(cache, 'hubline/latest-version');
    await expect
      .poll(() => existsSync(known) && readFileSync(known, 'utf8'), { timeout: 60_000 })
      .toBe('9.0.0');
    expect((await onTerminal()).stdout).not.toContain('9.0.0');
    writeFileSync(join(cache, 'hubline/notice-of-upgrade'), '0');
    expect((await onTerminal()).stdout).toContain('hubline 9.0.0 is available');
    // It keeps compiled code when it ends.
    await expect.poll(isChecking, { timeout: 60_000 }).toBe(false);
  },
);
