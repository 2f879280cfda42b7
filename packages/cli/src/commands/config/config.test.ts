import { beforeAll, expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { runCli } from '../../test/run-cli.ts';

const { server, json } = await realServer();

const cli = (...line: string[]) => runCli(line);

beforeAll(async () => {
  await json('workspace', 'create', '--name=Beta', '--slug=beta');
  const login = ['auth', 'login', server.url, '--with-key', '--workspace=acme'];
  expect(await runCli(login, { stdin: server.apiKey })).toMatchObject({ code: 0 });
});

it('sets what the next commands act on', async () => {
  expect((await cli('workspace', 'get', '--jq=.slug')).out).toBe('acme\n');
  expect(await cli('config', 'set', 'workspace', 'beta')).toMatchObject({ code: 0 });
  expect((await cli('workspace', 'get', '--jq=.slug')).out).toBe('beta\n');
  expect((await cli('config', 'get', 'workspace')).out).toContain('beta');
  expect(await cli('config', 'unset', 'workspace')).toMatchObject({ code: 0 });
  const { code, err } = await cli('workspace', 'get');
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/this key can see 2: (?:acme, beta|beta, acme)\./),
  });
});

it('explains what is in use and where that comes from, and shows no key', async () => {
  const { out } = await cli('config', 'explain', '--retries=1', '--json');
  const rows = JSON.parse(out) as { setting: string; value: string; source: string }[];
  const row = (name: string) => rows.find(({ setting }) => setting === name);
  expect(row('base_url')).toMatchObject({
    value: server.baseUrl,
    source: expect.stringContaining('context'),
  });
  expect(row('retries')).toMatchObject({ value: '1', source: '--retries' });
  expect(out).not.toContain(server.apiKey);
});

it('keeps the key of a server from another one', async () => {
  const { code, err } = await cli('config', 'set', 'base_url', 'https://hub.example.com/v1');
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('and is sent nowhere else.') });
});

it('says how to set what is not set', async () => {
  expect(await cli('config', 'get', 'pager')).toMatchObject({
    code: 4,
    out: '',
    err: 'Error: pager is not set.\nSet it with: hubline config set pager <value>\n',
  });
});
