import { expect, it } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { realServer } from '../../test/real-server.ts';
import { runCli } from '../../test/run-cli.ts';

const { server, cli, json } = await realServer();

const as = (key: string | undefined, ...line: string[]) => cli(line, { env: { HUBLINE_API_KEY: key ?? '' } });

it('makes a key that may do what its scopes say, and no more', async () => {
  const { key } = await json('key', 'create', '--name=ci', '--scope=events:read');
  expect(await as(key, 'event', 'list', '--json')).toMatchObject({ code: 0, out: '[]\n' });
  const { code, err } = await as(key, 'event', 'publish', '--type=push');
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('events:write') });
});

it('says where to log in with a new key, and tells a program nothing', async () => {
  const { baseUrl } = server;
  expect((await cli(['key', 'create', '--name=a'])).err).toBe(
    `Log in with it: hubline auth login ${baseUrl}. In a script, set HUBLINE_API_KEY.\n`,
  );
  expect((await cli(['key', 'create', '--name=a', '--json'])).err).toBe('');
});

it('says that a key ends with the key that made it, and names the flag of a later end', async () => {
  const { key, expires_at: end } = await json('key', 'create', '--name=short', '--expires=1d');
  const made = await as(key, 'key', 'create', '--name=made');
  expect(made.out).toContain(`, which works until ${end}. It is shown only now:`);
  const { code, err } = await as(key, 'key', 'create', '--name=late', '--expires=2d');
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringContaining(`--expires must not be after the calling key stops working, ${end};`),
  });
  expect((await cli(['key', 'create', '--name=a'])).out).not.toContain('works until');
});

it('rotates a key, with the old secret for a while or not at all, and revokes it', async () => {
  const made = await json('key', 'create', '--name=app');
  const id = made['id'] ?? '';
  const works = async (key: string | undefined) => (await as(key, 'workspace', 'get', '-q')).code;
  const second = await json('key', 'rotate', id, '--overlap=1h');
  expect([await works(made['key']), await works(second['key'])]).toEqual([0, 0]);
  const third = await json('key', 'rotate', id);
  expect([await works(second['key']), await works(third['key'])]).toEqual([3, 0]);
  await json('key', 'revoke', id);
  expect(await works(third['key'])).toBe(3);
  expect(await json('key', 'get', id)).toMatchObject({ status: 'revoked' });
});

it.each([
  [[], 'No keys. For your own keys: hubline key list --personal\n'],
  [['--personal'], 'No keys.\n'],
])('says where other keys are when the list of key list %j is empty', async (flags, err) => {
  const body = { data: [], pagination: { next_cursor: null, has_more: false } };
  const { env } = await fakeApi(() => ({ body }));
  expect(await runCli(['key', 'list', ...flags], { env })).toEqual({ code: 0, out: '', err });
});
