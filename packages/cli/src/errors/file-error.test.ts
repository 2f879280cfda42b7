import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { errorResponse, fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';

let blocked: string;
beforeEach(async () => {
  // There is no directory below a file, not even for root. Permissions would not stop the user of most CI machines.
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  blocked = join(file, 'hubline');
});

describe('a place that cannot be written to is reported in one sentence, with a cure', () => {
  it.each([
    ['the configuration', ['auth', 'login', '--with-key'], 'HUBLINE_CONFIG_DIR'],
    ['the configuration', ['context', 'create', 'x', '--base-url=http://127.0.0.1:1'], 'HUBLINE_CONFIG_DIR'],
    ['the configuration', ['config', 'set', 'retries', '1'], 'HUBLINE_CONFIG_DIR'],
    ['the secret of listen', ['listen', '--print-secret'], 'permissions'],
    ['a resume file', ['event', 'tail', '--limit=1', '--resume-file=BLOCKED/x'], 'permissions'],
    ['a cursor file', ['event', 'export', '--cursor-file=BLOCKED/x'], 'permissions'],
    ['an export', ['event', 'export', '--out=BLOCKED/x.csv'], 'a part of its path is not a directory'],
    ['request IDs', ['whoami', '--request-id-file=BLOCKED/x'], 'a part of its path is not a directory'],
    ['completion', ['completion', 'install', 'bash'], 'permissions'],
    [
      'a recording',
      ['listen', '--exec=cat', '--limit=1', '--record=BLOCKED/x'],
      'a part of its path is not a directory',
    ],
  ])('%s: %j', async (_, line, cure) => {
    const event = {
      event_id: 'evt_1',
      type: 'push',
      payload: {},
      created_at: '2026-01-01T00:00:00.000Z',
      integration_id: null,
    };
    const api = await fakeApi(({ headers, path }) => {
      if (!headers.authorization) return errorResponse(401, 'unauthorized');
      if (path.endsWith('/stream')) {
        return {
          text: `id: evt_1\ndata: ${JSON.stringify(event)}\n\n`,
          headers: { 'content-type': 'text/event-stream' },
        };
      }
      return path === '/me' ? { body: { user: {}, key: {}, memberships: [] } } : pageResponse([event]);
    });
    const env = { ...api.env, HUBLINE_CONFIG_DIR: blocked, XDG_DATA_HOME: blocked };
    const { code, out, err } = await runCli(
      line.map((word) => word.replace('BLOCKED', blocked)),
      { env, stdin: 'hl_x' },
    );
    expect({ code, out: out.includes('✓'), err }).toMatchObject({ code: 2, out: false });
    expect(err).toContain(blocked);
    expect(err.replaceAll('\n', ' ')).toContain(cure);
    expect(err).not.toMatch(/ENOTDIR|looks like a bug/);
  });
});

it('a configuration that cannot be read is reported in the same way', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'config.json'));
  const { code, err } = await runCli(['whoami'], { env: { HUBLINE_CONFIG_DIR: directory } });
  expect({ code, said: err.includes(`${directory}/config.json must be a plain file`) }).toEqual({
    code: 2,
    said: true,
  });
});

it('a home that cannot be entered has no configuration', async () => {
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  const { code, err } = await runCli(['whoami'], { env: { HOME: file, HUBLINE_CONFIG_DIR: '' } });
  expect({ code, said: err.includes('Not logged in') }).toEqual({ code: 3, said: true });
});

it.runIf(process.platform === 'linux')('a rare error is reported in the words of the system', async () => {
  const socket = join(await temporaryDirectory(), 'socket');
  const server = createServer().listen(socket);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { code, err } = await runCli(['event', 'publish', '--type=x', `--payload=@${socket}`]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('no such device or address') });
  expect(err).not.toContain('ENXIO');
});
