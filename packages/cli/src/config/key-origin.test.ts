import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { errorResponse, fakeApi, pageResponse, WORKSPACE } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';

const KEY = 'hl_firstkey';
const OTHER = 'hl_otherkey';

let env: Record<string, string>;
let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  env = { HUBLINE_CONFIG_DIR: directory };
});

/** A server that knows some keys, and remembers which it was shown. */
async function server(...keys: string[]) {
  const api = await fakeApi(({ headers, path }) => {
    if (!keys.some((key) => headers.authorization === `Bearer ${key}`))
      return errorResponse(401, 'unauthorized');
    const prefix = headers.authorization?.slice(7, 14);
    return path === '/me'
      ? {
          body: {
            user: { id: 'usr_1', email: 'ana@acme.test' },
            key: { id: 'key_1', prefix, expires_at: null },
            memberships: [{ workspace_id: WORKSPACE, slug: 'acme', name: 'Acme', role: 'owner' }],
          },
        }
      : pageResponse([]);
  });
  const url = api.env.HUBLINE_BASE_URL;
  const shown = () => api.received.map(({ headers }) => headers.authorization).filter(Boolean);
  return { ...api, url, shown, origin: new URL(url).origin, host: new URL(url).host };
}

const login = (
  url: string,
  key: string,
  more: readonly string[] = [],
  tty = false,
  answers: boolean[] = [],
) => runCli(['auth', 'login', url, '--key-file', join(directory, key), ...more], { env, tty, answers });

beforeEach(async () => {
  for (const key of [KEY, OTHER]) await writeFile(join(directory, key), key);
});

const saved = async () =>
  (
    JSON.parse(await readFile(join(directory, 'config.json'), 'utf8')) as {
      contexts: Record<string, unknown>;
    }
  ).contexts;

describe('a saved key', () => {
  it.each([
    [['whoami']],
    [['auth', 'status']],
    [['auth', 'token']],
    [['event', 'list']],
    [['event', 'tail', '--limit=1']],
    [['event', 'publish', '--type=x']],
    [['listen', '--exec=cat', '--limit=1']],
    [['api', 'me']],
    [['api', 'me', '--cache=1m']],
    [['seed']],
    [['doctor']],
    [['server', 'status']],
    [['__complete', 'event', 'get', '']],
  ])('goes to its own server only: %j with another address shows no key', async (line) => {
    const mine = await server(KEY);
    const other = await server();
    await login(mine.url, KEY);
    const cache = await temporaryDirectory();
    const byFlag = [...line.slice(0, -1), `--base-url=${other.url}`, ...line.slice(-1)];
    const variable = { ...env, HUBLINE_BASE_URL: other.url };
    for (const finished of [
      await runCli(byFlag, { env, cache }),
      await runCli(line, { env: variable, cache }),
      await runCli([...line, '-w', WORKSPACE], { env: variable, cache }),
    ]) {
      expect(finished.out + finished.err).not.toContain(KEY);
    }
    expect(other.received.filter(({ headers }) => JSON.stringify(headers).includes(KEY))).toEqual([]);
    expect(other.shown()).toEqual([]);
  });

  it('that is not sent is explained, with the way to log in', async () => {
    const mine = await server(KEY);
    const other = await server();
    await login(mine.url, KEY);
    const { code, err } = await runCli(['auth', 'status', `--base-url=${other.url}`], { env });
    expect({ code, err }).toEqual({
      code: 3,
      err: `Error: Not logged in to ${other.url}. The key of context "${mine.host}" belongs to ${mine.origin} and is sent nowhere else.\nRun: hubline auth login ${other.url}, or set HUBLINE_API_KEY.\n`,
    });
    const strange = `${other.origin}/$(id)`;
    expect((await runCli(['auth', 'status', `--base-url=${strange}`], { env })).err).toContain(
      `Run: hubline auth login '${strange}', or`,
    );
    expect(
      await runCli(['event', 'list', `--base-url=${other.url}`, `--context=${mine.host}`], { env }),
    ).toMatchObject({ code: 3 });
  });

  it('is found by its address: one login for each server', async () => {
    const first = await server(KEY);
    const second = await server(OTHER);
    await login(first.url, KEY);
    await login(second.url, OTHER);
    const prefix = (...more: string[]) => runCli(['auth', 'status', '--jq=.key_prefix', ...more], { env });
    expect((await prefix(`--base-url=${first.url}`)).out).toBe(`${KEY.slice(0, 7)}\n`);
    expect((await prefix(`--base-url=${second.origin}`)).out).toBe(`${OTHER.slice(0, 7)}\n`);
    expect(new Set(first.shown())).toEqual(new Set([`Bearer ${KEY}`]));
    expect(new Set(second.shown())).toEqual(new Set([`Bearer ${OTHER}`]));
  });

  it('is not guessed where a server has several', async () => {
    const first = await server(KEY);
    const second = await server(KEY, OTHER);
    await login(second.url, KEY, ['--context=a']);
    await login(second.url, OTHER, ['--context=my b']);
    await login(first.url, KEY);
    const { code, err } = await runCli(['auth', 'status', `--base-url=${second.url}`], { env });
    expect({ code, said: err.includes("--context a or --context 'my b'") }).toEqual({ code: 3, said: true });
    expect(
      await runCli(['auth', 'status', `--base-url=${second.url}`, '--context=my b'], { env }),
    ).toMatchObject({ code: 0 });
  });

  it('does not follow a redirect', async () => {
    const thief = await server(KEY);
    const api = await fakeApi(({ headers }) =>
      headers.authorization
        ? { status: 307, headers: { location: `${thief.url}/me` } }
        : errorResponse(401, 'unauthorized'),
    );
    expect((await login(api.env.HUBLINE_BASE_URL, KEY)).code).toBe(7);
    const environment = { ...api.env, HUBLINE_API_KEY: KEY };
    expect(await runCli(['auth', 'status'], { env: environment })).toMatchObject({ code: 7 });
    expect(await runCli(['event', 'tail', '--limit=1'], { env: environment })).toMatchObject({ code: 7 });
    expect(thief.received).toEqual([]);
  });

  it('is not sent where a changed configuration says', async () => {
    const mine = await server(KEY);
    const other = await server();
    await login(mine.url, KEY);
    const refused = await runCli(['config', 'set', 'base_url', other.url], { env });
    expect({ code: refused.code, said: refused.err.includes(`hubline auth login ${other.url}`) }).toEqual({
      code: 2,
      said: true,
    });
    // Another path is still the same server.
    expect(await runCli(['config', 'set', 'base_url', `${mine.origin}/v2`], { env })).toMatchObject({
      code: 0,
    });
  });

  it('in the keychain is found for its own server only', async () => {
    const mine = await server(KEY);
    const other = await server();
    const secrets = new Map<string, string>();
    const keychain = {
      get: async (account: string) => secrets.get(account) ?? null,
      set: async (account: string, secret: string) => void secrets.set(account, secret),
      remove: async (account: string) => void secrets.delete(account),
    };
    await runCli(['auth', 'login', mine.url, '--with-key', '--context=x'], { env, stdin: KEY, keychain });
    const file = join(directory, 'config.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace(mine.url, other.url), { mode: 0o600 });
    expect(await runCli(['auth', 'status'], { env, keychain })).toMatchObject({ code: 3 });
    expect(other.shown()).toEqual([]);
  });

  it('is for paths of its server, even where a whole URL is typed', async () => {
    const mine = await server(KEY);
    const other = await server();
    await login(mine.url, KEY);
    expect(await runCli(['api', `${mine.url}/me`, '--jq=.user.email'], { env })).toMatchObject({
      out: 'ana@acme.test\n',
    });
    for (const target of [`${other.url}/me`, `${mine.url}.evil.test/me`, `${mine.origin}@evil.test/v1/me`]) {
      expect(await runCli(['api', target], { env })).toMatchObject({ code: 2, out: '' });
    }
    expect(other.received).toEqual([]);
  });
});

describe('a key from the environment', () => {
  it('goes where the user says', async () => {
    const mine = await server(KEY);
    const other = await server(OTHER);
    await login(mine.url, KEY);
    const variables = { ...env, HUBLINE_API_KEY: OTHER };
    expect(await runCli(['auth', 'status', `--base-url=${other.url}`], { env: variables })).toMatchObject({
      code: 0,
    });
    expect(
      await runCli(['auth', 'status'], { env: { ...variables, HUBLINE_BASE_URL: other.url } }),
    ).toMatchObject({ code: 0 });
    expect(mine.shown()).not.toContain(`Bearer ${OTHER}`);
  });

  it('does not go where only a project says', async () => {
    const mine = await server(OTHER);
    const other = await server(KEY);
    await login(other.url, KEY, ['--context=other']);
    await login(mine.url, OTHER);
    const cwd = join(directory, 'project');
    await mkdir(cwd);
    await writeFile(join(cwd, '.hubline.toml'), 'context = "other"\n');
    const variables = { ...env, HUBLINE_API_KEY: OTHER };
    const { code, err } = await runCli(['auth', 'status'], { env: variables, cwd });
    expect({ code, said: err.includes('Add --context other') }).toEqual({ code: 3, said: true });
    expect(other.shown()).not.toContain(`Bearer ${OTHER}`);
    // The saved key of that context may go there: that is what the file is for.
    expect(await runCli(['auth', 'status'], { env, cwd })).toMatchObject({ code: 0 });
    expect(await runCli(['auth', 'status', '--context=other'], { env: variables, cwd })).toMatchObject({
      code: 3,
    });
    expect(other.shown()).toContain(`Bearer ${OTHER}`);
  });
});

describe('a second login', () => {
  it('with another key replaces the first only when that is meant', async () => {
    const { url, host } = await server(KEY, OTHER);
    await login(url, KEY);
    expect(await login(url, KEY)).toMatchObject({ code: 0 });
    const refused = await login(url, OTHER);
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 5, out: '' });
    expect(refused.err).toContain('--context <name>');
    expect(refused.err).toContain('--force');
    expect(await login(url, OTHER, [], true, [false])).toMatchObject({ code: 2 });
    expect(await saved()).toMatchObject({ [host]: { api_key: KEY } });
    expect(await login(url, OTHER, ['--context=second'])).toMatchObject({ code: 0 });
    expect(await saved()).toMatchObject({ [host]: { api_key: KEY }, second: { api_key: OTHER } });
    expect(await login(url, OTHER, [], true, [true])).toMatchObject({ code: 0 });
    expect(await login(url, KEY, ['--force'])).toMatchObject({ code: 0 });
    expect(await saved()).toMatchObject({ [host]: { api_key: KEY }, second: { api_key: OTHER } });
  });

  it('to another server does not take over a context', async () => {
    const [first, second] = [await server(KEY), await server(OTHER)];
    await login(first.url, KEY, ['--context=mine']);
    expect(await login(second.url, OTHER, ['--context=mine'])).toMatchObject({ code: 5 });
    expect(await saved()).toMatchObject({ mine: { base_url: first.url, api_key: KEY } });
  });

  it('by the name of a context goes to the server of that context', async () => {
    const { url } = await server(KEY);
    await login(url, KEY, ['--context=mine']);
    await runCli(['auth', 'logout', 'mine'], { env });
    const line = ['auth', 'login', '--context=mine', '--with-key'];
    expect(await runCli(line, { env, stdin: KEY })).toMatchObject({ code: 0 });
    expect(await saved()).toMatchObject({ mine: { base_url: url, api_key: KEY } });
  });
});

describe('auth login asks the server before the key is shown to it', () => {
  const line = (url: string) => ['auth', 'login', url, '--with-key'];

  it('finds the API behind an address without its path', async () => {
    const api = await fakeApi(({ path, headers }) => {
      if (path !== '/hub/v1/me') return { status: 404, text: 'no', headers: { 'content-type': 'text/html' } };
      return headers.authorization
        ? { body: { user: {}, key: {}, memberships: [] } }
        : errorResponse(401, 'unauthorized');
    });
    const { origin } = new URL(api.env.HUBLINE_BASE_URL);
    expect(await runCli(line(`${origin}/hub`), { env, stdin: KEY })).toMatchObject({ code: 0 });
    expect(Object.values(await saved())).toMatchObject([{ base_url: `${origin}/hub/v1` }]);
  });

  it.each([
    [
      'what is not Hubline',
      { text: '<html>', headers: { 'content-type': 'text/html' } },
      'but it is not Hubline',
    ],
    ['what is not ready', errorResponse(503, 'service_unavailable'), 'is not ready: it responded with 503'],
  ])('refuses %s, and shows it no key', async (_, answer, message) => {
    const api = await fakeApi(() => answer);
    const { code, err } = await runCli(line(api.env.HUBLINE_BASE_URL), { env, stdin: KEY });
    expect({ code, said: err.includes(message) ? message : err }).toEqual({ code: 7, said: message });
    expect(api.received.filter(({ headers }) => headers.authorization)).toEqual([]);
  });

  it('says what to do when nobody answers', async () => {
    const { code, err } = await runCli(line('127.0.0.1:1'), { env, stdin: KEY });
    expect({ code, err }).toEqual({
      code: 7,
      err: 'Error: Nothing responds at http://127.0.0.1:1.\nIs the server running? Start it in its own directory, or with --data <dir>: hubline server start --port 1\n',
    });
  });
});
