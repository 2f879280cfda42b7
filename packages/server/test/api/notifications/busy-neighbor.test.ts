import { afterAll, beforeAll, expect, it } from 'vitest';
import { walk } from '../support/api.ts';
import { startSmtpInbox } from '../support/stand-ins/smtp-inbox.ts';
import { until } from '../support/until.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

const EVENTS = 200;

let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
let busy: TestWorkspace & { stop(): Promise<void> };
let quiet: TestWorkspace;
beforeAll(async () => {
  inbox = await startSmtpInbox();
  busy = await startWorkspace({ env: { HUBLINE_SMTP_URL: inbox.url } });
  quiet = await newWorkspace(busy);
});
afterAll(async () => {
  await busy.stop();
  await inbox.stop();
});

async function publish(count: number, { api, workspaceId: id }: TestWorkspace): Promise<void> {
  const events = Array.from({ length: count }, () => ({ type: 'alert', source: 'ci', payload: {} }));
  await api.call('events.publishBatch', { params: { id }, body: { events } });
}

/** The times at which the rule of a workspace was applied. */
async function appliedAt({ api, workspaceId: id }: TestWorkspace): Promise<string[]> {
  const pages = await walk(api, 'notificationRules.log', { params: { id }, limit: 100 });
  return pages.flat().map((message) => (message as { created_at: string }).created_at);
}

it('an event of another workspace does not wait until all of a busy one are matched, nor its email', async () => {
  for (const { api, workspaceId: id, userId } of [busy, quiet])
    await api.call('notificationRules.create', {
      params: { id },
      body: {
        name: 'Alerts',
        notify_on: ['event.created'],
        types: ['alert'],
        destinations: [{ kind: 'email', user_ids: [userId] }],
      },
    });
  await publish(EVENTS, busy);
  await publish(1, quiet);
  await until('all emails are sent', () => inbox.mails.length === EVENTS + 1);

  const [at = ''] = await appliedAt(quiet);
  expect((await appliedAt(busy)).filter((time) => time < at).length).toBeLessThan(EVENTS / 2);
  const link = (mail: (typeof inbox.mails)[number]) => mail.header('List-Unsubscribe') ?? '';
  const place = inbox.mails.findIndex((mail) => link(mail).includes(quiet.workspaceId));
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(EVENTS / 2);
});
