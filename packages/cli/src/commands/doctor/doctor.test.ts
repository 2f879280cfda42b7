import { startTestServer } from '@hubline/server/testing';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorResponse, fakeApi } from '../../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

describe('doctor', () => {
  const statuses = (out: string) =>
    Object.fromEntries(
      (JSON.parse(out) as { check: string; status: string }[]).map(({ check, status }) => [check, status]),
    );

  it('says what is wrong, what to do about it, and ends with 9', async () => {
    const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { code, out } = await runCli(['doctor', '--json=check,status'], { env });
    expect(code).toBe(9);
    expect(statuses(out)).toMatchObject({
      configuration: 'ok',
      keychain: 'skipped',
      settings: 'failed',
      environment: 'warning',
      server: 'failed',
      key: 'skipped',
      workspace: 'skipped',
      integrations: 'skipped',
    });
    // One cause is one failure, even with a key that could be checked.
    const withKey = await runCli(['doctor'], { env: { ...env, HUBLINE_API_KEY: 'hl_x' } });
    expect(withKey.out.match(/Nothing responds/g)).toHaveLength(1);
    expect(withKey.err).toBe('Error: 1 of 10 checks failed: server.\nThe line below each says what to do.\n');
    expect((await runCli(['doctor'], { env })).out).toContain(
      'Start it in its own directory, or with --data <dir>: hubline server start',
    );
  });

  it.each([
    ['http://ana:secret@proxy.test:3128', 'ok', 'requests to other machines go through proxy.test:3128'],
    ['proxy.test:3128', 'warning', 'HTTPS_PROXY is not a URL'],
    ['proxy', 'warning', 'HTTPS_PROXY is not a URL'],
  ])('checks the proxy %s', async (proxy, status, message) => {
    const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1', HTTPS_PROXY: proxy };
    const { out } = await runCli(['doctor', '--json=check,status,message'], { env });
    expect(JSON.parse(out)).toContainEqual({ check: 'environment', status, message });
  });

  it('warns of a proxy that this version of Node ignores', async () => {
    const flags = vi.spyOn(process, 'allowedNodeEnvironmentFlags', 'get').mockReturnValue(new Set());
    onTestFinished(() => flags.mockRestore());
    const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://proxy.test:3128' };
    const { out } = await runCli(['doctor', '--json=check,status,message'], { env });
    expect(JSON.parse(out)).toContainEqual({
      check: 'environment',
      status: 'warning',
      message: `Node.js ${process.versions.node} ignores HTTPS_PROXY`,
    });
  });

  it('reports a key that the server refuses, and a clock that is wrong', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const api = await fakeApi(({ path }) =>
      path === '/readyz' ? { body: { status: 'ok' }, headers: { date } } : errorResponse(401, 'unauthorized'),
    );
    const { out } = await runCli(['doctor', '--json=check,status'], { env: api.env });
    expect(statuses(out)).toMatchObject({ server: 'warning', key: 'failed', workspace: 'ok' });
  });

  it('does not mistake another server for Hubline, whatever it returns with 200', async () => {
    const api = await fakeApi(() => ({ body: {} }));
    const { code, out } = await runCli(['doctor'], { env: api.env });
    expect(code).toBe(9);
    expect(out).toContain('responds, but it is not Hubline');
  });

  it('finds nothing broken in a key of several workspaces, and says how to choose one', async () => {
    const api = await fakeApi(({ path }) => ({
      body:
        path === '/me'
          ? {
              user: { email: 'ana@acme.test' },
              key: { prefix: 'hl_a', expires_at: null },
              memberships: [{ slug: 'one' }, { slug: 'two' }],
            }
          : { status: 'ok' },
    }));
    const env = { ...api.env, HUBLINE_WORKSPACE: '' };
    const { code, out } = await runCli(['doctor'], { env });
    expect(code).toBe(0);
    expect(out).toContain('this key can see 2: one, two.');
    expect(out).toContain('hubline workspace use <slug>');
  });

  it.skipIf(process.platform === 'win32')('fixes what others can read, and what a crash left', async () => {
    const directory = join(await temporaryDirectory(), 'config');
    await mkdir(directory, { mode: 0o755 });
    const file = join(directory, 'config.json');
    await writeFile(file, '{"contexts":{}}', { mode: 0o644 });
    await chmod(file, 0o644);
    await writeFile(join(directory, 'config.json.0123456789ab'), '{}');
    const run = (...more: string[]) =>
      runCli(['doctor', '--json=check,status', ...more], { env: { HUBLINE_CONFIG_DIR: directory } });
    expect(statuses((await run()).out)).toMatchObject({ configuration: 'failed', leftovers: 'warning' });
    expect(statuses((await run('--fix')).out)).toMatchObject({ configuration: 'fixed', leftovers: 'fixed' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(statuses((await run()).out)).toMatchObject({ configuration: 'ok', leftovers: 'ok' });
  });
});

it('finds nothing wrong where nothing is', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  const { code, out } = await runCli(['doctor', '--json=check,status'], { env });
  const rows = JSON.parse(out) as { check: string; status: string }[];
  expect({ code, wrong: rows.filter(({ status }) => !['ok', 'skipped'].includes(status)) }).toEqual({
    code: 0,
    wrong: [],
  });
  expect(rows).toContainEqual({ check: 'server', status: 'ok' });
  expect(rows).toContainEqual({ check: 'key', status: 'ok' });
});
