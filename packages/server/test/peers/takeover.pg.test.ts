import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { idBytes } from '../../src/db/core/columns/columns.ts';
import { Api } from '../api/support/api.ts';
import { type TestWorkspace, startWorkspace, unique } from '../api/support/workspace.ts';
import { startSmtpInbox } from '../api/support/stand-ins/smtp-inbox.ts';
import { until } from '../api/support/until.ts';
import { Child } from '../crash/harness/child.ts';
import type { ServerInput } from '../crash/harness/server.process.ts';
import { fence, deliveriesOf, holding, openStore, publish, subscribe } from '../delivery/support.ts';
import { onlyShortTimers, startAnother, through } from './two-processes.ts';

// No sweep and no end of a lease happens in these tests. A delivery or a job that comes back was therefore given back.
let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  inbox = await startSmtpInbox();
  workspace = await startWorkspace({ env: { HUBLINE_SMTP_URL: inbox.url }, timer: onlyShortTimers });
});
afterAll(async () => {
  await workspace.stop();
  await inbox.stop();
});

/** A server in its own process, which can be killed. Its mail server hangs. */
async function startKillable(): Promise<{ api: Api; mails: () => number; kill: () => void }> {
  let mails = 0;
  const hanging = createServer(() => void (mails += 1));
  await new Promise<void>((resolve) => void hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo;
  const flags = { ...workspace.server.storage, port: 0, allowHttpLocalhost: true, rateLimit: 10_000_000 };
  const child = new Child('server', {
    input: {
      flags: { ...flags, senders: 0, httpThread: 'off', logLevel: 'silent' },
      env: { HUBLINE_SMTP_URL: `smtp://127.0.0.1:${port}` },
      speed: 1,
      origin: Date.now(),
    } satisfies ServerInput,
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child.ended;
    hanging.close();
  });
  const up = await child.first<{ baseUrl: string }>();
  const api = new Api(up?.baseUrl ?? '', workspace.server.apiKey);
  return { api, mails: () => mails, kill: () => child.kill('SIGKILL') };
}

/** A webhook whose receiver holds every call, and an event that a server has just sent to it. */
async function callThrough(api: Api) {
  const receiver = await holding();
  const there = { ...(await subscribe(workspace, receiver.url)), api };
  await publish(there);
  await until('the call', () => receiver.waiting() === 1);
  return { receiver, there: { ...there, api: workspace.api } };
}

/** Ends the connection by which a process is visible to the others, and no other connection. */
const cutFromOthers = (owner: string) =>
  sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name = ${`hubline ${owner.split('.')[0]}`}`.execute(
    openStore(workspace).read,
  );

/** Leases a delivered delivery again, as a commit whose response was lost would. */
const leaseAgain = ({ webhookId }: { webhookId: string }, owner: string) =>
  sql`update deliveries set status = 0, lease_owner = ${owner}, lease_token = 2, due_at = ${Date.now() + 3_600_000}
    where webhook_id = ${idBytes(webhookId)}`.execute(openStore(workspace).read);

const ownerOf = async ({ webhookId }: { webhookId: string }): Promise<string> => {
  const { rows } = await sql<{ lease_owner: string }>`select lease_owner from deliveries
    where lease_owner is not null and webhook_id = ${idBytes(webhookId)}`.execute(openStore(workspace).read);
  return rows[0]?.lease_owner ?? '';
};

describe('the leases of a process', () => {
  it('that was killed are given back at once, of deliveries and jobs, and those of the living are not', async () => {
    const dying = await startKillable();
    const lost = await callThrough(dying.api);
    const living = await startAnother(workspace, { env: { HUBLINE_SMTP_URL: inbox.url } });
    const held = await callThrough(through(living, workspace).api);
    const invite = async () => {
      const email = `${unique('invited')}@example.com`;
      await dying.api.call('members.invite', { params: { id: workspace.workspaceId }, body: { email } });
      return email;
    };
    let email = await invite();
    await until('its mail hangs', async () => {
      if (dying.mails() === 1) return true;
      // A process that stood still for a second has no owner name for a moment, and leaves its jobs to others.
      if (inbox.mails.some(({ to }) => to.includes(email))) email = await invite();
      return false;
    });
    dying.kill();
    await until('somebody calls again', () => lost.receiver.calls.length === 2);
    await until('somebody mails', () => inbox.mails.some(({ to }) => to.includes(email)));
    await fence(workspace);
    expect(held.receiver.calls).toHaveLength(1);
    for (const { receiver, there } of [lost, held]) {
      receiver.respond(200);
      await until('the delivery', async () => (await deliveriesOf(there))[0]?.status === 'delivered');
    }
    expect((await deliveriesOf(lost.there))[0]).toMatchObject({ attempt_count: 1 });
  });

  it('whose connection was cut stay its own if it works on them, and are given back if it does not know them', async () => {
    const other = await startAnother(workspace);
    const { receiver, there } = await callThrough(through(other, workspace).api);
    const owner = await ownerOf(there);
    const unknown = await callThrough(workspace.api);
    unknown.receiver.respond(200);
    await until('the delivery', async () => (await deliveriesOf(unknown.there))[0]?.status === 'delivered');
    await leaseAgain(unknown.there, owner);
    await cutFromOthers(owner);
    await until('it is sent again', () => unknown.receiver.calls.length === 2);
    await fence(workspace);
    expect(receiver.calls).toHaveLength(1);
    receiver.respond(200);
    await until('the delivery', async () => (await deliveriesOf(there))[0]?.status === 'delivered');
  });
});
