import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

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
