import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { errorResponse, fakeApi } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { parseBaseUrl } from './base-url.ts';

const me = {
  user: { id: 'usr_1', email: 'ana@acme.test' },
  key: { id: 'key_1', prefix: 'hl_abcd', expires_at: null },
  memberships: [{ workspace_id: 'ws_1', slug: 'acme', name: 'Acme', role: 'owner' }],
};
const SECRET = 'hl_abcdsecret';

let directory: string;
let env: Record<string, string>;
beforeEach(async () => {
  directory = join(await temporaryDirectory(), 'nested', 'config');
  env = { HUBLINE_CONFIG_DIR: directory };
});

const file = () => join(directory, 'config.json');
const saved = async () => JSON.parse(await readFile(file(), 'utf8')) as unknown;

async function login(options: { context?: string } = {}) {
  const api = await serverOf(SECRET);
  const finished = await loginTo(api.url, SECRET, options.context ? [`--context=${options.context}`] : []);
  return { ...api, finished };
}

/** A server that knows one key. */
async function serverOf(key: string, answer: () => unknown = () => me) {
  const api = await fakeApi(({ headers }) =>
    headers.authorization === `Bearer ${key}` ? { body: answer() } : errorResponse(401, 'unauthorized'),
  );
  const url = api.env.HUBLINE_BASE_URL;
  return { api, url, host: new URL(url).host, origin: new URL(url).origin };
}

const loginTo = (url: string, key: string, more: readonly string[] = []) =>
  runCli(['auth', 'login', '--with-key', `--base-url=${url}`, ...more], { env, stdin: `${key}\n` });

describe('auth login', () => {
  it('checks the key, and saves it where nobody else can read it', async () => {
    const { url, host, finished } = await login();
    expect(finished).toEqual({
      code: 0,
      out: `✓ Logged in to ${url} as ana@acme.test (context ${host})\n`,
      err: `See what comes in: hubline --base-url ${url} event tail\n`,
    });
    expect(await saved()).toEqual({
      current: host,
      contexts: { [host]: { base_url: url, workspace: 'ws_1', api_key: SECRET } },
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await readdir(directory)).toEqual(['config.json']);
  });

  it('keeps the workspace that was in use, as long as the key can see it', async () => {
    let memberships = [
      ...me.memberships,
      { workspace_id: 'ws_2', slug: 'other', name: 'Other', role: 'admin' },
    ];
    const { url, host } = await serverOf(SECRET, () => ({ ...me, memberships }));
    await loginTo(url, SECRET, ['--workspace=other']);
    await loginTo(url, SECRET);
    expect(await saved()).toMatchObject({ contexts: { [host]: { workspace: 'ws_2' } } });
    memberships = [...me.memberships, { workspace_id: 'ws_3', slug: 'third', name: 'Third', role: 'admin' }];
    const { err } = await loginTo(url, SECRET);
    expect(err).toContain(`hubline --base-url ${url} workspace use <slug>`);
    expect(await saved()).not.toHaveProperty(['contexts', host, 'workspace']);
    const asked = await runCli(['auth', 'login', url], { env, tty: true, answers: [SECRET, 'third'] });
    expect(asked.code).toBe(0);
    expect(await saved()).toMatchObject({ contexts: { [host]: { workspace: 'ws_3' } } });
    expect(await loginTo(url, SECRET, ['--workspace=gone'])).toMatchObject({ code: 4 });
  });

  it('saves nothing when the key is refused', async () => {
    const { url } = await login({ context: 'good' });
    const line = ['auth', 'login', '--with-key', `--base-url=${url}`, '--context=bad'];
    expect(await runCli(line, { env, stdin: 'hl_wrong' })).toMatchObject({ code: 3, out: '' });
    expect(await saved()).toMatchObject({ current: 'good', contexts: { good: {} } });
  });

  it('asks on a terminal, and never shows the key', async () => {
    const { url } = await login();
    const { code, out, err } = await runCli(['auth', 'login', '--context=asked'], {
      env,
      tty: true,
      answers: [url, SECRET],
    });
    expect(code).toBe(0);
    expect(out + err).not.toContain('secret');
  });

  it.each([
    [['auth', 'login'], '', '--with-key is required'],
    [['auth', 'login', '--with-key'], '', 'is empty'],
    [['auth', 'login', '--with-key'], 'hl_a\nhl_b', 'has characters that a key cannot have'],
    [['auth', 'login', '--with-key', '--key-file=x'], 'hl_x', 'only one of'],
    [['auth', 'login', 'one.test', '--with-key', '--base-url=two.test'], 'hl_x', 'given twice'],
    [['auth', 'login', '--key-file=/nonexistent'], '', '--key-file /nonexistent cannot be read'],
  ])('%j refuses what is missing or wrong', async (line, stdin, message) => {
    const { code, err } = await runCli(line, { env, stdin });
    expect({ code, said: err.includes(message) ? message : err }).toEqual({ code: 2, said: message });
    expect(err).not.toContain('hl_a');
  });

  it.each([
    [['ftp://one.test'], {}, 'The server'],
    [['--base-url=ftp://one.test'], {}, '--base-url'],
    [[], { HUBLINE_BASE_URL: 'ftp://one.test' }, 'HUBLINE_BASE_URL'],
  ])('%j %j says which address is wrong', async (words, variables, source) => {
    const { code, err } = await runCli(['auth', 'login', ...words, '--with-key'], {
      env: { ...env, ...variables },
      stdin: 'hl_x',
    });
    expect({ code, first: err.split('\n', 1)[0] }).toEqual({
      code: 2,
      first: `Error: ${source} is not the address of a server: "ftp://one.test".`,
    });
  });
});

describe('saved contexts', () => {
  it('can be listed, used, shown and deleted; keys only by their first characters', async () => {
    await login({ context: 'one' });
    await login({ context: 'two' });
    const list = await runCli(['context', 'list', '--json=name,current,key'], { env });
    expect(JSON.parse(list.out)).toEqual([
      { name: 'one', current: false, key: 'hl_abcd…' },
      { name: 'two', current: true, key: 'hl_abcd…' },
    ]);
    expect(await runCli(['context', 'use', 'one', '-q'], { env })).toMatchObject({ code: 0, out: 'one\n' });
    expect((await runCli(['auth', 'status', '--json=context,email'], { env })).out).toBe(
      '{"context":"one","email":"ana@acme.test"}\n',
    );
    expect(await runCli(['auth', 'status', '--context=two', '--json=context'], { env })).toMatchObject({
      out: '{"context":"two"}\n',
    });
    expect(await runCli(['context', 'delete', 'one', '--yes'], { env })).toMatchObject({ code: 0 });
    expect(await saved()).toMatchObject({ current: null, contexts: { two: {} } });
    expect(await runCli(['context', 'use', 'one'], { env })).toMatchObject({ code: 4 });
    expect(await runCli(['member', 'list', '--context=one'], { env })).toMatchObject({ code: 2 });
    expect(await runCli(['context', 'show', '__proto__'], { env })).toMatchObject({ code: 4 });
  });

  it('lose their key with auth logout', async () => {
    await login();
    expect(await runCli(['auth', 'logout'], { env })).toMatchObject({ code: 0 });
    expect(JSON.stringify(await saved())).not.toContain(SECRET);
    expect(await runCli(['auth', 'status'], { env })).toMatchObject({ code: 3 });
  });
});

describe('the file', () => {
  it('is refused as a link, for reading and for writing', async () => {
    const target = join(await temporaryDirectory(), 'target.json');
    await writeFile(target, '{}');
    await mkdir(directory, { recursive: true });
    await symlink(target, file());
    expect(await runCli(['context', 'list'], { env })).toMatchObject({ code: 2, out: '' });
    const { finished } = await login();
    expect(finished.code).toBe(2);
    expect((await lstat(file())).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('{}');
  });

  it('that others can read is warned about', async () => {
    await login();
    await chmod(file(), 0o644);
    const { code, err } = await runCli(['context', 'list'], { env });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`chmod 600 ${file()}`) as string });
  });

  const contextsFrom = async (text: string) => {
    await mkdir(directory, { recursive: true });
    await writeFile(file(), text, { mode: 0o600 });
    return runCli(['context', 'list'], { env });
  };

  it.each([
    '{',
    '{"contexts":1}',
    '{"contexts":null}',
    '{"contexts":{"a":{}}}',
    '{"contexts":{},"current":5}',
    '{"contexts":{},"defaults":null}',
  ])('that is broken is named: %s', async (text) => {
    const { code, err } = await contextsFrom(text);
    expect({ code, named: err.includes(file()) }).toEqual({ code: 2, named: true });
  });

  it('that is an empty list counts as empty', async () => {
    expect(await contextsFrom('[]')).toMatchObject({ code: 0 });
  });
});

describe('settings', () => {
  const explain = async (line: string[], more: Record<string, string>) => {
    const { out } = await runCli(['config', 'explain', '--json', ...line], { env: { ...env, ...more } });
    const rows = JSON.parse(out) as { setting: string; value: string; source: string }[];
    return Object.fromEntries(rows.map(({ setting, value, source }) => [setting, [value, source]]));
  };

  it('come from the flag, then the environment, then the context, then the default', async () => {
    expect(await explain([], {})).toMatchObject({
      base_url: ['http://127.0.0.1:8787/v1', 'default'],
      api_key: [null, null],
    });
    const { url, host } = await login();
    const context = `context "${host}"`;
    const variables = {
      HUBLINE_BASE_URL: 'https://hub.example.com',
      HUBLINE_WORKSPACE: 'env',
      HUBLINE_API_KEY: 'hl_environment',
    };
    expect(await explain([], {})).toEqual({
      context: [host, 'current context'],
      base_url: [url, context],
      api_key: ['hl_abcd…', context],
      workspace: ['ws_1', context],
      timeout: ['30s', 'default'],
      retries: ['2', 'default'],
      max_wait: ['60s', 'default'],
      pager: ['less', 'default'],
    });
    expect(await explain([], variables)).toMatchObject({
      base_url: ['https://hub.example.com/v1', 'HUBLINE_BASE_URL'],
      api_key: ['hl_envi…', 'HUBLINE_API_KEY'],
      workspace: ['env', 'HUBLINE_WORKSPACE'],
    });
    expect(await explain(['-w', 'flag', '--base-url=http://localhost:1'], variables)).toMatchObject({
      base_url: ['http://localhost:1/v1', '--base-url'],
      workspace: ['flag', '--workspace'],
    });
  });

  it('read the key from a file that the environment names', async () => {
    const path = join(await temporaryDirectory(), 'key');
    await writeFile(path, 'hl_mounted\n');
    expect(await explain([], { HUBLINE_API_KEY_FILE: path })).toMatchObject({
      api_key: ['hl_moun…', 'HUBLINE_API_KEY_FILE'],
    });
    expect(await runCli(['whoami'], { env: { ...env, HUBLINE_API_KEY_FILE: '/nonexistent' } })).toMatchObject(
      { code: 2 },
    );
  });

  it('refuse an empty key file, and one that holds something else, instead of the saved login', async () => {
    const {
      api: { received },
    } = await login();
    const before = received.length;
    const path = join(await temporaryDirectory(), 'key');
    for (const [content, told] of [
      ['', `The file of HUBLINE_API_KEY_FILE is empty: ${path}.`],
      ['\n', `The file of HUBLINE_API_KEY_FILE is empty: ${path}.`],
      ['x'.repeat(5_000), 'The key from HUBLINE_API_KEY_FILE is too long for a key.'],
    ] as const) {
      await writeFile(path, content);
      const { code, err } = await runCli(['whoami'], { env: { ...env, HUBLINE_API_KEY_FILE: path } });
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(told) });
    }
    const line = ['auth', 'login', `--key-file=${path}`];
    expect((await runCli(line, { env })).err).toContain('is too long for a key.');
    expect(received).toHaveLength(before);
  });
});

describe('a base URL', () => {
  it.each([
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787/v1'],
    ['http://localhost:8787/v1/', 'http://localhost:8787/v1'],
    ['http://[::1]:8787/v1', 'http://[::1]:8787/v1'],
    ['https://hub.example.com/hubline/v1', 'https://hub.example.com/hubline/v1'],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787/v1'],
    ['localhost:8787/v1', 'http://localhost:8787/v1'],
    ['[::1]:8787', 'http://[::1]:8787/v1'],
    ['hub.example.com', 'https://hub.example.com/v1'],
    ['hub.example.com:8443/v1/', 'https://hub.example.com:8443/v1'],
  ])('%s is %s', (text, url) => {
    expect(parseBaseUrl(text, '--base-url')).toBe(url);
  });

  it.each([
    'http://hub.example.com/v1',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'ftp://hub.example.com',
    'user@hub.example.com',
    'hub example com',
    'localhost:port',
    'https://user:pass@hub.example.com',
    'https://hub.example.com/?x=1',
    '',
  ])('%j is refused', (text) => {
    expect(() => parseBaseUrl(text, '--base-url')).toThrow(/^--base-url/);
  });
});

describe('the keychain', () => {
  /** A keychain in memory. */
  function keychain() {
    const secrets = new Map<string, string>();
    return {
      secrets,
      get: async (account: string) => secrets.get(account) ?? null,
      set: async (account: string, secret: string) => void secrets.set(account, secret),
      remove: async (account: string) => void secrets.delete(account),
    };
  }

  async function loginWith(chain: ReturnType<typeof keychain>) {
    const { api, url, host, origin } = await serverOf(SECRET);
    const line = ['auth', 'login', url, '--with-key'];
    return { api, host, origin, finished: await runCli(line, { env, stdin: SECRET, keychain: chain }) };
  }

  it('keeps the key, and the file only its first characters', async () => {
    const chain = keychain();
    const { api, host, origin, finished } = await loginWith(chain);
    expect(finished).toMatchObject({ code: 0 });
    expect([...chain.secrets.keys()]).toEqual([`${host} at ${origin} (${directory})`]);
    expect(finished.out).toContain('key in the system keychain');
    expect([...chain.secrets.values()]).toEqual([SECRET]);
    expect(JSON.stringify(await saved())).not.toContain(SECRET);
    const list = await runCli(['context', 'list', '--json=key,key_in'], { env, keychain: chain });
    expect(JSON.parse(list.out)).toEqual([{ key: 'hl_abcd…', key_in: 'keychain' }]);
    expect(await runCli(['auth', 'token'], { env, keychain: chain })).toMatchObject({ out: `${SECRET}\n` });
    await runCli(['whoami'], { env, keychain: chain });
    expect(api.received.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);

    expect(await runCli(['context', 'rename', host, 'laptop'], { env, keychain: chain })).toMatchObject({
      code: 0,
    });
    expect(await runCli(['auth', 'token'], { env, keychain: chain })).toMatchObject({ out: `${SECRET}\n` });
    expect(chain.secrets.size).toBe(1);
    expect(await runCli(['auth', 'logout'], { env, keychain: chain })).toMatchObject({ code: 0 });
    expect(chain.secrets.size).toBe(0);
  });

  it('that fails leaves the key in the file, and says so', async () => {
    const broken = { ...keychain(), set: () => Promise.reject(new Error('it is locked')) };
    const { finished } = await loginWith(broken);
    expect(finished.code).toBe(0);
    expect(finished.err).toContain(`The system keychain cannot be used: the key is in ${file()}`);
    expect(JSON.stringify(await saved())).toContain(SECRET);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('that fails is reported only once the file has the key', async () => {
    const { url } = await serverOf(SECRET);
    const broken = { ...keychain(), set: () => Promise.reject(new Error('it is locked')) };
    const finished = await runCli(['auth', 'login', url, '--with-key'], {
      env: { HUBLINE_CONFIG_DIR: '/dev/null/hubline' },
      stdin: SECRET,
      keychain: broken,
    });
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toMatch(/config\.json cannot be .*: a part of its path is not a directory\./);
    expect(finished.err).not.toContain('the key is in');
  });

  it('keeps the previous key when a login cannot be saved', async () => {
    const chain = keychain();
    const { host } = await loginWith(chain);
    const other = await serverOf(SECRET);
    await chmod(directory, 0o500);
    const line = ['auth', 'login', other.url, '--with-key', `--context=${host}`, '--force'];
    const { code } = await runCli(line, { env, stdin: SECRET, keychain: chain });
    await chmod(directory, 0o700);
    // Root may write anywhere.
    if (process.getuid?.() !== 0) expect(code).toBe(2);
    expect(await runCli(['auth', 'token'], { env, keychain: chain })).toMatchObject({ out: `${SECRET}\n` });
  });

  it('that is gone asks for another login', async () => {
    await loginWith(keychain());
    const { code, err } = await runCli(['whoami'], { env });
    expect({ code, said: err.includes('is in the system keychain, which is off') }).toEqual({
      code: 3,
      said: true,
    });
  });
});

describe('context create', () => {
  it('saves a server without a key, once', async () => {
    const line = ['context', 'create', 'staging', '--base-url=https://hub.example.com', '-w', 'acme'];
    expect(await runCli(line, { env })).toMatchObject({ code: 0 });
    expect(await saved()).toMatchObject({
      contexts: { staging: { base_url: 'https://hub.example.com/v1', workspace: 'acme' } },
    });
    expect(await runCli(line, { env })).toMatchObject({ code: 5 });
    expect(await runCli(['context', 'create', 'x'], { env })).toMatchObject({ code: 2 });
  });
});

describe('config set', () => {
  const config = (...line: string[]) => runCli(['config', ...line], { env });

  it('changes what is saved, and nothing else', async () => {
    const { host } = await login();
    for (const [name, value] of [
      ['workspace', 'other'],
      ['retries', '5'],
      ['max_wait', '5m'],
    ] as const) {
      expect(await config('set', name, value)).toMatchObject({ code: 0 });
      expect(await config('get', name)).toMatchObject({ out: `${value}\n` });
    }
    expect(await saved()).toMatchObject({
      current: host,
      contexts: { [host]: { workspace: 'other', api_key: SECRET } },
      defaults: { retries: '5', max_wait: '5m' },
    });
    expect(await config('unset', 'retries')).toMatchObject({ code: 0 });
    expect(await config('get', 'retries')).toMatchObject({ code: 4 });
    expect((await config('list', '--jq=map(.setting) | join(" ")')).out).toBe(
      'context base_url workspace timeout retries max_wait pager\n',
    );
  });

  it.each([
    [['set', 'api_key', 'x'], 'There is no setting "api_key".'],
    [['set', 'toast', 'x'], 'There is no setting "toast".'],
    [['set', 'retries', 'often'], 'Error: retries takes a whole number'],
    [['set', 'timeout', '0s'], 'Error: timeout takes a duration from 1ms'],
    [['set', 'max_wait', '0s'], 'Error: max_wait takes a duration from 1ms'],
    [['set', 'base_url', 'http://hub.example.com'], 'unencrypted'],
    [['set', 'workspace', 'x'], 'There is no current context.'],
    [['edit'], 'An editor needs a terminal.'],
  ])('%j is refused', async (line, message) => {
    if (message === 'unencrypted') await login();
    const { code, err } = await config(...line);
    expect({ code, said: err.includes(message) ? message : err }).toEqual({ code: 2, said: message });
  });

  it.skipIf(process.platform === 'win32')('opens an editor, and checks what it left', async () => {
    await login();
    const edit = (EDITOR: string) => runCli(['config', 'edit'], { env: { ...env, EDITOR }, tty: true });
    expect(await edit('test -f')).toMatchObject({ code: 0 });
    expect(await edit('false')).toMatchObject({ code: 2 });
    expect(await edit('printf {broken >')).toMatchObject({ code: 2 });
  });
});

describe('.hubline.toml', () => {
  async function project(text: string) {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, '.hubline.toml'), text);
    return cwd;
  }

  it('wins over the configuration, and loses to the environment', async () => {
    await login({ context: 'one' });
    await login({ context: 'two' });
    const cwd = await project('context = "one"\nworkspace = "acme"\nretries = 0\n');
    const explain = async (more: Record<string, string> = {}) => {
      const { out } = await runCli(['config', 'explain', '--json'], { env: { ...env, ...more }, cwd });
      const rows = JSON.parse(out) as { setting: string; value: string; source: string }[];
      return Object.fromEntries(rows.map(({ setting, value, source }) => [setting, [value, source]]));
    };
    expect(await explain()).toMatchObject({
      context: ['one', './.hubline.toml'],
      workspace: ['acme', './.hubline.toml'],
      retries: ['0', './.hubline.toml'],
    });
    expect(await explain({ HUBLINE_CONTEXT: 'two', HUBLINE_WORKSPACE: 'mine' })).toMatchObject({
      context: ['two', 'HUBLINE_CONTEXT'],
      workspace: ['mine', 'HUBLINE_WORKSPACE'],
    });
  });

  it.each([
    ['base_url = "https://evil.example"', 'cannot set base_url'],
    ['api_key = "hl_x"', 'cannot set api_key'],
    ['color = "red"', 'there is no setting "color"'],
    ['context = [', 'is not valid TOML'],
    ['context = true', 'context must be a string'],
  ])('%s is refused', async (text, message) => {
    const { code, err } = await runCli(['config', 'explain'], { env, cwd: await project(text) });
    expect({ code, said: err.includes(message) ? message : err }).toEqual({ code: 2, said: message });
  });

  it('is named by a limit in it that is wrong, and so is the configuration', async () => {
    await login();
    const refusal = async (cwd?: string) => {
      const { code, err } = await runCli(['whoami'], { env, ...(cwd === undefined ? {} : { cwd }) });
      return { code, err };
    };
    expect(await refusal(await project('max_wait = "long"'))).toEqual({
      code: 2,
      err: 'Error: max_wait in ./.hubline.toml takes a duration from 1ms, such as 30s, 10m, 2h or 7d; not "long".\nCorrect it there.\n',
    });
    const file = join(env['HUBLINE_CONFIG_DIR'] ?? '', 'config.json');
    const saved = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...saved, defaults: { retries: 'often' } }));
    expect(await refusal()).toEqual({
      code: 2,
      err: 'Error: retries in the configuration takes a whole number, such as 20; not "often".\nSuch as: hubline config set retries 2\n',
    });
  });
});
