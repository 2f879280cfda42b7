import { startTestServer } from '@hubline/server/testing';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { shellWord } from '../src/terminal/shell-word.ts';
import { fakeApi, pageResponse } from '../src/test/fake-api.ts';
import { expectSentence } from '../src/test/expect-sentence.ts';
import { temporaryDirectory } from '../src/test/run-cli.ts';
import { PATIENT, spawnCli } from './support/spawn-cli.ts';

const events = Array.from({ length: 100 }, (_, index) => ({
  event_id: `evt_${index}`,
  type: 'push',
  payload: { text: 'x'.repeat(20_000) },
}));

describe('the process', () => {
  it('prints its version and nothing else', async () => {
    const { code, out, err } = await spawnCli(['--version']).ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });

  it('hints at a line that can be pasted: for this folder, and for its server', () => {
    const root = join(import.meta.dirname, '../../..');
    const typed = {
      npm_package_name: 'hubline-workspace',
      npm_lifecycle_event: 'hubline',
      INIT_CWD: tmpdir(),
    };
    const { stderr } = spawnSync(
      process.execPath,
      ['--conditions=hubline-source', join(root, 'packages/cli/src/bin.ts'), 'listen', '--base-url=[::1]:1'],
      { env: { ...process.env, ...typed }, encoding: 'utf8' },
    );
    const program = `npx -y pnpm@12 --silent -C ${shellWord(root)} hubline`;
    expect(stderr).toContain(`${program} --base-url '[::1]:1' listen http://localhost:3000/hook\n`);
  });

  it('writes all of a large list into a pipe before it ends', async () => {
    const api = await fakeApi(({ query }) => pageResponse(events, query['cursor'] ? null : 'next'));
    const { code, out } = await spawnCli(['event', 'list', '--all', '--json'], api.env).ended;
    expect({ code, count: (JSON.parse(out) as unknown[]).length }).toEqual({ code: 0, count: 200 });
  });

  it('ends with 141, and in silence, when the reader of its output goes away', async () => {
    // Pages without end: only the closed pipe can end this.
    let page = 0;
    const api = await fakeApi(() => pageResponse(events, String((page += 1))));
    const { child, ended } = spawnCli(['event', 'list', '--all', '--ndjson'], api.env);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toMatchObject({ code: 141, err: '' });
  });

  it.skipIf(!existsSync('/dev/full')).each([[['--version']], [['--help']], [['help', 'exit-codes']]])(
    'says when the output of %j does not fit on the disk',
    (line) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--conditions=hubline-source', join(import.meta.dirname, '../src/bin.ts'), ...line],
        { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
      );
      closeSync(full);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Error: stdout cannot be written: no space left on device\.\n$/);
    },
  );

  it.skipIf(process.platform === 'win32').each([['>&-'], ['>/dev/null']])(
    'names the key that nobody can read, and how to revoke it, with %s',
    async (redirection) => {
      await using server = await startTestServer();
      const program = `"${process.execPath}" --conditions=hubline-source "${join(import.meta.dirname, '../src/bin.ts')}"`;
      const ended = spawn('sh', ['-c', `${program} key create --name=p ${redirection}`], {
        env: { ...process.env, HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey },
        stdio: ['ignore', 'inherit', 'pipe'],
      });
      const [err] = await Promise.all([text(ended.stderr), once(ended, 'close')]);
      expect(err).toMatch(/^key_\S+ exists, but its secret may be lost with this output\. .*revoke key_/m);
    },
  );

  it('can be interrupted in a jq program without end, before it has made anything', async () => {
    await using server = await startTestServer();
    const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
    const { child, ended } = spawnCli(['key', 'create', '--name=endless', '--jq=def f: f; f'], env);
    // Repeated, because a signal that comes before the jq program runs is handled.
    const timer = setInterval(() => child.kill('SIGINT'), 500);
    await ended;
    clearInterval(timer);
    const { out } = await spawnCli(['key', 'list', '--json=name'], env).ended;
    expect(JSON.parse(out)).not.toContainEqual({ name: 'endless' });
  });

  it('names the key that nobody has read, and how to revoke it, when its reader is gone', async () => {
    await using server = await startTestServer();
    const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
    const { child, ended } = spawnCli(['key', 'create', '--name=p', '--json'], env);
    child.stdout.destroy();
    const { code, err } = await ended;
    expect(code).toBe(141);
    expect(err).toMatch(
      /^(key_\w+) exists, but its secret may be lost with this output\. Revoke it: \S*hubline key revoke \1\n$/,
    );
  });

  it.skipIf(!existsSync('/dev/full'))('names it when the disk is full, too', async () => {
    const api = await fakeApi(() => ({ status: 201, body: { id: 'key_1', name: 'p', key: 'hl_secret' } }));
    const full = openSync('/dev/full', 'w');
    const child = spawn(
      process.execPath,
      [
        '--conditions=hubline-source',
        join(import.meta.dirname, '../src/bin.ts'),
        'key',
        'create',
        '--name=p',
      ],
      { stdio: ['ignore', full, 'pipe'], env: { ...process.env, HUBLINE_KEYCHAIN: 'off', ...api.env } },
    );
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = (await once(child, 'close')) as [number];
    closeSync(full);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Error: stdout cannot be written: no space left on device\.\nkey_1 exists, but .* Revoke it: hubline key revoke key_1\n$/,
    );
  });

  it
    .skipIf(!existsSync('/proc/1'))
    .each([
      [['context', 'create', 'far', '--base-url=http://127.0.0.1:1']],
      [['server', 'start', '--data=/proc/1/nope/data', '--port=0']],
    ])('says at once that there is no place for the files of %j', async (line) => {
    // Node's own recursive mkdir never returns there.
    const nowhere = { HUBLINE_CONFIG_DIR: '/proc/1/nope/hubline', XDG_CACHE_HOME: '/proc/1/nope' };
    const { code, out, err } = await spawnCli(line, { ...nowhere, NODE_COMPILE_CACHE: '' }).ended;
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^Error: \/proc\/1\/nope.*(?:: its file system does not allow new directories|is a system directory)\.\s.*(?:HUBLINE_CONFIG_DIR|HUBLINE_DATA)/s,
    );
  });

  it.skipIf(process.platform === 'win32')('makes no home for its cache', async () => {
    const home = await temporaryDirectory();
    const inside = { HOME: home, NODE_COMPILE_CACHE: '' };
    expect(await spawnCli(['config', 'path'], inside).ended).toMatchObject({ code: 0 });
    expect(await readdir(home)).toEqual(['.cache']);
    const missing = { ...inside, HOME: join(home, 'missing') };
    expect(await spawnCli(['config', 'path'], missing).ended).toMatchObject({ code: 0 });
    expect(await readdir(home)).toEqual(['.cache']);
  });

  describe.skipIf(process.platform === 'win32')('in a directory that has been removed', () => {
    const within = ['sh', '-c', 'gone=$(mktemp -d) && cd "$gone" && rmdir "$gone" && exec "$@"', 'sh'];

    it.each([
      [['--version'], 0],
      // There is no server to ask.
      [['whoami', '--base-url=http://127.0.0.1:1'], 3],
    ])('runs %j, which needs none', async (line, code) => {
      const ran = await spawnCli(line, {}, { within }).ended;
      expect(ran).toMatchObject({ code });
      expect(ran.err).not.toContain('directory');
    });

    it.each([
      [['server', 'start', '--port=0']],
      [['server', 'check-config', '--port=0']],
      [['backup', 'create', '--data=/', '--out=x.db']],
    ])('says at once that %j needs one', async (line) => {
      const ran = await spawnCli(line, {}, { within }).ended;
      expectSentence(ran);
      expect(ran.err).toMatch(
        /^Error: The current directory has been removed\.\nChange to another with cd, /,
      );
    });
  });

  it.skipIf(spawnSync('script', ['--version']).error)(
    'takes a terminal without a size for one of 80 columns',
    () => {
      const line = [
        process.execPath,
        '--conditions=hubline-source',
        join(import.meta.dirname, '../src/bin.ts'),
        'event',
        'get',
      ];
      const { stdout } = spawnSync('script', ['-qec', line.join(' '), '/dev/null'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NO_COLOR: '1' },
        encoding: 'utf8',
      });
      expect(stdout).toMatch(/^Error: Missing required argument 'event'\.\r\n/);
    },
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends with its code on %s, %d, while it waits for a response', async (signal, code) => {
    const received = Promise.withResolvers<void>();
    const api = await fakeApi(() => {
      received.resolve();
      return { status: 503, headers: { 'retry-after': '30' } };
    });
    const { child, ended } = spawnCli(['whoami'], api.env);
    await received.promise;
    child.kill(signal);
    expect(await ended).toMatchObject({ code, out: '', err: '' });
  });

  it('does not wait for an open stdin that nobody asked for', async () => {
    expect(await spawnCli(['workspace', 'create']).ended).toMatchObject({ code: 2, out: '' });
    expect(await spawnCli(['webhook', 'delete', 'whk_1']).ended).toMatchObject({ code: 2, out: '' });
  });
});

describe('event tail', () => {
  it('prints events as they come, and ends with 130 on Ctrl-C', async () => {
    await using server = await startTestServer();
    const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
    const { child, read, ended } = spawnCli(['event', 'tail', '--json=type'], env);
    const publish = (type: string) => spawnCli(['event', 'publish', `--type=${type}`], env).ended;
    // The stream is open when the first event arrives; until then it is published again.
    await vi.waitUntil(async () => {
      await publish('first');
      return read.out.includes('first');
    }, PATIENT);
    await publish('second');
    await vi.waitUntil(() => read.out.includes('second'), PATIENT);
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 130, err: '' });
    const types = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(new Set(types)).toEqual(new Set(['first', 'second']));
  });
});
