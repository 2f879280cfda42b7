import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { server, cli, json } = await realServer();

it('tells the user, the key and the workspaces', async () => {
  const { out } = await cli(['whoami']);
  expect(out).toMatch(
    /^owner@example\.com \(usr_\w+\)\n {2}key hl_\w{6}… ".+", \*\n {2}owner of acme \(ws_\w+\)\n$/,
  );
  expect(out).not.toContain(server.apiKey);
});

it('tells the limits of a key', async () => {
  const { key = '' } = await json('key', 'create', '--name=ci', '--role=viewer', '--scope=events:read');
  const { out } = await cli(['whoami'], { env: { HUBLINE_API_KEY: key } });
  expect(out).toContain('"ci", at most viewer, events:read\n');
});

it('refuses a key that the server does not know', async () => {
  expect(await cli(['whoami'], { env: { HUBLINE_API_KEY: `${server.apiKey}x` } })).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('hubline auth status'),
  });
});
