import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseServerConfig, type ServerConfig } from '../../../src/config/config.ts';
import { type RunningServer, startServer } from '../../../src/server.ts';
import { backup, restore } from '../../../src/backups/backup.ts';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import { rotateMasterKey } from '../../../src/start/storage/master-key/rotate-key.ts';
import { createTestDatabase } from '../../../src/testing/test-database.ts';
import { Api } from '../support/api.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let data: string;
let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined;
let receiver: Receiver;
let key: string;
let workspaceId: string;

const configOf = (masterKey?: string): ServerConfig =>
  parseServerConfig(
    {
      port: 0,
      logLevel: 'silent',
      synchronous: 'NORMAL',
      senders: 0,
      httpThread: 'off',
      allowHttpLocalhost: true,
      data,
      databaseUrl: database?.url,
      masterKey,
    },
    {},
  );
const keyFile = () => join(data, 'master.key');
const keysIn = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n');

async function withServer<Result>(run: (api: Api) => Promise<Result>, masterKey?: string): Promise<Result> {
  await using server = await startServer(configOf(masterKey));
  return await run(new Api(server.baseUrl, key));
}

beforeEach(async () => {
  const postgres = process.env['HUBLINE_TEST_DATABASE_URL'];
  database = postgres === undefined ? undefined : await createTestDatabase(postgres);
  data = await mkdtemp(join(tmpdir(), 'hubline-rotate-'));
  receiver = await startReceiver();
  const owner = await bootstrap(configOf(), { email: 'ana@example.com', name: 'Acme', slug: 'acme' });
  key = owner.api_key;
  workspaceId = owner.workspace_id ?? '';
});
afterEach(async () => {
  await receiver.stop();
  await database?.drop();
  await rm(data, { recursive: true, force: true });
  await rm(`${data}.before.db`, { force: true });
});

const IDEMPOTENT = { 'Idempotency-Key': 'made-before' };

/** Makes secrets of every kind. Returns the integration, and the cursor of a list. */
const furnish = () =>
  withServer(async (api) => {
    const params = { id: workspaceId };
    const { integration_id: integrationId, ingest } = await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspaceId, credentials: { preset: 'shared-token' } },
    });
    for (const name of ['one', 'two']) {
      await api.call('webhooks.create', {
        body: {
          url: `${receiver.url}/${name}`,
          events: ['*'],
          workspace_id: workspaceId,
          secret: `secret-${name}`,
        },
      });
    }
    await api.call('oauth.configureApp', {
      params,
      body: { provider: 'github', client_id: 'Iv1.a', client_secret: 's3cret' },
    });
    await api.call('automations.create', {
      params,
      body: {
        name: 'signed',
        trigger: { event: 'manual' },
        actions: [{ type: 'call_webhook', url: `${receiver.url}/signed` }],
        secret: 'secret-of-the-automation',
      },
    });
    const { key: made } = await api.call('apiKeys.create', {
      params,
      headers: IDEMPOTENT,
      body: { name: 'ci' },
    });
    const { pagination } = await api.call('webhooks.list', {
      query: { workspace_id: workspaceId, limit: '1' },
    });
    return { integrationId, token: ingest.secret ?? '', cursor: pagination.next_cursor ?? '', made };
  });

type Furnished = Awaited<ReturnType<typeof furnish>>;

/** Expects that every secret works. */
async function expectAllOpen({ integrationId, token, cursor, made }: Furnished, masterKey?: string) {
  await withServer(async (api) => {
    const params = { id: workspaceId };
    receiver.calls.length = 0;
    const response = await api.as(null).send('ingest.receive', {
      params: { integrationId },
      headers: { Authorization: `Bearer ${token}` },
      body: { at: performance.now() },
    });
    expect(response.status, response.text).toBe(202);
    await until('both webhooks', () => receiver.calls.length >= 2);
    for (const { headers } of receiver.calls)
      expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    const [automation] = (await api.call('automations.list', { params })).data;
    const at = { ...params, automationId: automation?.id ?? '' };
    await api.call('automations.run', { params: at, body: {} });
    const signed = await until('the signed call', () =>
      receiver.calls.find(({ url, headers }) => url === '/signed' && headers['x-service-signature']),
    );
    expect(signed.headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    await api.call('oauth.start', { params: { provider: 'github' }, body: { workspace_id: workspaceId } });
    // An earlier cursor is still valid, and so is the stored response to a repeated request.
    await api.call('webhooks.list', { query: { workspace_id: workspaceId, limit: '1', cursor } });
    const again = await api.call('apiKeys.create', { params, headers: IDEMPOTENT, body: { name: 'ci' } });
    expect(again.key).toBe(made);
  }, masterKey);
}

describe('a new master key', () => {
  it('opens everything, and the old one nothing', async () => {
    const furnished = await furnish();
    const [old = ''] = await keysIn(keyFile());
    const backupFile = `${data}.before.db`;
    if (database === undefined) backup(configOf(), backupFile);
    const rotated = await rotateMasterKey(configOf());
    expect(rotated).toEqual({ resealed: expect.any(Number), unreadable: 0, retired: `${keyFile()}.retired` });
    expect(rotated.resealed).toBeGreaterThanOrEqual(5);
    expect(await keysIn(`${keyFile()}.retired`)).toEqual([old]);
    const [current] = await keysIn(keyFile());
    expect(current).not.toBe(old);
    await expectAllOpen(furnished);
    if (database === undefined)
      expect(() => restore(configOf(), backupFile, { force: true })).toThrow(
        /master\.key\.retired to the end/,
      );
    await writeFile(keyFile(), `${old}\n`);
    await expect(startServer(configOf())).rejects.toThrow('This is not the master key of the database');
  });

  it('continues where it was interrupted, and a server starts at any time between', async () => {
    const furnished = await furnish();
    // There is one batch for each kind of secret, and a last one for the database's own.
    for (const done of [0, 2, 4, 6]) {
      let count = 0;
      const interrupted = rotateMasterKey(configOf(), {
        onBatch() {
          if (count === done) throw new Error('killed');
          count += 1;
        },
      });
      await expect(interrupted.then(() => 'done')).rejects.toThrow('killed');
      expect(await keysIn(keyFile())).toHaveLength(2);
      await expectAllOpen(furnished);
    }
    expect(await rotateMasterKey(configOf())).toMatchObject({ unreadable: 0 });
    expect(await keysIn(keyFile())).toHaveLength(1);
    await expectAllOpen(furnished);
  });

  it('is not completed on PostgreSQL while a server runs that has started meanwhile', async () => {
    if (database === undefined) return;
    const furnished = await furnish();
    const servers: RunningServer[] = [];
    const rotated = rotateMasterKey(configOf(), {
      async onBatch() {
        if (servers.length === 0) servers.push(await startServer(configOf()));
      },
    });
    await expect(rotated).rejects.toThrow(/Stop every server, and run this again/);
    await servers[0]?.stop();
    expect(await rotateMasterKey(configOf())).toMatchObject({ unreadable: 0 });
    await expectAllOpen(furnished);
  });

  it('comes from the environment if the old one does', async () => {
    const furnished = await furnish();
    const [old = ''] = await keysIn(keyFile());
    await rm(keyFile());
    await expect(rotateMasterKey(configOf(old))).rejects.toThrow('HUBLINE_MASTER_KEY');
    const fresh = Buffer.alloc(32, 9).toString('base64');
    expect(await rotateMasterKey(configOf(`${fresh},${old}`))).toMatchObject({
      unreadable: 0,
      retired: null,
    });
    await expectAllOpen(furnished, fresh);
  });

  it('is needed after an interrupted rotation: the message names the missing key and the command to run', async () => {
    const furnished = await furnish();
    const interrupted = rotateMasterKey(configOf(), {
      onBatch() {
        throw new Error('killed');
      },
    });
    await expect(interrupted).rejects.toThrow('killed');
    const [fresh = '', old = ''] = await keysIn(keyFile());
    const needed = new RegExp(
      `^A rotation of the master key was interrupted: some secrets are sealed with the key [\\da-f]{8}, which the master\\.key in ${data} has, but HUBLINE_MASTER_KEY does not\\. Unset HUBLINE_MASTER_KEY, and finish the rotation: hubline server rotate-key --data ${data}$`,
    );
    await expect(startServer(configOf(old))).rejects.toThrow(needed);
    await expect(rotateMasterKey(configOf(old))).rejects.toThrow(needed);
    await expect(startServer(configOf(fresh))).rejects.toThrow(
      `The master.key in ${data} has that key: unset HUBLINE_MASTER_KEY.`,
    );
    await expectAllOpen(furnished, `${fresh},${old}`);
    await rotateMasterKey(configOf());
    await expectAllOpen(furnished, fresh);
  });

  it('is refused while a server runs on the directory, and without the old one', async () => {
    await furnish();
    await withServer(() =>
      expect(rotateMasterKey(configOf())).rejects.toThrow(
        database === undefined
          ? /Another server is using/
          : /in use by a server\. Stop every server, and run this again/,
      ),
    );
    expect(await keysIn(keyFile())).toHaveLength(1);
    await writeFile(keyFile(), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    await expect(rotateMasterKey(configOf())).rejects.toThrow('not the master key of');
    expect(await keysIn(keyFile())).toHaveLength(1);
  });
});
