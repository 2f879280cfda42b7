import { afterEach, beforeEach, expect, it } from 'vitest';
import { lastingPort } from '../../../../../scripts/programs/lasting-port.ts';
import { listJobs, retryJob } from '../../../src/start/operator-jobs.ts';
import { parseServerConfig, type ServerConfig } from '../../../src/config/config.ts';
import { TestClock } from '../../delivery/test-clock.ts';
import { startFakeGithub } from '../support/stand-ins/fake-github.ts';
import { startMailbox } from '../support/stand-ins/mailbox.ts';
import { type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import { until } from '../support/until.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let time: TestClock;
let workspace: TestWorkspace & { stop(): Promise<void> };

beforeEach(() => {
  time = new TestClock();
});
afterEach(() => workspace.stop());

const start = async (env: Record<string, string> = {}) => {
  workspace = await startWorkspace({ env, clock: time.clock, timer: time.timer, monotonic: time.monotonic });
};
const config = (): ServerConfig => parseServerConfig(workspace.server.storage, {});
const jobs = (kind: string) => listJobs(config(), { kind });
const invite = (email = `${unique('ana')}@example.com`) =>
  workspace.api.call('members.invite', {
    params: { id: workspace.workspaceId },
    body: { email, role: 'member' },
  });

/** Runs this many attempts of the only job of a kind, one after another. */
async function failAll(kind: string, attempts: number): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await until(`attempt ${attempt}`, async () => {
      const [job] = await jobs(kind);
      return job?.attempts === attempt && job.state !== 'running' && job.state !== 'due';
    });
    if (attempt < attempts) time.advance(3 * HOUR);
  }
}

it('a mail server that is down for a day: operators see it, retry, and the mail goes out', async () => {
  const port = await lastingPort();
  await start({ HUBLINE_SMTP_URL: `smtp://127.0.0.1:${port}` });
  const { email } = await invite();
  await failAll('mail', 10);

  const [job, ...others] = await jobs('mail');
  expect(others).toEqual([]);
  expect(job).toMatchObject({
    kind: 'mail',
    state: 'failed',
    attempts: 10,
    due_at: null,
    last_error:
      'The invitation to a…@example.com: The mail server of HUBLINE_SMTP_URL did not respond: nothing listens there',
  });
  expect(JSON.stringify(job)).not.toContain('token');
  expect(JSON.stringify(job)).not.toContain(email);
  const metrics = await (await fetch(`${workspace.server.url}/metrics`)).text();
  expect(metrics).toContain('hubline_jobs{kind="mail",state="failed"} 1\n');
  expect(metrics).toMatch(/^hubline_jobs\{kind="housekeeping",state="\w+"\} 1$/m);
  expect(metrics).toMatch(/^hubline_jobs_oldest_due_seconds \d/m);

  await using mailbox = await startMailbox(port);
  await retryJob(config(), String(job?.id));
  time.advance(30 * SECOND);
  const mail = await until('the mail', () => mailbox.mails[0]);
  expect(mail.to).toEqual([email]);
  await until('nothing left', async () => (await jobs('mail')).length === 0);
  await expect(retryJob(config(), String(job?.id))).rejects.toThrow('There is no job');
  await expect(retryJob(config(), 'nonsense')).rejects.toThrow(
    'id must be the number of a job, as hubline server jobs lists them; not nonsense',
  );
});

it('a running server notices a job that was begun again, although its clock stands still', async () => {
  await start();
  const [job] = await jobs('note_alive');
  // The job is due by the real time, which has gone on.
  time.advance(20 * SECOND);
  await retryJob(config(), String(job?.id));
  // With PostgreSQL, the next poll finds it.
  if (workspace.server.storage.databaseUrl !== undefined) time.advance(30 * SECOND);
  await until('its next time', async () => {
    const [again] = await jobs('note_alive');
    return again?.due_at !== null && String(again?.due_at) >= String(job?.due_at);
  });
});

it('a clock that is set back while the server runs holds up no job, and a schedule finds its next time', async () => {
  const port = await lastingPort();
  await start({ HUBLINE_SMTP_URL: `smtp://127.0.0.1:${port}` });
  const { email } = await invite();
  const mondays = {
    name: 'Mondays',
    trigger: { event: 'schedule', cron: '0 9 * * 1', timezone: 'UTC' } as const,
    actions: [{ type: 'wait', seconds: 10 } as const],
    enabled: true,
  };
  const params = { id: workspace.workspaceId };
  const { id: automationId } = await workspace.api.call('automations.create', { params, body: mondays });
  await until('the first attempt', async () => (await jobs('mail'))[0]?.state === 'retrying');
  time.set(-10 * DAY);
  await using mailbox = await startMailbox(port);
  await until('the mail', () => {
    time.advance(SECOND);
    return mailbox.mails[0]?.to.includes(email);
  });
  await until('the next Monday', async () => {
    const { next_run_at: next } = await workspace.api.call('automations.get', {
      params: { ...params, automationId },
    });
    return Date.parse(next ?? '') <= time.clock().getTime() + 7 * DAY;
  });
});

it('an invitation that is withdrawn or sent again while the mail server is down is mailed once at most', async () => {
  const port = await lastingPort();
  await start({ HUBLINE_SMTP_URL: `smtp://127.0.0.1:${port}` });
  const withdrawn = await invite();
  const resent = await invite();
  const states = async () => (await jobs('mail')).map(({ attempts, state }) => [attempts, state]);
  await until('both attempts', async () => (await states()).join(' ') === '1,retrying 1,retrying');
  await workspace.api.call('members.resendInvite', {
    params: { id: workspace.workspaceId, userId: resent.user_id },
  });
  await workspace.api.call('members.remove', {
    params: { id: workspace.workspaceId, userId: withdrawn.user_id },
  });
  await until('the second email', async () => (await states()).join(' ') === '1,retrying');
  await using mailbox = await startMailbox(port);
  time.advance(3 * HOUR);
  await until('nothing left', async () => (await jobs('mail')).length === 0);
  expect(mailbox.mails.map(({ to }) => to)).toEqual([[resent.email]]);
});

it('an email that its server refuses is not sent again, and hinders no other', async () => {
  await using mailbox = await startMailbox();
  await start({ HUBLINE_SMTP_URL: mailbox.url });
  await invite('nobody@example.com');
  await invite('somebody@example.com');
  await until('the other', () => mailbox.mails.length === 1);
  const job = await until('the end', async () =>
    (await jobs('mail')).find(({ state }) => state === 'failed'),
  );
  expect(job).toMatchObject({
    attempts: 1,
    last_error: 'The invitation to n…@example.com: The mail server responded 550 to RCPT TO',
  });
});

it('a provider that is down for hours loses no removal of a webhook', async () => {
  const github = await startFakeGithub();
  await start({ HUBLINE_GITHUB_API_URL: github.url });
  const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'github',
      workspace_id: workspace.workspaceId,
      credentials: { token: 'ghp_works', repository: 'octo/web' },
    },
  });
  const [hook] = github.hooks;
  github.instead(`DELETE ${hook?.path}/${hook?.id}`, () => ({ status: 502, text: '<html>' }));
  await workspace.api.call('integrations.disconnect', {
    params: { id: workspace.workspaceId, integrationId },
  });
  await failAll('remove_hook', 4);
  expect(JSON.stringify(await jobs('remove_hook'))).not.toContain('ghp_works');
  const left = async () =>
    (
      await workspace.api.call('auditLog.list', {
        params: { id: workspace.workspaceId },
        query: { action: 'integration.webhook_left' },
      })
    ).data;
  expect(await left()).toEqual([]);
  github.reset();
  github.hooks.push(...(hook ? [hook] : []));
  time.advance(3 * HOUR);
  await until('it is gone', () => github.hooks.length === 0);
  await github.stop();
});

it('a webhook that no attempt could remove is written into the audit log', async () => {
  const github = await startFakeGithub();
  await start({ HUBLINE_GITHUB_API_URL: github.url });
  const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'github',
      workspace_id: workspace.workspaceId,
      credentials: { token: 'ghp_works', repository: 'octo/web' },
    },
  });
  const [hook] = github.hooks;
  github.instead(`DELETE ${hook?.path}/${hook?.id}`, () => ({ status: 502, text: '<html>' }));
  await workspace.api.call('integrations.disconnect', {
    params: { id: workspace.workspaceId, integrationId },
  });
  await failAll('remove_hook', 10);
  const { data } = await workspace.api.call('auditLog.list', {
    params: { id: workspace.workspaceId },
    query: { action: 'integration.webhook_left' },
  });
  expect(data).toMatchObject([{ metadata: { reason: "GitHub's API responded with 502" } }]);
  await github.stop();
});

it('housekeeping removes an event after its 90 days, and not before', async () => {
  await start();
  const list = async () =>
    (await workspace.api.call('events.list', { params: { id: workspace.workspaceId } })).data.length;
  await workspace.api.call('events.publish', {
    params: { id: workspace.workspaceId },
    body: { type: 'deploy', payload: {} },
  });
  time.advance(89 * DAY);
  await until('a run', async () => {
    const [job] = await jobs('housekeeping');
    return job?.state === 'scheduled' && Date.parse(job.due_at ?? '') > time.clock().getTime();
  });
  expect(await list()).toBe(1);
  time.advance(2 * DAY);
  await until('it is gone', async () => (await list()) === 0);
});
