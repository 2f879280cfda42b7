import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import { Api } from '../api/support/api.ts';

const program = fileURLToPath(new URL('server-process.ts', import.meta.url));

it(
  'the log says once, and not with every call, that the credentials of an integration can no longer be decrypted',
  { timeout: 90_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'hubline-unreadable-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const flags = { data, port: 0, logFormat: 'json', logLevel: 'info' } as const;
    const owner = await bootstrap(parseServerConfig(flags, {}), {
      email: 'ana@example.com',
      name: 'Acme',
      slug: 'acme',
    });
    const child = spawn(process.execPath, [...programArguments(program), JSON.stringify(flags)], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line) as { url: string };

    const api = new Api(`${url}/v1`, owner.api_key);
    const { integration_id: integrationId } = await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: owner.workspace_id, credentials: { preset: 'none' } },
    });
    const store = openSqlite(join(data, 'hubline.db'), { synchronous: 'NORMAL' });
    onTestFinished(() => store.close());
    await store.write((tx) =>
      tx.updateTable('integrations').set({ credentials: 'v1.damaged.damaged' }).execute(),
    );

    const call = () =>
      api.as(null).send('ingest.receive', { params: { integrationId }, body: { text: 'hello' } });
    const responses = await Promise.all(Array.from({ length: 10 }, call));
    responses.push(await call());
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 503));
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    const lines = log.split('\n').filter((line) => line.includes('can no longer be decrypted'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { integration_id: integrationId },
    ]);
    expect(log.split('\n').filter((line) => line.includes('"err"'))).toEqual([]);
  },
);
