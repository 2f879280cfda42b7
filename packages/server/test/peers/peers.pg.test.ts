import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { listJobs, retryJob } from '../../src/start/operator-jobs.ts';
import { createTestDatabase } from '../../src/testing/test-database.ts';
import { type FakeGithub, startFakeGithub } from '../api/support/stand-ins/fake-github.ts';
import { newWorkspace, type TestWorkspace, startWorkspace, unique } from '../api/support/workspace.ts';
import { startSmtpInbox } from '../api/support/stand-ins/smtp-inbox.ts';
import { until } from '../api/support/until.ts';
import { responding, openStore, publish, subscribe } from '../delivery/support.ts';
import { onlyShortTimers, startAnother, through } from './two-processes.ts';

let github: FakeGithub;
let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  github = await startFakeGithub();
  inbox = await startSmtpInbox();
  const env = { HUBLINE_GITHUB_API_URL: github.url, HUBLINE_SMTP_URL: inbox.url };
  root = await startWorkspace({ env, timer: onlyShortTimers });
});
afterAll(async () => {
  await root.stop();
  await inbox.stop();
  await github.stop();
});

describe('a process hears of another', () => {
  it('that an event came, and sends it to its streams before the next sign of life', async () => {
    const other = await startAnother(root);
    const workspace = await newWorkspace(root);
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    const response = await fetch(`${other.baseUrl}/workspaces/${workspace.workspaceId}/events/stream`, {
      headers: { Authorization: `Bearer ${workspace.api.key}` },
      signal: gone.signal,
    });
    let text = '';
    void (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    })().catch(() => {});
    await until('the stream', () => text.includes(': connected'));
    const { event_id: id } = await publish(workspace);
    await until('the event', () => text.includes(`id: ${id}`));
    expect(text).not.toContain(': heartbeat');
  });

  it('when a retry is due, and makes it when the other is gone', async () => {
    const other = await startAnother(root);
    const failing = await responding(500, 200);
    const there = await subscribe(through(other, root), failing.url);
    await publish(there);
    await until('the first attempt', () => failing.calls.length === 1);
    await other.stop();
    await until('the retry', () => failing.calls.length === 2);
  });

  it('when a job is due again, and runs it when the other is gone', async () => {
    const other = await startAnother(root, { env: { HUBLINE_SMTP_URL: 'smtp://127.0.0.1:1' } });
    const email = `${unique('invited')}@example.com`;
    const { api, workspaceId } = through(other, root);
    await api.call('members.invite', { params: { id: workspaceId }, body: { email } });
    const store = openStore(root);
    const failed = () =>
      store.read
        .selectFrom('jobs')
        .select('seq')
        .where('kind', '=', 'mail')
        .where('last_error', 'is not', null);
    await until('the first attempt', async () => (await failed().execute()).length === 1);
    await other.stop();
    await until('the mail', () => inbox.mails.some(({ to }) => to.includes(email)));
  });
});

it('a server that is alone hears that an operator has begun a job again', async () => {
  const config = parseServerConfig(root.server.storage, {});
  const job = async () => (await listJobs(config, { kind: 'housekeeping' }))[0];
  // A server also polls soon after its start, once, so that the first time proves nothing.
  for (const again of ['the first time', 'the second time']) {
    const before = await job();
    await retryJob(config, String(before?.id));
    await until(again, async () => {
      const { state, due_at: due } = (await job()) ?? {};
      return state === 'scheduled' && String(due) > String(before?.due_at);
    });
  }
});

describe('two processes', () => {
  it('run a request once: its twin on the other process waits, and gets the same response', async () => {
    const other = await startAnother(root, { env: { HUBLINE_GITHUB_API_URL: github.url } });
    const { promise: response, resolve: respond } = Promise.withResolvers<{
      status: number;
      body: object;
    }>();
    github.instead('GET /user', () => response);
    const asks = () => github.routes().filter((route) => route === 'GET /user').length;
    const connect = ({ api, workspaceId }: TestWorkspace) =>
      api.send('integrations.connect', {
        body: { workspace_id: workspaceId, provider: 'github', credentials: { token: 'ghp_works' } },
        headers: { 'Idempotency-Key': 'twins' },
      });
    const first = connect(root);
    await until('the first is under way', () => asks() === 1);
    const twin = connect(through(other, root));
    const store = openStore(root);
    await until('the second waits for the first, or has passed it', async () => {
      const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
        and application_name like 'hubline process%' and query like '%pg_try_advisory_lock%'
        and pid not in (select pid from pg_locks where locktype = 'advisory')`.execute(store.read);
      return rows.length > 0 || asks() === 2;
    });
    respond({ status: 200, body: { login: 'octocat' } });
    const [one, two] = await Promise.all([first, twin]);
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.json).toEqual(one.json);
    expect(asks()).toBe(1);
  });

  it('show one setup link, which works after the start of the second', async () => {
    const database = await createTestDatabase(inject('postgresUrl'));
    const data = root.server.data;
    const config = parseServerConfig(
      { data, databaseUrl: database.url, port: 0, senders: 0, httpThread: 'off', logLevel: 'silent' },
      {},
    );
    const servers = [await startServer(config), await startServer(config)];
    onTestFinished(async () => {
      for (const server of servers) await server.stop();
      await database.drop();
    });
    const [first, second] = servers.map(({ setupUrl }) => new URL(setupUrl ?? ''));
    expect(first?.search).toBe(second?.search);
    for (const { url } of servers) expect((await fetch(`${url}/setup${first?.search}`)).status).toBe(200);
  });

  it('use the clock of their database, whatever the clock of their machine says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const ahead = await startAnother(root);
    const workspace = await newWorkspace(root);
    const { event_id: eventId } = await publish(through(ahead, workspace));
    vi.useRealTimers();
    const event = await workspace.api.call('events.get', { params: { id: workspace.workspaceId, eventId } });
    expect(Math.abs(Date.parse(event.created_at) - Date.now())).toBeLessThan(600_000);
  });

  it('work while a newer one migrates their database', async () => {
    const workspace = await newWorkspace(root);
    // Undoes the last migrations, under a server that publishes the whole time.
    await openStore(root).write(async (tx) => {
      await sql`drop table quotas, stats_groups`.execute(tx);
      await sql`delete from migrations where name in ('0004-quotas', '0005-statistics-by-name')`.execute(tx);
    });
    const publishing = new AbortController();
    const statuses = new Set<number>();
    const publisher = (async () => {
      while (!publishing.signal.aborted) {
        const { status } = await workspace.api.send('events.publish', {
          params: { id: workspace.workspaceId },
          body: { type: 'push', payload: {} },
        });
        statuses.add(status);
      }
    })();
    const newer = await startAnother(root);
    const { event_id: id } = await publish(through(newer, workspace));
    publishing.abort();
    await publisher;
    expect([...statuses]).toEqual([201]);
    expect(id).toMatch(/^evt_/);
  });
});
