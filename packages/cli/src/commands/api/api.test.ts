import { expect, it } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { realServer } from '../../test/real-server.ts';
import { runCli } from '../../test/run-cli.ts';

const { server, cli } = await realServer();

it('asks for anything below the base URL, and fills in the workspace', async () => {
  expect(await cli(['api', '/workspaces/{workspace}', '--jq=.slug'])).toEqual({
    code: 0,
    out: 'acme\n',
    err: '',
  });
});

it('sends typed fields, and follows every page of a list', async () => {
  for (const type of ['push', 'release', 'issue']) {
    const line = [
      'api',
      'POST',
      'workspaces/{workspace}/events',
      '-f',
      `type=${type}`,
      '-F',
      'payload={"n":1}',
    ];
    expect(await cli([...line, '--jq=.type'])).toMatchObject({ code: 0, out: `${type}\n` });
  }
  const list = ['api', 'workspaces/{workspace}/events?limit=1', '--all', '--jq=map(.type) | join(" ")'];
  expect(await cli(list)).toMatchObject({ code: 0, out: 'issue release push\n' });
});

it('shows status and headers with --include', async () => {
  const { out } = await cli([
    'api',
    'me',
    '--include',
    '--jq={status, id: .headers["x-request-id"], email: .body.user.email}',
  ]);
  expect(JSON.parse(out)).toEqual({
    status: 200,
    id: expect.stringMatching(/^req_\w+$/),
    email: 'owner@example.com',
  });
});

it('refuses --include with --all, which may read several responses', async () => {
  expect(await cli(['api', 'workspaces/{workspace}/events', '--all', '--include'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('--include shows one response'),
  });
});

it('passes on what the server refuses, with its exit code', async () => {
  expect(await cli(['api', 'webhooks/whk_none', '--json'])).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringContaining('"code":"not_found"'),
  });
  const { code, err } = await cli(['api', 'POST', 'workspaces/{workspace}/events', '-f', 'tipe=push']);
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('did you mean type') });
});

it('names a field of the body as the user wrote it, not as a flag', async () => {
  expect(await cli(['api', 'POST', '/webhooks', '-f', 'name=x'])).toMatchObject({
    code: 6,
    err: expect.stringContaining('\n  workspace_id: is required in the body'),
  });
});

it.each([
  ['//host/v1/me', 'starts with two slashes'],
  ['/members/li wei', 'Write %20 instead'],
  ['/me#top', 'Write %23 instead'],
  ['/workspaces/../me', 'has the part ".."'],
  ['C:/Program Files/Git/me', 'Leave out the first slash, such as: hubline api me'],
  ['C:/msys64/me', 'Leave out the first slash, such as: hubline api me'],
])('refuses the path %s in words that fit a command line', async (path, told) => {
  const { code, out, err } = await cli(['api', 'GET', path]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(told);
  expect(err).not.toContain('encodeURIComponent');
});

it('refuses a method that is named twice, before it sends anything', async () => {
  expect(await cli(['api', '-X', 'POST', 'GET', 'me'])).toEqual({
    code: 2,
    out: '',
    err: 'Error: The method is given twice: GET and POST.\nLeave out --method.\n',
  });
});

it('sends the key to no other server', async () => {
  const { code, err } = await cli(['api', `${server.url.replace('127.0.0.1', 'localhost')}/v1/me`]);
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('a key is sent only to its own server'),
  });
});

it('prints rows with a column for each field, and a page as its items', async () => {
  const { out: me } = await cli(['api', 'me', '-o', 'csv']);
  expect(me).toMatch(/^user,key,memberships\r\n"\{""id"":""usr_/);
  const list = ['api', 'workspaces/{workspace}/members'];
  const csv = /^user_id,email,role,status,joined_at\r\nusr_\w+,owner@example\.com,owner,active,\S+\r\n$/;
  expect((await cli([...list, '-o', 'csv'])).out).toMatch(csv);
  expect((await cli([...list, '--all', '-o', 'csv'])).out).toMatch(csv);
  expect((await cli([...list, '-o', 'tsv'])).out).toMatch(
    /^usr_\w+\towner@example\.com\towner\tactive\t\S+\n$/,
  );
  expect((await cli([...list, '-o', 'table'])).out).toMatch(/^USER ID +EMAIL +ROLE +STATUS +JOINED\n/);
  expect(await cli(['api', 'workspaces/{workspace}/events?limit=1', '-o', 'csv'])).toMatchObject({
    out: expect.stringMatching(/^event_id,.*\r\nevt_.*\r\n$/),
    err: 'This is the first page. For all items, add --all.\n',
  });
});

it.each([
  [['a', 'b,c'], 'csv', 'value\r\na\r\n"b,c"\r\n'],
  [['a', 'b'], 'table', 'VALUE\na\nb\n'],
  [[{ a: 1 }, { b: '=1' }], 'csv', "a,b\r\n1,\r\n,'=1\r\n"],
  [[{ a: 1 }, 2], 'tsv', '1\t\n\t2\n'],
  [{ 'x.y': 1, x: { y: 2 } }, 'csv', 'x.y,x\r\n1,"{""y"":2}"\r\n'],
  [3, 'csv', 'value\r\n3\r\n'],
  [[], 'csv', ''],
  [{ data: [{ id: 'a' }, { id: 'b' }], pagination: { next_cursor: null } }, 'id', 'a\nb\n'],
  [{ data: [{ event_id: 'a', n: 1 }, { n: 2 }], pagination: { next_cursor: null } }, 'id', 'a\n'],
])('prints %j as %s', async (body, format, out) => {
  const api = await fakeApi(() => ({ body }));
  expect(await runCli(['api', 'x', '-o', format], api)).toMatchObject({ code: 0, out });
});

it.each(['csv', 'tsv', 'table', 'id'])(
  'prints nothing as %s for a response without a body',
  async (format) => {
    const api = await fakeApi(() => ({ status: 204, text: '' }));
    expect(await runCli(['api', 'DELETE', 'x', '-o', format], api)).toEqual({ code: 0, out: '', err: '' });
  },
);

it('prints a response that is not JSON as it is, and as a string where JSON is wanted', async () => {
  const path = 'workspaces/{workspace}/audit-log?format=csv';
  const { code, out } = await cli(['api', path]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^"id","created_at","action",/) });
  expect((await cli(['api', path, '-o', 'csv'])).out).toMatch(/^"id","created_at","action",/);
  expect(JSON.parse((await cli(['api', path, '--json'])).out)).toMatch(/^"id","created_at"/);
  expect(JSON.parse((await cli(['api', path, '-i'])).out)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/csv; charset=utf-8' },
    body: expect.stringMatching(/^"id"/),
  });
});

it.each([
  ['a page of a proxy', { headers: { 'content-type': 'text/html', 'x-request-id': '' }, text: '<html>' }],
  ['broken JSON', { text: '{"a":' }],
])('refuses %s', async (_, response) => {
  const api = await fakeApi(() => response);
  expect(await runCli(['api', 'me'], api)).toMatchObject({ code: 7, out: '' });
});
