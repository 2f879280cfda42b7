import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import type { CrashPoint } from '../../../src/chaos/chaos.ts';
import { parseServerConfig, type ServerFlags } from '../../../src/config/config.ts';
import { startServer } from '../../../src/server.ts';
import { listJobs } from '../../../src/db/jobs.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';
import { Api, walk } from '../../api/support/api.ts';
import { type FakeGithub, startFakeGithub } from '../../api/support/stand-ins/fake-github.ts';
import { type Mailbox, startMailbox } from '../../api/support/stand-ins/mailbox.ts';
import { startReceiver } from '../../api/support/stand-ins/receiver.ts';
import { until } from '../../api/support/until.ts';
import { Child, ignoreDeath } from '../harness/child.ts';
import type { ServerInput } from '../harness/server.process.ts';

// The background work of an acknowledged request is done, whenever the process dies. Each test kills one server and starts the next.

let flags: ServerFlags;
let env: Record<string, string>;
let mailbox: Mailbox;
let github: FakeGithub;
let apiKey: string;
/** The clock of the servers that die. */
let time: Pick<ServerInput, 'speed' | 'origin'>;
let workspaceId: string;

/** Starts a server that dies at this visit of a job of that kind to that point. Without a point, the test kills the server. */
async function startDoomed(at?: CrashPoint, kind?: string, visit = 1): Promise<{ api: Api; server: Child }> {
  const server = newDoomed(at, kind, visit);
  const up = await server.first<{ baseUrl: string }>();
  if (!up) throw new Error(`The server did not start.\n${server.errors}`);
  return { api: new Api(up.baseUrl, apiKey), server };
}

/** Like `startDoomed`, for a server that may die before it is up. */
function newDoomed(at?: CrashPoint, kind?: string, visit = 1): Child {
  const input: ServerInput = { flags, env, ...time };
  const crash = at === undefined ? {} : { HUBLINE_CRASH_AT: `${at}:${visit}:${kind}` };
  const server = new Child('server', { input, env: crash });
  onTestFinished(() => server.kill('SIGKILL'));
  return server;
}

/** Starts the next server on the same data, this many milliseconds later. */
async function startNext(laterMs = 0): Promise<Api> {
  const server = await startServer(parseServerConfig(flags, env), {
    clock: () => new Date(Date.now() + laterMs),
  });
  onTestFinished(() => server.stop());
  return new Api(server.baseUrl, apiKey);
}

const died = async ({ ended }: Child) => expect(await ended).toBe('SIGKILL');

/** Defines the tests. `newDatabase` makes a PostgreSQL database for one test and returns its URL; without a URL, the test uses SQLite. */
export function testJobs(newDatabase: () => Promise<string | undefined>): void {
  beforeEach(async () => {
    const data = await mkdtemp(join(tmpdir(), 'hubline-jobs-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    flags = {
      data,
      databaseUrl: await newDatabase(),
      port: 0,
      allowHttpLocalhost: true,
      logLevel: 'silent',
      senders: 1,
      synchronous: 'NORMAL',
    };
    time = { speed: 1, origin: Date.now() };
    mailbox = await startMailbox();
    github = await startFakeGithub();
    env = { HUBLINE_SMTP_URL: mailbox.url, HUBLINE_GITHUB_API_URL: github.url };
    const owner = await bootstrap(parseServerConfig(flags, env), {
      email: 'owner@example.com',
      name: 'Acme',
      slug: 'acme',
    });
    apiKey = owner.api_key;
    workspaceId = owner.workspace_id ?? '';
  });
  afterEach(async () => {
    await mailbox[Symbol.asyncDispose]();
    await github.stop();
  });

  describe('an email', () => {
    // The job begins with the commit, and the process may die before it responds.
    const invite = (api: Api) =>
      api
        .call('members.invite', {
          params: { id: workspaceId },
          body: { email: 'li@example.com', role: 'member' },
        })
        .catch(ignoreDeath);

    it('goes out although the process died between the commit and the sending', async () => {
      const { api, server } = await startDoomed('job.claimed', 'mail');
      await invite(api);
      await died(server);
      expect(mailbox.mails).toEqual([]);
      const next = await startNext();
      const mail = await until('the mail', () => mailbox.mails[0]);
      expect(mail.to).toEqual(['li@example.com']);
      const text = mail.text.replaceAll('=\n', '').replaceAll('=3D', '=');
      const token = /\/invite\?token=([\w-]+)/.exec(text)?.[1] ?? '';
      await next.as(null).call('invitations.accept', { body: { token } });
    });

    it('that was sent by a process that died before it recorded that is sent again as the same email', async () => {
      const { api, server } = await startDoomed('job.worked', 'mail');
      await invite(api);
      await died(server);
      await startNext();
      await until('the mail again', () => mailbox.mails.length === 2);
      expect(mailbox.mails[0]?.messageId).toMatch(/^<job-\d+-\w+@localhost>$/);
      expect(new Set(mailbox.mails.map(({ messageId }) => messageId)).size).toBe(1);
    });

    it('whose job kills every server fails for good, and then a server stays up', async ({ skip }) => {
      // On PostgreSQL, leases would end before the death of their owner is noticed, at this speed.
      skip(flags.databaseUrl !== undefined);
      // The waits between the attempts are minutes.
      time.speed = 200;
      const first = await startDoomed('job.claimed', 'mail');
      await invite(first.api);
      await died(first.server);
      for (let attempt = 2; attempt <= 5; attempt += 1) await died(newDoomed('job.claimed', 'mail'));
      const { api } = await startDoomed('job.claimed', 'mail');
      const failed = () => listJobs(store.read, Date.now(), { kind: 'mail', state: 'failed' });
      const { store } = await openStorage(parseServerConfig(flags, env), new Date());
      onTestFinished(() => store.close());
      const [job] = await until('its failure', async () => {
        const jobs = await failed();
        return jobs.length > 0 && jobs;
      });
      expect(job).toMatchObject({
        attempts: 5,
        last_error: 'the server crashed during this attempt and the one before',
      });
      expect((await api.send('workspaces.get', { params: { id: workspaceId } })).status).toBe(200);
      expect(mailbox.mails).toEqual([]);
    });
  });

  describe('a webhook at a provider', () => {
    const credentials = { token: 'ghp_works', repository: 'octo/web' };
    const connect = (api: Api) =>
      api.call('integrations.connect', {
        body: { provider: 'github', workspace_id: workspaceId, credentials },
      });
    /** Kills the server as soon as GitHub has registered a webhook, before GitHub responds. */
    const dieAtRegistration = (server: Child) =>
      github.instead('POST /repos/octo/web/hooks', ({ body }) => {
        const { config } = JSON.parse(body) as { config: { url: string; secret: string } };
        github.hooks.push({ id: 7, path: '/repos/octo/web/hooks', config });
        server.kill('SIGKILL');
        return new Promise(() => {});
      });

    it('of a deleted integration is removed although the process died before', async () => {
      const { api, server } = await startDoomed('job.claimed', 'remove_hook');
      const { integration_id: integrationId } = await connect(api);
      expect(github.hooks).toHaveLength(1);
      await api
        .call('integrations.disconnect', { params: { id: workspaceId, integrationId } })
        .catch(ignoreDeath);
      await died(server);
      expect(github.hooks).toHaveLength(1);
      await startNext();
      await until('it is gone', () => github.hooks.length === 0);
    });

    it('of a deleted workspace is removed although the process died before', async () => {
      const { api, server } = await startDoomed('job.claimed', 'remove_hook');
      await connect(api);
      await api.call('workspaces.delete', { params: { id: workspaceId } }).catch(ignoreDeath);
      await died(server);
      await startNext();
      await until('it is gone', () => github.hooks.length === 0);
    });

    it('is removed when the process died while it connected, and no integration is stored', async () => {
      const { api, server } = await startDoomed();
      dieAtRegistration(server);
      await expect(connect(api)).rejects.toThrow();
      await died(server);
      expect(github.hooks).toHaveLength(1);
      const next = await startNext(61_000);
      await until('it is gone', () => github.hooks.length === 0);
      const { data } = await next.call('integrations.list', { params: { id: workspaceId } });
      expect(data).toEqual([]);
    });

    it('gets its old secret back when the process died in the middle of a reconnection', async () => {
      const { api, server } = await startDoomed();
      const { integration_id: integrationId } = await api.call('integrations.connect', {
        body: {
          provider: 'github',
          workspace_id: workspaceId,
          credentials: { ...credentials, webhook_secret: 'the-old-secret' },
        },
      });
      const [hook] = github.hooks;
      github.instead(`PATCH ${hook?.path}/${hook?.id}`, ({ body }) => {
        Object.assign(hook ?? {}, JSON.parse(body));
        server.kill('SIGKILL');
        return new Promise(() => {});
      });
      const body = { credentials: { ...credentials, webhook_secret: 'the-new-secret' } };
      await expect(api.call('integrations.reconnect', { params: { integrationId }, body })).rejects.toThrow();
      await died(server);
      const secrets = () => github.hooks.map(({ config }) => config.secret);
      expect(secrets()).toEqual(['the-new-secret']);
      github.instead(`PATCH ${hook?.path}/${hook?.id}`, ({ body: text }) => {
        Object.assign(hook ?? {}, JSON.parse(text));
        return { status: 200, body: hook };
      });
      await startNext(61_000);
      await until('the old secret', () => secrets()[0] === 'the-old-secret');
      expect(github.hooks).toHaveLength(1);
    });
  });

  it.each(['job.claimed', 'job.worked'] as const)(
    'the last use of a key is recorded although the process died at %s',
    async (at) => {
      const params = { id: workspaceId };
      // The first job is about the key that makes the other one.
      const { api, server } = await startDoomed(at, 'record_key_usage', 2);
      const { id, key } = await api.call('apiKeys.create', { params, body: { name: 'ci', role: 'viewer' } });
      // The process may die before it responds.
      await api.as(key).send('me.get').catch(ignoreDeath);
      await died(server);
      const next = await startNext();
      await until('the last use', async () => {
        const { data } = await next.call('apiKeys.list', { params });
        return data.find((made) => made.id === id)?.last_used_at;
      });
    },
  );

  it('a recovery continues where the process died, and retries each delivery once', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const { api, server } = await startDoomed('job.worked', 'recovery');
    const params = { id: workspaceId };
    const { id: webhookId } = await api.call('webhooks.create', {
      body: { url: receiver.url, events: ['event.created'], workspace_id: workspaceId, secret: 's3cret' },
    });
    const events = Array.from({ length: 250 }, (_, n) => ({ type: 'deploy', payload: { n } }));
    await api.call('events.publishBatch', { params, body: { events } });
    await until('their records', async () => {
      const { data } = await api.call('deliveries.list', { params, query: { status: 'pending' } });
      return data.length === 0;
    });
    const body = { since: '2020-01-01T00:00:00Z', statuses: ['delivered'] };
    const { id: recoveryId } = await api.call('webhooks.recover', { params: { webhookId }, body });
    await died(server);
    const next = await startNext();
    const over = await until('the end', async () => {
      const recovery = await next.call('recoveries.get', { params: { recoveryId } });
      return recovery.completed_at !== null && recovery;
    });
    expect(over).toMatchObject({ status: 'done', matched: 250, done: 250 });
    await until('all again', async () => {
      const pages = await walk(next, 'deliveries.list', { params, limit: 100 });
      const deliveries = pages.flat() as { attempt_count: number }[];
      return deliveries.length === 250 && deliveries.every(({ attempt_count: attempts }) => attempts === 2);
    });
  });

  it.each([
    ['job.claimed', 1],
    ['workspace.removed', 1],
    ['workspace.committed', 1],
    ['workspace.removed', 3],
    ['workspace.committed', 3],
    ['job.worked', 1],
  ] as const)(
    'a deleted workspace is gone, and its rows go, if the process dies at %s, visit %i',
    async (at, visit) => {
      const receiver = await startReceiver();
      onTestFinished(() => receiver.stop());
      const { api, server } = await startDoomed(at, 'remove_workspace', visit);
      const params = { id: workspaceId };
      await api.call('webhooks.create', {
        body: { url: receiver.url, events: ['event.created'], workspace_id: workspaceId, secret: 's3cret' },
      });
      const events = Array.from({ length: 500 }, (_, n) => ({ type: 'deploy', payload: { n } }));
      await api.call('events.publishBatch', { params, body: { events } });
      await api.call('workspaces.delete', { params }).catch(ignoreDeath);
      await died(server);
      const sent = receiver.calls.length;
      const next = await startNext();
      expect((await next.send('workspaces.get', { params })).status).toBe(404);
      const { store } = await openStorage(parseServerConfig(flags, env), new Date());
      onTestFinished(() => store.close());
      await until('no row is left', async () => {
        const tables = ['events', 'deliveries', 'attempts', 'audit_log', 'workspaces', 'jobs'] as const;
        const counts = tables.map(async (table) => {
          const rows = await store.read
            .selectFrom(table)
            .select(sql<number>`count(*)`.as('count'))
            .$if(table === 'jobs', (query) => query.where(sql<boolean>`kind = 'remove_workspace'`))
            .executeTakeFirstOrThrow();
          return rows.count;
        });
        return (await Promise.all(counts)).every((count) => count === 0);
      });
      expect(receiver.calls.length).toBe(sent);
    },
  );
}
