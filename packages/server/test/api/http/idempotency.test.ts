import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HEADERS, LIMITS } from '@hubline/contract';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programArguments } from '../../../../../scripts/programs/programs.ts';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { startServer } from '../../../src/server.ts';
import { openStore } from '../../delivery/support.ts';
import { Api, type CallInput } from '../support/api.ts';
import {
  everybodyKnows,
  invite,
  newKey,
  newStranger,
  newWorkspace,
  onSqlite,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let api: Api;
let receiver: Receiver;
const start = new Date('2026-03-01T10:00:00.000Z');
let now = start;

beforeAll(async () => {
  receiver = await startReceiver();
  workspace = await startWorkspace({ clock: () => now });
  ({ api } = workspace);
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
});

const withKey = (key: string, input: CallInput = {}): CallInput => ({
  ...input,
  headers: { ...input.headers, [HEADERS.idempotencyKey]: key },
});
const newBody = () => ({ body: { name: 'Once', slug: unique('once') } });
const isReplay = (response: { headers: Headers }) =>
  response.headers.get(HEADERS.idempotencyReplayed) === 'true';
const countOf = async (slug: string) => {
  let count = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: '100', ...(cursor === undefined ? {} : { cursor }) };
    const { data, pagination } = await api.call('workspaces.list', { query });
    count += data.filter((workspace) => workspace.slug === slug).length;
    cursor = pagination.next_cursor;
  }
  return count;
};

describe('the same key and the same request', () => {
  it('has one effect and one response, even a hundred times at once', async () => {
    const input = withKey(unique('key'), newBody());
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => api.send('workspaces.create', input)),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    expect(responses.filter(isReplay)).toHaveLength(99);
  });

  it('has one effect outside of the database, too', async () => {
    const { integration_id: integrationId } = await api.call('integrations.connect', {
      body: {
        provider: 'custom',
        workspace_id: workspace.workspaceId,
        credentials: { verification: 'none', notify_url: receiver.url },
      },
    });
    const input = withKey(unique('key'), {
      params: { integrationId },
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    });
    const before = receiver.calls.length;
    await Promise.all(Array.from({ length: 20 }, () => api.call('integrations.test', input)));
    expect(receiver.calls.length - before).toBe(1);
  });

  it('replays a stored refusal', async () => {
    const taken = withKey(unique('key'), { body: { name: 'Acme', slug: 'acme' } });
    const first = await api.refused('workspaces.create', 409, taken);
    const second = await api.refused('workspaces.create', 409, taken);
    expect(isReplay(first)).toBe(false);
    expect(isReplay(second)).toBe(true);
    expect({ ...second, request_id: '', headers: null }).toEqual({ ...first, request_id: '', headers: null });

    const params = { id: workspace.workspaceId, userId: 'usr_00000000000000000000000000' };
    const missing = withKey(unique('key'), { params, body: { role: 'viewer' } });
    await api.refused('members.update', 404, missing);
    expect(isReplay(await api.refused('members.update', 404, missing))).toBe(true);
    const sole = withKey(unique('key'), {
      params: { ...params, userId: workspace.userId },
      body: { role: 'viewer' },
    });
    await api.refused('members.update', 422, sole);
    expect(isReplay(await api.refused('members.update', 422, sole))).toBe(true);
  });

  it('replays the deletion of a deleted resource', async () => {
    const webhook = async () => {
      const { id: webhookId } = await api.call('webhooks.create', {
        body: { url: receiver.url, events: ['*'], workspace_id: workspace.workspaceId, secret: 's' },
      });
      return { params: { webhookId } };
    };
    const other = await newWorkspace(workspace);
    const member = await invite(workspace, 'viewer');
    const cases = [
      ['webhooks.delete', await webhook()],
      ['workspaces.delete', { params: { id: other.workspaceId } }],
      ['members.remove', { params: { id: workspace.workspaceId, userId: member.user_id } }],
    ] as const;
    for (const [name, input] of cases) {
      const keyed = withKey(unique('key'), input);
      await api.call(name, keyed);
      const again = await api.send(name, keyed);
      expect([name, again.status, isReplay(again)]).toEqual([name, 204, true]);
      await api.refused(name, 404, input);
    }
    // Another user with the same key gets 404.
    const gone = withKey(unique('key'), await webhook());
    await api.call('webhooks.delete', gone);
    await (await newStranger(workspace)).api.refused('webhooks.delete', 404, gone);
    // So does a key of the same workspace that could not have made the request.
    const ofWorkspace = async (scope: string) => api.as((await newKey(workspace, { scopes: [scope] })).key);
    const deleted = withKey(unique('key'), await webhook());
    await (await ofWorkspace('webhooks:write')).call('webhooks.delete', deleted);
    await (await ofWorkspace('webhooks:write')).call('webhooks.delete', deleted);
    await (await ofWorkspace('webhooks:read')).refused('webhooks.delete', 404, deleted);
  });

  it('may have a quoted or an unquoted key', async () => {
    const [key, input] = [unique('key'), newBody()];
    await api.call('workspaces.create', withKey(`"${key}"`, input));
    expect(isReplay(await api.send('workspaces.create', withKey(key, input)))).toBe(true);
  });

  it('is shared by the API keys of a workspace, so that rotating one between two requests does no harm', async () => {
    const made = await newKey(workspace);
    const input = withKey(unique('key'), {
      params: { id: workspace.workspaceId },
      body: { type: 'deploy', payload: { n: 1 } },
    });
    const first = await api.as(made.key).call('events.publish', input);
    const { key } = await api.call('apiKeys.rotate', {
      params: { id: workspace.workspaceId, keyId: made.id },
      body: {},
    });
    expect(await api.as(key).call('events.publish', input)).toEqual(first);
  });

  it('is replayed for 24 hours, and then has an effect again', async () => {
    const input = withKey(unique('key'), {
      params: { id: workspace.workspaceId },
      body: { type: 't', payload: {} },
    });
    const first = await api.call('events.publish', input);
    now = new Date(start.getTime() + LIMITS.idempotencyWindowMs - 1_000);
    expect((await api.call('events.publish', input)).event_id).toBe(first.event_id);
    now = new Date(start.getTime() + LIMITS.idempotencyWindowMs + 1_000);
    const second = await api.call('events.publish', input);
    expect(second.event_id).not.toBe(first.event_id);
    expect((await api.call('events.publish', input)).event_id).toBe(second.event_id);
    now = start;
  });

  it('replays the payload of an event untouched', async () => {
    const text = '{"type":"t","payload":{"n":12345678901234567890.10,"a":1,"a":2}}';
    const input = withKey(unique('key'), { params: { id: workspace.workspaceId }, text });
    const first = await api.send('events.publish', input);
    const second = await api.send('events.publish', input);
    expect(second.text).toBe(first.text);
    expect(second.text).toContain('{"n":12345678901234567890.10,"a":1,"a":2}');
  });
});

describe('the same key and another request', () => {
  it('is refused with 422: another body, path, method, or order of fields', async () => {
    const key = unique('key');
    const text = '{"name":"A","slug":"keyed-a"}';
    await api.call('workspaces.create', withKey(key, { text }));
    const others = [
      api.refused('workspaces.create', 422, withKey(key, { text: '{"name":"B","slug":"keyed-b"}' })),
      api.refused('workspaces.create', 422, withKey(key, { text: '{"slug":"keyed-a","name":"A"}' })),
      api.refused('personalApiKeys.create', 422, withKey(key, { text: '{"name":"A"}' })),
      api.refused(
        'workspaces.update',
        422,
        withKey(key, { params: { id: workspace.workspaceId }, text: '{}' }),
      ),
    ];
    for (const { details } of await Promise.all(others))
      expect(details?.[0]?.field).toBe(HEADERS.idempotencyKey);
    expect(await countOf('keyed-b')).toBe(0);
  });

  it('of somebody else is independent', async () => {
    const stranger = await newStranger(workspace);
    const key = unique('key');
    const mine = await api.call('workspaces.create', withKey(key, newBody()));
    const theirs = await stranger.api.call('workspaces.create', withKey(key, newBody()));
    expect(theirs.id).not.toBe(mine.id);
    const [a, b] = [await newWorkspace(workspace), await newWorkspace(workspace)];
    const publish = async (where: TestWorkspace) =>
      workspace.api
        .as((await newKey(where)).key)
        .call(
          'events.publish',
          withKey(key, { params: { id: where.workspaceId }, body: { type: 't', payload: {} } }),
        );
    expect((await publish(a)).workspace_id).toBe(a.workspaceId);
    expect((await publish(b)).workspace_id).toBe(b.workspaceId);
  });
});

describe('an outcome that is not stored', () => {
  it('is a 400: the same key works with the corrected request', async () => {
    const key = unique('key');
    await api.refused('workspaces.create', 400, withKey(key, { body: { name: 'No slug' } }));
    await api.call('workspaces.create', withKey(key, newBody()));
  });

  it('is a 403: the same key works once the API key has the scope', async () => {
    const made = await newKey(workspace, { scopes: ['events:read'] });
    const input = withKey(unique('key'), {
      params: { id: workspace.workspaceId },
      body: { type: 't', payload: {} },
    });
    await api.as(made.key).refused('events.publish', 403, input);
    await api.call('apiKeys.update', {
      params: { id: workspace.workspaceId, keyId: made.id },
      body: { scopes: ['events:write'] },
    });
    await api.as(made.key).call('events.publish', input);
  });

  if (onSqlite)
    it('is a 500: the retry runs', async () => {
      const database = new SQLite(joinPath(workspace.server.data, 'hubline.db'));
      database.exec(
        "create trigger broken before insert on workspaces when new.slug like 'broken-%' begin select raise(abort, 'broken'); end",
      );
      const input = withKey(unique('key'), { body: { name: 'Broken', slug: unique('broken') } });
      const { message } = await api.refused('workspaces.create', 500, input);
      expect(message).not.toContain('broken');
      database.exec('drop trigger broken');
      database.close();
      await api.call('workspaces.create', input);
    });
});

describe('a replay', () => {
  it('is refused to a key that was revoked', async () => {
    const made = await newKey(workspace);
    const input = withKey(unique('key'), {
      params: { id: workspace.workspaceId },
      body: { type: 't', payload: {} },
    });
    await api.as(made.key).call('events.publish', input);
    await api.call('apiKeys.revoke', { params: { id: workspace.workspaceId, keyId: made.id } });
    await everybodyKnows();
    await api.as(made.key).refused('events.publish', 401, input);
  });

  it('is refused to a key that lost the scope', async () => {
    const made = await newKey(workspace);
    const input = withKey(unique('key'), { params: { id: workspace.workspaceId }, body: { name: 'k' } });
    await api.as(made.key).call('apiKeys.create', input);
    await api.call('apiKeys.update', {
      params: { id: workspace.workspaceId, keyId: made.id },
      body: { scopes: ['events:read'] },
    });
    await everybodyKnows();
    await api.as(made.key).refused('apiKeys.create', 403, input);
  });

  it.each([{ role: 'admin' }, { scopes: ['api_keys:write', 'members:write'] }] as const)(
    'does not show a secret to a weaker key of the same user: %j',
    async (weaker) => {
      const strong = api.as((await newKey(workspace)).key);
      const weak = api.as((await newKey(workspace, weaker)).key);
      const here = { params: { id: workspace.workspaceId } };
      const key = withKey(unique('key'), { ...here, body: { name: 'ci', role: 'owner', scopes: ['*'] } });
      await strong.call('apiKeys.create', key);
      await weak.refused('apiKeys.create', 422, key);
      expect(isReplay(await strong.send('apiKeys.create', key))).toBe(true);
    },
  );

  if (onSqlite)
    it('shows a secret again, which the database holds only sealed', async () => {
      const secrets: string[] = [api.key ?? ''];
      const here = { params: { id: workspace.workspaceId } };
      const twice = async (call: (key: string) => Promise<string>) => {
        const key = unique('key');
        const first = await call(key);
        expect(first.length).toBeGreaterThan(20);
        expect(await call(key)).toBe(first);
        secrets.push(first);
      };
      await twice(
        async (key) => (await api.call('apiKeys.create', withKey(key, { ...here, body: { name: 'k' } }))).key,
      );
      await twice(
        async (key) => (await api.call('personalApiKeys.create', withKey(key, { body: { name: 'k' } }))).key,
      );
      const email = `${unique('x')}@example.com`;
      await twice(async (key) => {
        const { invite_url } = await api.call('members.invite', withKey(key, { ...here, body: { email } }));
        return new URL(invite_url).searchParams.get('token') ?? '';
      });
      await twice(async (key) => {
        const body = { provider: 'custom', workspace_id: workspace.workspaceId, credentials: {} };
        return (await api.call('integrations.connect', withKey(key, { body }))).ingest.secret ?? '';
      });
      const given = 'a-secret-that-the-caller-has-chosen';
      const { id: webhookId } = await api.call(
        'webhooks.create',
        withKey(unique('key'), {
          body: { url: receiver.url, events: ['*'], workspace_id: workspace.workspaceId, secret: given },
        }),
      );
      secrets.push(given);
      await twice(async (key) => {
        const input = withKey(key, { params: { webhookId }, body: { overlap_seconds: 60 } });
        return (await api.call('webhooks.rotateSecret', input)).secret ?? '';
      });
      await api.call('invitations.accept', {
        body: { token: (await invite(workspace, 'viewer')).token, password: 'correct horse battery' },
      });
      secrets.push('correct horse battery');

      const stored = Buffer.concat(
        readdirSync(workspace.server.data)
          .filter((name) => name.startsWith('hubline.db'))
          .map((name) => readFileSync(joinPath(workspace.server.data, name))),
      ).toString('latin1');
      expect(stored).toContain('idempotency_keys');
      for (const secret of secrets) {
        for (const form of [
          secret,
          Buffer.from(secret).toString('base64url'),
          Buffer.from(secret).toString('hex'),
        ])
          expect(stored.includes(form.replace(/.$/, '')), secret).toBe(false);
      }
    });
});

describe('an idempotency key', () => {
  it.each(['', ' ', '""', 'x'.repeat(256), 'a b', 'a,b', 'naïve', '\u0001'])(
    'that is not one is refused: %j',
    async (key) => {
      const line = Buffer.from(`${HEADERS.idempotencyKey}: ${key}\r\n`, 'utf8');
      const body = JSON.stringify(newBody().body);
      const head = `POST /v1/workspaces HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      const request = Buffer.concat([Buffer.from(head), line, Buffer.from(`\r\n${body}`)]);
      const { responses } = await raw(workspace.server.url, request, { responses: 1 });
      // A comma alone is valid, because two headers are joined with a comma and a space.
      expect(responses[0]?.status).toBe(key === 'a,b' ? 201 : 400);
    },
  );

  it('may have 255 characters, and is given once', async () => {
    const longest = `${unique('k')}-`.padEnd(LIMITS.idempotencyKeyMax, '~');
    await api.call('workspaces.create', withKey(longest, newBody()));
    const body = JSON.stringify(newBody().body);
    const twice = `${HEADERS.idempotencyKey}: a\n${HEADERS.idempotencyKey}: b\n`;
    const { responses } = await raw(
      workspace.server.url,
      `POST /v1/workspaces HTTP/1.1\nHost: x\nAuthorization: Bearer ${api.key}\nContent-Type: application/json\n${twice}Content-Length: ${body.length}\n\n${body}`,
      { responses: 1 },
    );
    expect(responses[0]?.status).toBe(400);
  });

  it('on a read is ignored', async () => {
    const input = withKey('not even a valid key \t', {});
    for (const _ of [1, 2]) expect(isReplay(await api.send('workspaces.list', input))).toBe(false);
    const key = unique('key');
    await api.call('me.get', withKey(key));
    await api.call('workspaces.create', withKey(key, newBody()));
  });
});

it('a replay whose secret no longer decrypts says that the request was carried out, and never runs it again', async () => {
  const { workspaceId } = await newWorkspace(workspace);
  const input = { params: { id: workspaceId }, ...withKey(unique('key'), { body: { name: 'once' } }) };
  await api.call('apiKeys.create', input);
  const store = openStore(workspace);
  await store.write((tx) =>
    tx
      .updateTable('idempotency_keys')
      .set({ body: 'v1.damaged.damaged' })
      .where('body', 'like', 'v1.%')
      .execute(),
  );
  const refused = await api.refused('apiKeys.create', 409, input);
  expect(refused.message).toContain('The request was carried out');
  expect((await api.call('apiKeys.list', { params: { id: workspaceId } })).data).toHaveLength(1);
});

describe('a server that dies', () => {
  it.each([
    ['commit', 'leaves nothing, and the retry runs', false],
    ['response', 'has made the change, and the retry gets its outcome', true],
  ])('before the %s %s', async (point, _, stored) => {
    const data = mkdtempSync(joinPath(tmpdir(), 'hubline-crash-'));
    let child: ChildProcess | undefined;
    try {
      const config = parseServerConfig({ data, port: 0, logLevel: 'silent' }, {});
      const { api_key } = await bootstrap(config, { email: 'owner@example.com' });
      const script = fileURLToPath(new URL('../support/crashing-server.ts', import.meta.url));
      const crashing = spawn(process.execPath, [...programArguments(script), data, point], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = crashing;
      const exit = once(crashing, 'exit');
      const line = once(createInterface(crashing.stdout), 'line') as Promise<[string]>;
      const [baseUrl] = await Promise.race([
        line,
        exit.then(() => Promise.reject(new Error('The server did not start.'))),
      ]);
      const input = withKey('the-key', { body: { name: 'Crash', slug: 'crash' } });
      await expect(new Api(baseUrl, api_key).send('workspaces.create', input)).rejects.toThrow();
      expect(await exit).toEqual([null, 'SIGKILL']);

      await using server = await startServer(config);
      const retried = new Api(server.baseUrl, api_key);
      const response = await retried.send('workspaces.create', input);
      expect([response.status, isReplay(response)]).toEqual([201, stored]);
      expect((await retried.call('workspaces.list')).data.map(({ slug }) => slug)).toEqual(['crash']);
    } finally {
      child?.kill('SIGKILL');
      rmSync(data, { recursive: true, force: true });
    }
  });
});
