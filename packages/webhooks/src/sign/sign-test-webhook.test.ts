import { beforeAll, describe, expect, it } from 'vitest';
import { BACKENDS, loadBackend } from '../../test/backends.ts';
import { SECRET } from '../../test/samples.ts';

describe.each(BACKENDS)('signTestWebhook, with %s', (backend) => {
  let core: Awaited<ReturnType<typeof loadBackend>>;
  beforeAll(async () => {
    core = await loadBackend(backend);
  });

  it.each([
    'event.created',
    'automation.completed',
    'integration.connected',
    'user.invited',
    'webhook.failing',
    'webhook.disabled',
    'integration.error',
    'automation.disabled',
    'notification.sent',
    'workspace.renamed',
  ])('makes a delivery of %s that a strict receiver accepts', async (type) => {
    const call = await core.signTestWebhook({ secret: SECRET, type });
    const event = await core.unwrap(new Request('https://app.example.com/hooks', call), {
      secret: SECRET,
      requireTimestamp: true,
      maxAge: 60,
    });
    expect(event).toMatchObject({ id: expect.stringMatching(/^dlv_[0-9a-hjkmnp-tv-z]{26}$/), type });
  });

  it('keeps the given fields and fills in the others', async () => {
    const call = await core.signTestWebhook({
      secret: SECRET,
      type: 'user.invited',
      data: { role: 'admin' },
      id: 'dlv_mine',
      workspace_id: 'ws_mine',
      created_at: new Date('2026-01-02T03:04:05Z'),
    });
    expect(JSON.parse(call.body)).toEqual({
      id: 'dlv_mine',
      type: 'user.invited',
      created_at: '2026-01-02T03:04:05.000Z',
      workspace_id: 'ws_mine',
      data: { user_id: expect.stringMatching(/^usr_/), email: 'ada@example.com', role: 'admin' },
      event: { id: null, timestamp: '2026-01-02T03:04:05.000Z' },
    });
    expect(call.headers).toMatchObject({
      'X-Service-Event': 'user.invited',
      'X-Service-Delivery': 'dlv_mine',
    });
  });

  it('makes a new delivery each time, so that none is taken for a duplicate', async () => {
    const calls = await Promise.all([1, 2].map(() => core.signTestWebhook({ secret: SECRET })));
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('can be signed in the past, to test the tolerance', async () => {
    const call = await core.signTestWebhook({ secret: SECRET, signed_at: new Date(Date.now() - 301_000) });
    await expect(core.unwrap(call, { secret: SECRET })).rejects.toMatchObject({ reason: 'expired' });
  });

  it('does not take a type named like an inherited property for one it knows', async () => {
    const call = await core.signTestWebhook({ secret: SECRET, type: 'toString' });
    expect(JSON.parse(call.body)).toMatchObject({ type: 'toString', data: {} });
  });
});
