import { startTestServer } from '@hubline/server/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { startReceiver } from '../../test/receiver.ts';
import { SERVER_FLAGS } from './flags.ts';
import { expectSentence } from '../../test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { serve } from '../../test/serve.ts';
import { PATIENT, spawnCli } from '../../../test/support/spawn-cli.ts';

/** A server in its own process, for tests of its signals and its log. */
async function started(line: string[] = [], env: Record<string, string> = {}) {
  const data = join(await temporaryDirectory(), 'data');
  const server = spawnCli(['server', 'start', '--port=0', `--data=${data}`, ...line], env);
  await vi.waitUntil(() => server.read.out.includes('\n') || server.child.exitCode !== null, PATIENT);
  return { ...server, data };
}

describe('server start', () => {
  it('prints one line of JSON once it answers, and on SIGTERM drains and exits with 0', async () => {
    const { child, read, ended, data } = await started(['--json']);
    const [first = ''] = read.out.split('\n');
    const { url, base_url, pid, ...more } = JSON.parse(first) as Record<string, string>;
    expect({ base_url, pid, more }).toEqual({ base_url: `${url}/v1`, pid: child.pid, more: {} });

    const bootstrap = ['server', 'bootstrap', `--data=${data}`, '--email=ana@acme.test', '--json'];
    const boot = await runCli([...bootstrap, '--name=Acme', '--slug=acme']);
    expect(boot).toMatchObject({ code: 0, err: '' });
    const { api_key: key = '', ...owner } = JSON.parse(boot.out) as Record<string, string>;
    expect(Object.keys(owner)).toEqual(['user_id', 'workspace_id']);
    const env = { HUBLINE_BASE_URL: base_url ?? '', HUBLINE_API_KEY: key };
    expect(await runCli(['workspace', 'get', '--json=slug'], { env })).toMatchObject({
      code: 0,
      out: '{"slug":"acme"}\n',
    });

    expect(await runCli(bootstrap)).toMatchObject({ code: 5, out: '' });
    const another = await runCli([...bootstrap.slice(0, -1), '--new-key']);
    expect(another.out).toContain(`Created a key for ${owner['user_id']}. It is shown only now:`);
    expect(await runCli(['server', 'setup-link', `--data=${data}`])).toMatchObject({ code: 5, out: '' });

    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'runs with memory settings that have to be set at start, and keeps those of the caller',
    async () => {
      const settings = async (env: Record<string, string>) => {
        const { child, read } = await started(['--json'], env);
        expect(JSON.parse(read.out)).toMatchObject({ pid: child.pid });
        const file = async (name: string) =>
          (await readFile(`/proc/${child.pid}/${name}`, 'utf8')).split('\0');
        return [
          (await file('environ')).filter((entry) => entry.startsWith('MALLOC_')),
          (await file('cmdline')).filter((entry) => entry.startsWith('--max-semi')),
        ];
      };
      expect(await settings({})).toEqual([['MALLOC_MMAP_THRESHOLD_=131072'], ['--max-semi-space-size=16']]);
      const option = { NODE_OPTIONS: '--max-semi-space-size=64' };
      expect(await settings(option)).toEqual([['MALLOC_MMAP_THRESHOLD_=131072'], []]);
      const variable = { MALLOC_MMAP_THRESHOLD_: '65536' };
      expect(await settings(variable)).toEqual([
        ['MALLOC_MMAP_THRESHOLD_=65536'],
        ['--max-semi-space-size=16'],
      ]);
    },
    PATIENT.timeout,
  );

  it(
    'starts where a sandbox hides the addresses of the machine, as the unit of the service does',
    async () => {
      const preload = join(await temporaryDirectory(), 'sandbox.mjs');
      const hidden = `os.networkInterfaces = () => { throw new Error('planted'); }; syncBuiltinESMExports();`;
      await writeFile(
        preload,
        `import { syncBuiltinESMExports } from 'node:module'; import os from 'node:os'; ${hidden}`,
      );
      const { child, read, ended } = await started(['--json'], { NODE_OPTIONS: `--import=${preload}` });
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 0 });
      expect(JSON.parse(read.out)).toMatchObject({ url: expect.stringContaining('http://127.0.0.1:') });
    },
    PATIENT.timeout,
  );

  it.each([
    ['an unhandled rejection', 'Promise.reject(new Error("planted"))'],
    ['an uncaught error', 'setImmediate(() => { throw new Error("planted"); })'],
  ])(
    'shuts down in order after %s, with exit code 1 and the stack in its log',
    async (_what, bug) => {
      const preload = join(await temporaryDirectory(), 'bug.mjs');
      await writeFile(preload, `process.on('SIGUSR2', () => { ${bug}; });`);
      const { child, read, ended } = await started(['--json', '--log-format=json'], {
        NODE_OPTIONS: `--import=${preload}`,
      });
      const { url } = JSON.parse(read.out) as { url: string };

      // A request that is under way is answered before the end.
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      const answer = text(socket);
      socket.write(
        'POST /session HTTP/1.1\r\nHost: hub\r\nX-Hubline-Dashboard: 1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
      );
      await once(socket, 'data');
      child.kill('SIGUSR2');
      await vi.waitUntil(() => read.err.includes('planted'), PATIENT);
      socket.write('{}');
      expect(await answer).toMatch(/HTTP\/1\.1 400 /);

      const { code, err } = await ended;
      expect(code).toBe(1);
      const lines = err.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: 50,
          err: expect.objectContaining({ message: 'planted', stack: expect.stringContaining('bug.mjs') }),
        }),
      );
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'stopped' }));
      expect(lines.at(-1)).toMatchObject({ error: { code: 'failure', exit_code: 1 } });
    },
    PATIENT.timeout,
  );

  it('lets people log in to the dashboard with the password that set-password gives them', async () => {
    await using server = await startTestServer();
    const storage = [`--data=${server.data}`];
    const set = (email: string, password: string) =>
      runCli(['server', 'set-password', email, '--password-file=-', ...storage], { stdin: password });
    const logIn = async (password: string) => {
      const { status } = await fetch(`${server.url}/session`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Hubline-Dashboard': '1',
          'Sec-Fetch-Site': 'same-origin',
        },
        body: JSON.stringify({ email: 'owner@example.com', password }),
      });
      return status;
    };
    expect(await logIn('correct horse battery')).toBe(401);
    const { code, err } = await set('owner@example.com', 'correct horse battery\n');
    expect([code, err]).toEqual([0, '']);
    expect(await logIn('correct horse battery')).toBe(200);
    expect(await set('owner@example.com', 'short')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('The password must have at least 12 characters.'),
    });
    expect(await set('nobody@example.com', 'correct horse battery')).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('Name an existing user, such as owner@example.com.'),
    });
    const twice = await runCli(['server', 'set-password', 'owner@example.com', ...storage], {
      answers: ['one two three four', 'one two three five'],
      tty: true,
    });
    expect(twice).toMatchObject({ code: 2, err: expect.stringContaining('The two passwords differ.') });
    expect(await logIn('correct horse battery')).toBe(200);
  });

  it('leads from set-password on a server without users to the setup link', async () => {
    const { child, ended, data } = await started();
    const line = ['server', 'set-password', 'ana@acme.test', '--password-file=-', `--data=${data}`];
    expect(await runCli(line, { stdin: 'correct horse battery' })).toMatchObject({
      code: 4,
      err: expect.stringContaining(
        `create the first one with the link that hubline server setup-link --data ${data} prints`,
      ),
    });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });

  it('shows its address and the one-time setup link to people, and exits with 0 on Ctrl-C', async () => {
    const { child, ended } = await started();
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toMatch(/Hubline listens on http:\/\/127\.0\.0\.1:\d+\n/);
    expect(out).toMatch(/Setup +http:\/\/127\.0\.0\.1:\d+\/setup\?token=\S+\n/);
  });

  it('setup-link leads to the server that runs, wherever it listens, until its terminal is closed', async () => {
    const { child, read, ended, data } = await started(['--json']);
    const { url } = JSON.parse(read.out) as { url: string };
    const { code, out } = await runCli(['server', 'setup-link', `--data=${data}`]);
    expect(code).toBe(0);
    expect(out).toMatch(`${url}/setup?token=`);
    // The shell and the system each send a SIGHUP.
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    expect((await ended).code).toBe(0);
  });

  it('with --seed fills an empty database once, and prints the key and the password of its owner', async () => {
    const server = await serve(['--seed']);
    const { data } = server;
    const [key = ''] = /hl_\w{36}/.exec(server.out()) ?? [];
    expect(server.out()).not.toContain('Setup');
    const [, password = ''] = /Password +(\S{16})\n/.exec(server.out()) ?? [];
    const [base = ''] = /http:\S+\/v1/.exec(server.out()) ?? [];
    const page = { 'X-Hubline-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };
    const loggedIn = await fetch(base.replace('/v1', '/session'), {
      method: 'POST',
      headers: { ...page, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'mara@fernhill.example', password }),
    });
    expect(await loggedIn.json()).toMatchObject({
      memberships: [{ slug: 'fernhill', role: 'owner' }],
      // For commands that can be pasted.
      command_line: { program: 'hubline', data, flags: expect.stringContaining('--port 0') as string },
    });
    const env = { HUBLINE_BASE_URL: base, HUBLINE_API_KEY: key };
    expect((await runCli(['member', 'list', '--jq=length'], { env })).out).toBe('8\n');
    expect((await runCli(['webhook', 'list', '--jq=length'], { env })).out).toBe('4\n');
    const filled = await server.stop();
    expect(filled).toMatchObject({ code: 0 });
    expect(filled.err).toContain('The database is being filled with an example.');
    expect(filled.err).not.toContain('a webhook is failing');
    for (const name of await readdir(data)) {
      expect((await readFile(join(data, name), 'latin1')).includes(key)).toBe(false);
    }

    const again = await serve(['--seed', '--json'], { data });
    const { code, out, err } = await again.stop();
    expect({ code, fields: Object.keys(JSON.parse(out) as object) }).toEqual({
      code: 0,
      fields: ['url', 'base_url', 'pid'],
    });
    expect(err).toContain('The database has an owner, so --seed does nothing.');
    expect(err).not.toMatch(/hl_\w{36}/);
  });

  it('reads its flags from the environment as well', async () => {
    const { child, read, ended } = await started(['-q'], {
      HUBLINE_HOST: 'localhost',
      HUBLINE_LOG_FORMAT: 'json',
    });
    expect(read.out).toMatch(/^http:\/\/\S+:\d+\n$/);
    child.kill('SIGTERM');
    const { code, err } = await ended;
    expect(code).toBe(0);
    for (const line of err.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it('warns of a public URL with https where the server speaks plain HTTP', async () => {
    const check = (url: string, ...flags: string[]) =>
      runCli(['server', 'check-config', '--port=0', `--public-url=${url}`, ...flags]);
    expect(await check('https://hub.example.com')).toMatchObject({
      code: 0,
      err: expect.stringContaining('but this server speaks plain HTTP. Add --behind-proxy'),
    });
    expect(await check('https://hub.example.com', '--behind-proxy')).toMatchObject({ code: 0, err: '' });
    expect(await check('http://hub.example.com', '--behind-proxy')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/--public-url http:\/\/hub\.example\.com is plain HTTP\. .* Use https:/),
    });
    const here = 'http://localhost:8787';
    expect(await check(here)).toMatchObject({ code: 0, err: '' });
    for (const host of ['127.0.0.1', 'localhost', '::1'])
      expect((await check(here, `--host=${host}`)).err).not.toContain('lets other machines');
    const open = '--host 0.0.0.0 lets other machines connect, but all their requests are refused';
    expect((await check(here, '--host=0.0.0.0')).err).toContain(open);
    expect((await check(here, '--host=0.0.0.0', '--behind-proxy')).err).toBe('');
    expect((await check(here, '--memory-budget=1000000')).err).toMatch(
      /Lower --memory-budget from 1000000 to \d+\./,
    );
  });

  it.each([
    [['--port=many'], '--port'],
    [['--tls-cert=x'], '--tls-key'],
    [['--log-format=xml'], '--log-format'],
    [['--database-url=mysql://x'], '--database-url'],
    [
      ['--database-url=postgres://x/y?sslmode=banana'],
      '--database-url must have the sslmode disable, require,',
    ],
    [['--database-url=postgres://x/y?sslmode=prefer'], '--database-url must have the sslmode'],
    [
      ['--database-url=postgres://x/y?sslmode=require&sslrootcert=/nope'],
      'sslrootcert=/nope in --database-url',
    ],
    [
      ['--database-url=postgres://x/y?sslmode=verify-full&sslcrl=/crl'],
      '--database-url must not have the parameter sslcrl, which would have no effect: a revoked certificate would be accepted; to revoke one',
    ],
    [['--public-url=https:///x'], '--public-url must be a URL such as'],
    [['--public-url=https:x'], '--public-url must be a URL such as'],
    [['--public-url=https://x.test/hub'], '--public-url must have no path'],
    [['--domain=hub.example.com', '--http-thread=on'], '--http-thread on cannot be combined with --domain'],
    [['--behind-proxy=false'], '--behind-proxy takes no value'],
    [['--host=255.255.255.255'], '--host must be the address of one machine'],
    [['--host=239.1.1.1'], '--host must be the address of one machine'],
  ])('refuses %j, naming the flag', async (line, flag) => {
    for (const command of ['start', 'check-config']) {
      const { code, out, err } = await runCli(['server', command, ...line]);
      expect({ code, out, named: err.includes(flag) }).toEqual({ code: 2, out: '', named: true });
    }
  });

  it('names a damaged database, and how to put a backup in its place', async () => {
    const data = join(await temporaryDirectory(), 'my data');
    await mkdir(data);
    await writeFile(join(data, 'hubline.db'), 'no database '.repeat(1_000));
    const { code, out, err } = await runCli(['server', 'start', '--port=0', `--data=${data}`]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${join(data, 'hubline.db')} is damaged`);
    expect(err).toContain(`hubline server restore FILE --data '${data}' --force`);
    expect(err).not.toContain('looks like a bug');
  });

  it('refuses an empty database beside a master key, which has lost its data, and makes nothing of it', async () => {
    const data = join(await temporaryDirectory(), 'my data');
    await mkdir(data);
    const file = join(data, 'hubline.db');
    await writeFile(file, '');
    await writeFile(join(data, 'master.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
    for (const command of ['start', 'check-config', 'migrate']) {
      const { code, err } = await runCli(['server', command, `--data=${data}`]);
      expect(code).toBe(2);
      expect(err).toContain(`${file} is empty, although a server has used this directory`);
      expect(err).toContain(`hubline server restore FILE --data '${data}'.`);
    }
    expect(await readFile(file, 'utf8')).toBe('');
  });

  it('refuses a file for a data directory', async () => {
    const file = join(await temporaryDirectory(), 'notes.txt');
    await writeFile(file, 'mine');
    const { code, err } = await runCli(['server', 'start', '--port=0', `--data=${file}`]);
    expect(code).toBe(2);
    expect(err).toContain(`${file} is a file, but must be a directory.`);
    expect(err).toContain('--data');
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('says so when the port is taken', async () => {
    const taken = await startReceiver();
    const second = await runCli([
      'server',
      'start',
      `--port=${new URL(taken.url).port}`,
      `--data=${join(await temporaryDirectory(), 'x')}`,
    ]);
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second.err).toContain('Error: --port');
    expect(second.err).not.toContain('looks like a bug');
  });
});

test("the README's table of settings has the defaults of the flags", async () => {
  const readme = await readFile(new URL('../../../../../README.md', import.meta.url), 'utf8');
  const rows = readme.matchAll(
    /^\| `--([\w-]+)`(?:, `--([\w-]+)`)? +\|[^|]*\| `([^`]+)`(?:, `?([^`|]+?)`? +)?/gm,
  );
  const defaults = [...rows].flatMap(([, ...[first, second, its, others]]) => [
    [first, its],
    ...(second === undefined ? [] : [[second, others]]),
  ]) as [keyof typeof SERVER_FLAGS, string][];
  expect(defaults.length).toBeGreaterThan(8);
  const said = defaults.map(([name]) => /\(server default: ([^,)]+)/.exec(SERVER_FLAGS[name].summary)?.[1]);
  expect(said).toEqual(defaults.map(([, its]) => its));
});

describe('in the wrong folder', () => {
  const bootstrap = ['server', 'bootstrap', '--email=ana@acme.test'];

  /** An empty folder, where the command lines of a test run. */
  async function emptyFolder() {
    const cwd = await realpath(await temporaryDirectory());
    const before = process.cwd();
    process.chdir(cwd);
    onTestFinished(() => process.chdir(before));
    const run = (line: readonly string[], stdin = '') =>
      runCli(line, { cwd, env: { HUBLINE_DATA: '' }, stdin });
    return { data: join(cwd, 'hubline-data'), files: () => readdir(cwd), run };
  }

  it.each([
    [bootstrap, 2, 'add --yes'],
    [['server', 'migrate'], 2, 'add --yes'],
    [['server', 'setup-link'], 4, '--data'],
    [['server', 'set-password', 'ana@acme.test', '--password-file=-'], 4, '--data'],
    [['server', 'backup', '/tmp/never-written.db'], 2, '--data'],
  ])('%j makes no database, and says where it looked', async (line, exit, cure) => {
    const { data, files, run } = await emptyFolder();
    const { code, out, err } = await run(line, 'a long enough password');
    expect({ code, out }).toEqual({ code: exit, out: '' });
    expect(err).toContain(`There is no database in ${data}.`);
    expect(err).toContain(cure);
    expect(await files()).toEqual([]);
  });

  it('bootstrap makes a database when that is confirmed, and names it', async () => {
    const { data, run } = await emptyFolder();
    const { code, out, err } = await run([...bootstrap, '--yes']);
    expect({ code, key: /hl_\w{36}/.test(out) }).toEqual({ code: 0, key: true });
    expect(err).toContain(`It is for the database in ${data}, which is new.`);
    expect(err).toContain(`hubline server start --data ${data}`);
    // The second time, the database exists.
    expect(await run([...bootstrap, '--new-key', '--json'])).toMatchObject({ code: 0, err: '' });
  });

  it('bootstrap asks on a terminal', async () => {
    const asked: string[] = [];
    const options = { env: { HUBLINE_DATA: '' }, tty: true, answers: [false], asked };
    expect(await runCli(bootstrap, options)).toMatchObject({ code: 2, out: '' });
    expect(asked).toEqual([
      expect.stringMatching(/^There is no database in .*hubline-data\. Create a new one there\?$/),
    ]);
  });
});

describe('server status --data', () => {
  it('asks the server of that directory, and knows when it has ended, even by kill -9', async () => {
    const { child, read, ended, data } = await started(['--json']);
    const { url = '' } = JSON.parse(read.out.split('\n')[0] ?? '') as Record<string, string>;
    const line = ['server', 'status', `--data=${data}`];
    expect(await runCli([...line, '--json=url,ready'])).toMatchObject({
      code: 0,
      out: `{"url":"${url}","ready":true}\n`,
    });
    expect(await runCli([...line, `--base-url=${url}/v1`])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--data and --base-url name two servers') as string,
    });
    child.kill('SIGKILL');
    await ended;
    // The file that names the server is still there, and another server may have its port by now.
    expect(await readdir(data)).toContain('server.json');
    expect(await runCli(line)).toEqual({
      code: 9,
      out: `● No server is running in ${data}.\n`,
      err: `Start it: hubline server start --data ${data}\n`,
    });
    const other = join(data, "Ana's");
    const { err } = await runCli(['server', 'status', `--data=${other}`]);
    expect(err).toBe(`Start it: hubline server start --data '${other.replace("'", String.raw`'\''`)}'\n`);
  });
});

describe('server stop', () => {
  const stop = (data: string, ...more: string[]) =>
    runCli(['server', 'stop', `--data=${data}`, '--json', ...more]);

  it('ends the server of a data directory, and finds none afterward', async () => {
    const { child, ended, data } = await started(['--json']);
    expect(await stop(data)).toEqual({
      code: 0,
      out: `${JSON.stringify({ pid: child.pid, data })}\n`,
      err: '',
    });
    expect(await ended).toMatchObject({ code: 0 });
    expect(await stop(data)).toMatchObject({ code: 4, out: '' });
    expect(await readdir(data)).not.toContain('server.json');
  });

  it('leaves alone another process that has the pid of a crashed server', async () => {
    const data = join(await temporaryDirectory(), 'data');
    expect(await runCli(['server', 'migrate', `--data=${data}`])).toMatchObject({ code: 0 });
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void bystander.kill('SIGKILL'));
    await writeFile(
      join(data, 'server.json'),
      JSON.stringify({ pid: bystander.pid, base_url: 'http://127.0.0.1:1/v1' }),
    );
    expect(await stop(data)).toMatchObject({ code: 4, out: '' });
    expect(bystander.signalCode).toBeNull();
  });

  it('leaves it alone even while a server that has not said its own yet uses the directory', async () => {
    const data = await temporaryDirectory();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void bystander.kill('SIGKILL'));
    const left = { pid: bystander.pid, base_url: 'http://127.0.0.1:1/v1' };
    await writeFile(join(data, 'server.json'), JSON.stringify(left));
    await using _ = await startTestServer({ flags: { data } });
    expect(await stop(data)).toMatchObject({ code: 4, out: '' });
    expect(bystander.signalCode).toBeNull();
    expect(await runCli(['server', 'status', `--data=${data}`])).toMatchObject({ code: 2, out: '' });
  });

  it('says so if the server belongs to another user', async () => {
    const { data } = await started(['--json']);
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    onTestFinished(() => kill.mockRestore());
    const { code, err } = await runCli(['server', 'stop', `--data=${data}`]);
    kill.mockRestore();
    expect(code).toBe(3);
    expect(err).toMatch(
      /^Error: Process \d+ belongs to another user\.\nStop it as that user, or with sudo\.\n$/,
    );
  });

  it('does not touch a server that somebody else runs', async () => {
    const data = await temporaryDirectory();
    await using _ = await startTestServer({ flags: { data } });
    const { code, err } = await stop(data);
    expect({ code, said: err.includes('was not started from the command line') }).toEqual({
      code: 4,
      said: true,
    });
  });
});

describe('server check-config', () => {
  it('lists what a server would run with, secrets masked, and makes nothing', async () => {
    const data = join(await temporaryDirectory(), 'data');
    const env = {
      HUBLINE_DATABASE_URL: 'postgres://hub:hunter2@127.0.0.1:1/hub',
      HUBLINE_MASTER_KEY: Buffer.alloc(32).toString('base64'),
      HUBLINE_GITHUB_API_URL: 'https://github.example.com/api/v3',
    };
    const line = ['server', 'check-config', `--data=${data}`, '--port=80', '--json'];
    const { code, out, err } = await runCli(line, { env });
    expect(err).toContain('A start would be refused now: PostgreSQL at 127.0.0.1:1 cannot be reached');
    const rows = JSON.parse(out) as { setting: string; value: unknown }[];
    expect({
      code,
      rows: Object.fromEntries(rows.map(({ setting, value }) => [setting, value])),
    }).toMatchObject({
      code: 0,
      rows: {
        data,
        port: 80,
        host: '127.0.0.1',
        'database-url': 'postgres://hub:…@127.0.0.1:1/hub',
        'master-key': '…',
        'github-api-url': 'https://github.example.com/api/v3',
        'tls-cert': null,
      },
    });
    await expect(access(data)).rejects.toThrow();
  });

  it('lists the ports of a domain, and warns of one that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const flags = ['--domain=hub.example.com', '--host=127.0.0.1', `--https-port=${port}`, '--http-port=0'];
    const { code, out, err } = await runCli(['server', 'check-config', ...flags, '--json']);
    const rows = JSON.parse(out) as { setting: string; value: unknown }[];
    expect(rows.filter(({ setting }) => setting.endsWith('port'))).toEqual([
      { setting: 'https-port', value: port },
      { setting: 'http-port', value: 0 },
    ]);
    expect(code).toBe(0);
    expect(err).toContain(`A start would be refused now: --https-port ${port} is in use`);
  });

  it('warns of a directory in which backups would fail, as a start does in its log', async () => {
    const place = join(await temporaryDirectory(), 'unmounted');
    const flags = ['--port=0', '--backup-every=1d', `--backup-to=${place}`, '--json'];
    const { code, err } = await runCli(['server', 'check-config', ...flags]);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(
        `Warning: Backups would fail now: There is no directory ${place}. Mount its disk`,
      ),
    });
  });

  it.each(['smtp://u:p@127.0.0.1:99999', 'smtp://mail:smtp', 'smtp://', 'mail.example.com'])(
    'refuses %s as a mail server, with its variable',
    async (url) => {
      const checked = await runCli(['server', 'check-config'], { env: { HUBLINE_SMTP_URL: url } });
      expectSentence(checked);
      expect(checked.err).toContain('HUBLINE_SMTP_URL must be a URL such as smtp://user:password@host:587');
    },
  );

  it.each([
    [['--port=many'], '--port'],
    [
      ['--tls-cert=/nonexistent/c.pem', '--tls-key=/nonexistent/k.pem'],
      '--tls-cert /nonexistent/c.pem cannot be read: ',
    ],
    [['--tls-cert=/dev/zero', '--tls-key=/dev/zero'], '--tls-cert /dev/zero is a pipe or a device. Name'],
  ])('refuses %j as the server would', async (line, named) => {
    const { code, out, err } = await runCli(['server', 'check-config', ...line]);
    expect({ code, out, named: err.includes(named) }).toEqual({ code: 2, out: '', named: true });
  });
});

describe('server migrate', () => {
  it('makes the schema, and does nothing the second time', async () => {
    const data = join(await temporaryDirectory(), 'data');
    const migrate = ['server', 'migrate', `--data=${data}`, '--json'];
    expect(await runCli(migrate)).toEqual({ code: 0, out: '{"backup":null}\n', err: '' });
    expect(await runCli(migrate)).toEqual({ code: 0, out: '{"backup":null}\n', err: '' });
    expect(await readdir(data)).toEqual(expect.arrayContaining(['hubline.db', 'master.key']));
  });
});
