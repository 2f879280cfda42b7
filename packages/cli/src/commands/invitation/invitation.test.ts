import { Hubline } from '@hubline/sdk';
import { bootstrap, parseServerConfig } from '@hubline/server';
import { startTestServer, type TestServer } from '@hubline/server/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../test/run-cli.ts';

const PASSWORD = 'correct horse battery';
let server: TestServer;
let owner: Hubline;
beforeEach(async () => {
  server = await startTestServer();
  onTestFinished(() => server.stop());
  owner = new Hubline({ baseURL: server.baseUrl, apiKey: server.apiKey });
});

const invite = async (email: string, workspaceId = server.workspaceId) =>
  (await owner.members.invite(workspaceId, { email, role: 'admin' })).invite_url;
const accept = (line: string[], { key, stdin }: { key?: string; stdin: string }) =>
  runCli(['invitation', 'accept', '--token-file=-', ...line], {
    env: { HUBLINE_BASE_URL: server.baseUrl, ...(key !== undefined && { HUBLINE_API_KEY: key }) },
    stdin,
  });
/** A personal key of somebody who has joined the workspace of the owner. */
async function keyOf(email: string): Promise<string> {
  const token = new URL(await invite(email)).searchParams.get('token') ?? '';
  await new Hubline({ baseURL: server.baseUrl, apiKey: null }).invitations.accept({ token });
  return (await bootstrap(parseServerConfig(server.storage, {}), { email, newKey: true })).api_key;
}
const other = async () => (await owner.workspaces.create({ name: 'Other', slug: 'other' })).id;

/** An address that a shell would take for commands. */
const STRANGE = 'li`id`|sh@acme.test';

describe('invitation accept', () => {
  it('names an address in a command as one word for a shell', async () => {
    const { err } = await accept([], { stdin: await invite(STRANGE) });
    expect(err).toContain(`hubline server set-password '${STRANGE}'\n`);
  });

  it('makes somebody new a member, by the whole link and without a key', async () => {
    const { code, out, err } = await accept(['--json'], { stdin: `${await invite('li@acme.test')}\n` });
    expect(err).toContain('li@acme.test cannot log in yet');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ email: 'li@acme.test', role: 'admin', status: 'active' }),
    ]);
  });

  it('asks whoever has an account to log in, and takes their personal key', async () => {
    const key = await keyOf('sam@acme.test');
    const stdin = await invite('sam@acme.test', await other());
    const nobody = await accept([], { stdin });
    expect([nobody.code, nobody.err]).toEqual([3, expect.stringContaining('sam@acme.test has an account')]);
    const owners = await accept([], { stdin, key: server.apiKey });
    expect([owners.code, owners.err]).toEqual([3, expect.stringContaining('you are owner@example.com')]);
    const { code, out } = await accept(['--json'], { stdin, key });
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ email: 'sam@acme.test' })]);
  });

  it('needs a new password to take an account over', async () => {
    const { code, err } = await accept(['--take-over'], { stdin: 'token' });
    expect([code, err]).toEqual([2, expect.stringContaining('--password-file')]);
  });
});

describe('server set-password', () => {
  const set = (email: string, ...line: string[]) =>
    runCli(['server', 'set-password', email, '--password-file=-', '--json', ...line], {
      env: { HUBLINE_DATA: server.data },
      stdin: PASSWORD,
    });

  it('revokes the keys of an account that began with a link, the first time, unless told to keep them', async () => {
    const keys = [await keyOf('ana@acme.test'), await keyOf('bo@acme.test')];
    const [ana, bo] = [await set('ana@acme.test'), await set('bo@acme.test', '--keep-keys')];
    expect([JSON.parse(ana.out), JSON.parse(bo.out)]).toMatchObject([
      { keys_revoked: 1 },
      { keys_revoked: 0 },
    ]);
    const [gone, kept] = keys.map(
      (apiKey) => new Hubline({ baseURL: server.baseUrl, apiKey: apiKey ?? null }),
    );
    await expect(gone?.me.get()).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await kept?.me.get())?.user.email).toBe('bo@acme.test');
    const owners = await set('owner@example.com');
    expect(JSON.parse(owners.out)).toMatchObject({ keys_revoked: 0 });
    await owner.me.get();
  });
});
