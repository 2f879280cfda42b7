import { unwrap } from '@hubline/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../delivery/support.ts';
import { join, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Mailbox, startMailbox } from '../support/stand-ins/mailbox.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60_000;

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
let mailbox: Mailbox;
let status: number;
let ahead: number;

beforeEach(async () => {
  status = 500;
  ahead = 0;
  receiver = await startReceiver(() => ({ status }));
  mailbox = await startMailbox();
  workspace = await startWorkspace({
    env: { HUBLINE_SMTP_URL: mailbox.url },
    clock: () => new Date(Date.now() + ahead),
  });
});
afterEach(async () => {
  await workspace.stop();
  await receiver.stop();
  await mailbox[Symbol.asyncDispose]();
});

async function newWebhook(): Promise<string> {
  const { id } = await workspace.api.call('webhooks.create', {
    body: {
      url: `${receiver.url}/secret-path`,
      events: ['event.created'],
      workspace_id: workspace.workspaceId,
      secret: 's3cret',
    },
  });
  return id;
}

const publish = () =>
  workspace.api.call('events.publish', {
    params: { id: workspace.workspaceId },
    body: { type: 'deploy', payload: {} },
  });

const read = (webhookId: string) => workspace.api.call('webhooks.get', { params: { webhookId } });

const statuses = async (webhookId: string) => {
  const { data } = await workspace.api.call('deliveries.listForWebhook', { params: { webhookId } });
  return data.map((delivery) => delivery.status);
};

/** Publishes an event, and waits for its first failed attempt. */
async function fail(webhookId: string): Promise<void> {
  await publish();
  await until('a failed attempt', async () => (await statuses(webhookId))[0] !== 'pending');
}

it('disables a webhook that answers 410, holds its deliveries, and sends them once it is enabled', async () => {
  const admin = await join(workspace, 'admin');
  await join(workspace, 'viewer');
  const id = await newWebhook();
  status = 410;
  await publish();
  const webhook = await until('disabling', async () => {
    const webhook = await read(id);
    return webhook.status === 'disabled' && webhook;
  });
  expect(webhook).toMatchObject({ disabled_reason: 'gone' });
  expect(webhook.disabled_at).not.toBeNull();
  await publish();
  expect(await statuses(id)).toEqual(['held', 'held']);

  const { data: audit } = await workspace.api.call('auditLog.list', {
    params: { id: workspace.workspaceId },
    query: { action: 'webhook.disabled' },
  });
  expect(audit).toMatchObject([
    {
      actor: { type: 'system' },
      targets: [{ id }],
      metadata: { reason: 'gone' },
      context: { request_id: null },
    },
  ]);
  const aboutIt = () => mailbox.mails.filter(({ text }) => text.includes(id));
  await until('mails', () => aboutIt().length === 2);
  expect(
    aboutIt()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual([admin.email, 'owner@example.com'].sort());
  expect(aboutIt()[0]?.text).not.toContain('secret-path');

  status = 200;
  const enabled = await workspace.api.call('webhooks.enable', { params: { webhookId: id } });
  expect(enabled).toMatchObject({
    status: 'active',
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
  });
  await until('deliveries', async () => (await statuses(id)).every((state) => state === 'delivered'));
});

it('disables a webhook whose every attempt has failed for five days, and not a moment before', async () => {
  const id = await newWebhook();
  await fail(id);
  ahead = 5 * DAY_MS - 60_000;
  await fail(id);
  const { failing_since: since, ...failing } = await read(id);
  expect(failing).toMatchObject({ status: 'active', disabled_reason: null });
  expect(Date.now() - Date.parse(since ?? '')).toBeLessThan(DAY_MS);

  ahead = 5 * DAY_MS + 60_000;
  await publish();
  await until('disabling', async () => (await read(id)).disabled_reason === 'failing');
  await until('holding', async () => (await statuses(id)).every((state) => state === 'held'));
});

it('counts from zero after a success', async () => {
  const id = await newWebhook();
  await fail(id);
  ahead = 4 * DAY_MS;
  status = 200;
  await publish();
  await until('a success', async () => (await statuses(id)).includes('delivered'));
  status = 500;
  ahead = 8 * DAY_MS;
  await fail(id);
  expect(await read(id)).toMatchObject({ status: 'active' });
  ahead = 13 * DAY_MS + 60_000;
  await publish();
  await until('disabling', async () => (await read(id)).disabled_reason === 'failing');
});

it('counts from zero when it is enabled, and when its URL changes', async () => {
  const id = await newWebhook();
  const params = { webhookId: id };
  await fail(id);
  ahead = 6 * DAY_MS;
  await workspace.api.call('webhooks.update', { params, body: { url: `${receiver.url}/other` } });
  await fail(id);
  expect(await read(id)).toMatchObject({ status: 'active' });
  ahead = 12 * DAY_MS;
  await publish();
  await until('disabling', async () => (await read(id)).disabled_reason === 'failing');
  await workspace.api.call('webhooks.update', { params, body: { status: 'active' } });
  await until('attempts', async () => (await statuses(id)).every((state) => state === 'retrying'));
  expect(await read(id)).toMatchObject({ status: 'active', disabled_reason: null });
});

it('says that somebody disabled it by hand, and since when', async () => {
  const id = await newWebhook();
  const disabled = await workspace.api.call('webhooks.update', {
    params: { webhookId: id },
    body: { status: 'disabled' },
  });
  expect(disabled).toMatchObject({ disabled_reason: 'manual', disabled_at: disabled.updated_at });
});

describe('a webhook whose stored secret no longer decrypts', () => {
  /** Damages a row, as a broken disk or a row from another database would. */
  const damage = (id: string, column: 'secret' | 'previous_secret') =>
    openStore(workspace).write((tx) =>
      tx
        .updateTable('webhooks')
        .set({ [column]: 'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })
        .where('id', '=', id)
        .execute(),
    );

  it('is disabled with its first delivery, says so, and continues with a new secret; nothing is lost', async () => {
    status = 200;
    const id = await newWebhook();
    const other = await newWebhook();
    await damage(id, 'secret');
    await publish();
    const disabled = await until('disabling', async () => {
      const webhook = await read(id);
      return webhook.status === 'disabled' && webhook;
    });
    expect(disabled).toMatchObject({ disabled_reason: 'secret_unreadable', failing_since: null });
    await publish();
    await until('both are held', async () => (await statuses(id)).join(' ') === 'held held');
    await until(
      'the other one is called',
      async () => (await statuses(other)).join(' ') === 'delivered delivered',
    );
    expect(receiver.calls).toHaveLength(2);

    const { data: entries } = await workspace.api.call('auditLog.list', {
      params: { id: workspace.workspaceId },
      query: { action: 'webhook.disabled' },
    });
    expect(entries).toMatchObject([{ targets: [{ id }], metadata: { reason: 'secret_unreadable' } }]);
    const mail = await until('an email', () => mailbox.mails[0]);
    expect(mail).toMatchObject({ text: expect.stringContaining(`hubline webhook rotate-secret ${id}`) });

    const params = { webhookId: id };
    for (const refused of [
      await workspace.api.refused('webhooks.enable', 422, { params }),
      await workspace.api.refused('webhooks.update', 422, { params, body: { status: 'active' } }),
    ])
      expect(refused.message).toContain('rotate the secret, which also enables it');

    const secret = 'the new secret';
    expect(
      await workspace.api.call('webhooks.rotateSecret', { params, body: { secret, overlap_seconds: 3_600 } }),
    ).toEqual({ id, previous_valid_until: null });
    expect(await read(id)).toMatchObject({ status: 'active', disabled_reason: null });
    await until('both are delivered', async () => (await statuses(id)).join(' ') === 'delivered delivered');
    const calls = receiver.calls.slice(2);
    expect(calls).toHaveLength(2);
    for (const { bytes, headers } of calls)
      expect(await unwrap({ body: bytes, headers }, { secret })).toMatchObject({ type: 'event.created' });
    expect(mailbox.mails).toHaveLength(1);
  });

  it('is called with the new secret alone if only the previous one does not decrypt', async () => {
    status = 200;
    const id = await newWebhook();
    const rotation = { secret: 'the new secret', overlap_seconds: 3_600 };
    await workspace.api.call('webhooks.rotateSecret', { params: { webhookId: id }, body: rotation });
    await damage(id, 'previous_secret');
    await publish();
    await until('delivery', async () => (await statuses(id))[0] === 'delivered');
    expect(String(receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'active' });
  });
});
