import { describe, expect, it } from 'vitest';
import { errorResponse, fakeApi } from '../../test/fake-api.ts';
import { realServer } from '../../test/real-server.ts';
import { runCli, type RunOptions, temporaryDirectory } from '../../test/run-cli.ts';

const { server, json } = await realServer();

/** The command line of a new user: nothing is saved yet. */
async function newUser() {
  const env = { HUBLINE_CONFIG_DIR: await temporaryDirectory() };
  return (line: readonly string[], more: RunOptions = {}) => runCli(line, { env, ...more });
}

it('saves a login, acts with it, and forgets it', async () => {
  const cli = await newUser();
  const login = await cli(['auth', 'login', server.url, '--with-key'], { stdin: `${server.apiKey}\n` });
  expect(login).toEqual({
    code: 0,
    out: expect.stringMatching(/^✓ Logged in to http:\/\/127\.0\.0\.1:\d+\/v1 as owner@example\.com/),
    err: expect.stringContaining('See what comes in: hubline event tail'),
  });
  expect((await cli(['auth', 'token'])).out).toBe(`${server.apiKey}\n`);
  expect((await cli(['auth', 'status', '--json=email'])).out).toBe('{"email":"owner@example.com"}\n');
  expect(await cli(['auth', 'logout'])).toMatchObject({ code: 0 });
  expect(await cli(['whoami'])).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('hubline auth login'),
  });
});

it('keeps two logins side by side, and switches between them', async () => {
  const cli = await newUser();
  const { key } = await json('key', 'create', '--name=ci');
  for (const [context, secret] of [
    ['own', server.apiKey],
    ['ci', key ?? ''],
  ] as const) {
    const line = ['auth', 'login', server.url, '--with-key', `--context=${context}`];
    expect(await cli(line, { stdin: secret })).toMatchObject({ code: 0 });
  }
  expect((await cli(['whoami', '--jq=.key.name'])).out).toBe('ci\n');
  expect(await cli(['auth', 'switch', 'own'])).toMatchObject({ code: 0 });
  expect((await cli(['whoami', '--jq=.key.name'])).out).not.toBe('ci\n');
  expect((await cli(['auth', 'list', '--jq=map(.name) | sort | join(" ")'])).out).toBe('ci own\n');
});

it('loses nothing that another command saves while a login is under way', async () => {
  const cli = await newUser();
  const other = ['auth', 'login', server.url, '--with-key', '--context=other'];
  const keychain = {
    get: async () => null,
    set: async () => {
      expect(await cli(other, { stdin: server.apiKey })).toMatchObject({ code: 0 });
      throw new Error('It is locked.');
    },
    remove: async () => undefined,
  };
  const line = ['auth', 'login', server.url, '--with-key', '--context=own'];
  expect(await cli(line, { stdin: server.apiKey, keychain })).toMatchObject({ code: 0 });
  for (const context of ['own', 'other'])
    expect((await cli(['auth', 'token', `--context=${context}`])).out).toBe(`${server.apiKey}\n`);
});

it('takes any word for the name of a context, with a keychain, too', async () => {
  const cli = await newUser();
  const entries = new Map<string, string>();
  const keychain = {
    get: async (account: string) => entries.get(account) ?? null,
    set: async (account: string, key: string) => void entries.set(account, key),
    remove: async (account: string) => void entries.delete(account),
  };
  const line = ['auth', 'login', server.url, '--with-key', '--context=constructor'];
  expect(await cli(line, { stdin: server.apiKey, keychain })).toMatchObject({ code: 0 });
  expect((await cli(['auth', 'token'], { keychain })).out).toBe(`${server.apiKey}\n`);
});

it('saves nothing for a key that the server does not know', async () => {
  const cli = await newUser();
  const line = ['auth', 'login', server.url, '--with-key'];
  expect(await cli(line, { stdin: 'hl_wrong' })).toMatchObject({ code: 3, out: '' });
  expect((await cli(['auth', 'list', '--json'])).out).toBe('[]\n');
});

it('says how to get a workspace: by making one, or by choosing one', async () => {
  await json('workspace', 'delete', 'acme', '--confirm=acme');
  const cli = await newUser();
  const login = () => cli(['auth', 'login', server.url, '--with-key'], { stdin: server.apiKey });
  expect((await login()).err).toContain('Create a workspace: hubline workspace create\n');
  for (const slug of ['one', 'two']) await json('workspace', 'create', `--name=${slug}`, `--slug=${slug}`);
  const { err } = await login();
  expect(err).toMatch(/Choose a workspace, one of (?:one, two|two, one): hubline workspace use <slug>/);
});

describe('auth login --browser', () => {
  it('says so when the server has no dashboard, before it asks for anything', async () => {
    const none = await fakeApi(({ path }) =>
      path === '/me' ? errorResponse(401, 'unauthorized') : errorResponse(404, 'not_found'),
    );
    const line = ['auth', 'login', '--browser', '--color=never', `--base-url=${none.env.HUBLINE_BASE_URL}`];
    const { code, err } = await runCli(line, { tty: true });
    expect(code).toBe(4);
    expect(err).toMatch(
      / has no dashboard\.\nIf it runs from a clone, .* Create a key with hubline --base-url \S+ key create/,
    );
    expect(await runCli(line)).toMatchObject({ code: 2, out: '' });
  });
});
