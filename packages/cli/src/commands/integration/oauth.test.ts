import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

/** GitHub, as far as OAuth needs it. It denies access to the client `refused`. */
const github = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://github.test');
  if (url.pathname === '/login/oauth/authorize') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    if (url.searchParams.get('client_id') === 'refused') back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', 'one-time-code');
    response.writeHead(302, { location: back.href }).end();
    return;
  }
  const body =
    url.pathname === '/login/oauth/access_token'
      ? { access_token: 'gho_granted', token_type: 'bearer' }
      : { login: 'octocat' };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
await new Promise<void>((resolve) => {
  github.listen(0, '127.0.0.1', resolve);
});
afterAll(() => void github.close());
const githubUrl = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;

const { cli, json } = await realServer({
  env: { HUBLINE_GITHUB_API_URL: githubUrl, HUBLINE_GITHUB_OAUTH_URL: githubUrl },
});

/** A browser in which a person continues to GitHub and comes back. */
const BROWSER = `
let cookie = '';
const open = async (url) => {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
  return response;
};
const page = await (await open(process.argv[2])).text();
const link = /<a href="([^"]+)">Continue/.exec(page)[1].replaceAll('&amp;', '&');
await open((await fetch(link, { redirect: 'manual' })).headers.get('location'));
`;

async function withBrowser() {
  const PATH = await temporaryDirectory();
  await writeFile(join(PATH, 'browser.mjs'), BROWSER);
  await writeFile(join(PATH, 'xdg-open'), `#!/bin/sh\nexec '${process.execPath}' "$PATH/browser.mjs" "$1"\n`);
  await chmod(join(PATH, 'xdg-open'), 0o755);
  return PATH;
}

const configure = (clientId: string) =>
  cli(['provider', 'configure', 'github', `--client-id=${clientId}`, '--client-secret-file=-', '--json'], {
    stdin: 's3cret-of-the-app\n',
  });

describe('an OAuth app', () => {
  it('is configured, listed without its secret, and removed', async () => {
    const apps = await json<{ provider: string; configured: boolean; redirect_uri: string }[]>(
      'provider',
      'apps',
    );
    const before = apps.find(({ provider }) => provider === 'github');
    expect(before).toMatchObject({ configured: false });
    expect(before?.redirect_uri).toMatch(/\/v1\/integrations\/oauth\/github\/callback$/);
    const { code, out } = await configure('Iv1.a');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ configured: true, client_id: 'Iv1.a' });
    expect(out).not.toContain('s3cret');
    await json('provider', 'unconfigure', 'github');
    const { code: gone, err } = await cli(['provider', 'unconfigure', 'github', '--yes']);
    expect({ gone, err }).toEqual({ gone: 4, err: expect.stringContaining('No such OAuth app') });
  });

  it('is what connecting with OAuth needs', async () => {
    const { code, err } = await cli(['integration', 'connect', 'github', '--oauth']);
    expect({ code, err }).toEqual({
      code: 5,
      err: expect.stringContaining('hubline provider configure github'),
    });
  });
});

it.skipIf(process.platform !== 'linux').each([
  ['file:///usr/bin/program', null],
  ['--version', null],
  ['\\\\files.test\\program.exe', null],
  ['https://hub.test/start?token=x', 'https://hub.test/start?token=x'],
])('of a server that names %s, the browser opens %s', async (url, opened) => {
  const PATH = await temporaryDirectory();
  await writeFile(join(PATH, 'xdg-open'), `#!/bin/sh\necho "$1" > '${PATH}/opened'\n`);
  await chmod(join(PATH, 'xdg-open'), 0o755);
  const api = await fakeApi(({ method, path }) => {
    if (method === 'POST') return { status: 201, body: { flow_id: 'oaf_1', url } };
    return path.includes('/oauth-flows/') ? { body: { status: 'failed', error: 'No.' } } : undefined;
  });
  const line = ['integration', 'connect', 'github', '--oauth', '--color=never'];
  const { code, err } = await runCli(line, { env: { ...api.env, PATH }, tty: true });
  expect({ code, err }).toEqual({ code: 9, err: expect.stringContaining(url) });
  const file = await readFile(join(PATH, 'opened'), 'utf8').catch(() => null);
  expect(file?.trim() ?? null).toBe(opened);
});

it('takes no secret, and names the flag that was typed', async () => {
  const line = ['integration', 'connect', 'github', '--oauth', '--credential=token=-'];
  const { code, err } = await cli(line, { stdin: 'ghp_x' });
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('leave out --credential token') });
});

describe.skipIf(process.platform !== 'linux')('connecting in the browser', () => {
  it('opens it, waits for the decision, and shows the integration', async () => {
    await configure('Iv1.a');
    const line = ['integration', 'connect', 'github', '--oauth', '--channel=octo/web', '--color=never'];
    const { code, out, err } = await cli(line, { tty: true, env: { PATH: await withBrowser() } });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Waiting for your decision') });
    expect(out).toMatch(/Connected github \(int_\w+\)/);
    const [connected] = await json<Record<string, string>[]>('integration', 'list');
    expect(connected).toMatchObject({ provider: 'github', status: 'connected' });
    expect(await json('integration', 'get', connected?.['integration_id'] ?? '')).toMatchObject({
      config: { channel: 'octo/web' },
    });
  });

  it('says why nothing was connected', async () => {
    await configure('refused');
    const { code, err } = await cli(['integration', 'connect', 'github', '--oauth', '--color=never'], {
      tty: true,
      env: { PATH: await withBrowser() },
    });
    expect({ code, err }).toEqual({
      code: 9,
      err: expect.stringMatching(/you declined, or are not allowed to grant\s+access/),
    });
  });
});

it('names what was typed where a secret is given with --oauth, or a credential is missing', async () => {
  const secret = await cli(['integration', 'connect', 'github', '--oauth', '--credential=token=-'], {
    stdin: 'ghp_1',
  });
  expect(secret.code).not.toBe(0);
  expect(secret.err).toMatch(/^Error: --credential token is not a known field/);
  expect(secret.err).toContain('leave out --credential token');
  expect(secret.err).not.toContain('settings.');
  const missing = await cli(['integration', 'connect', 'github']);
  expect(missing.err).toMatch(/^Error: --credential token is required/);
});
