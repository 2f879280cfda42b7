import type { EndpointOutput } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { deliveriesOf, newWebhook, receiver } from '../../delivery/support.ts';
import { damageCredentials } from '../support/damage.ts';
import { callFromGithub, type FakeGithub, startFakeGithub } from '../support/stand-ins/fake-github.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { until } from '../support/until.ts';

let github: FakeGithub;
let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
beforeAll(async () => {
  github = await startFakeGithub();
  root = await startWorkspace({ env: { HUBLINE_GITHUB_API_URL: github.url } });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(async () => {
  github.reset();
  workspace = await newWorkspace(root);
});

const TOKEN = { token: 'ghp_works' };
const at = (integrationId: string) => ({ params: { integrationId } });
const connect = (credentials: object = TOKEN, provider = 'github') =>
  workspace.api.call('integrations.connect', {
    body: { provider, workspace_id: workspace.workspaceId, credentials },
  });
const create = (type = 'github') =>
  workspace.api.call('integrations.create', {
    body: { type, workspace_id: workspace.workspaceId, config: {} },
  });
const reconnect = (integrationId: string, credentials: object) =>
  workspace.api.call('integrations.reconnect', { ...at(integrationId), body: { credentials } });
const test = (integrationId: string) =>
  workspace.api.send('integrations.test', {
    ...at(integrationId),
    body: { event_type: 'event.created', payload: { message: 'Hello' } },
  });
const get = (integrationId: string) => workspace.api.call('integrations.get', at(integrationId));

/** The status and its code, which the integration and the list must show alike. */
async function statusOf(integrationId: string): Promise<[string, string | null]> {
  const { status, status_detail } = await get(integrationId);
  const { data } = await workspace.api.call('integrations.list', { params: { id: workspace.workspaceId } });
  const listed = data.find((each) => each.integration_id === integrationId);
  expect([listed?.status, listed?.status_detail]).toEqual([status, status_detail]);
  return [status, status_detail?.code ?? null];
}

const ingestOf = ({ ingest }: EndpointOutput<'integrations.connect'>) => ({
  url: ingest.url,
  secret: ingest.secret ?? '',
});
const push = (ingest: { url: string; secret: string }) =>
  callFromGithub(ingest, 'push', { ref: 'refs/heads/main' });
const ping = (ingest: { url: string; secret: string }) => callFromGithub(ingest, 'ping', { zen: 'Keep it.' });

async function audited(action: string) {
  const { data } = await workspace.api.call('auditLog.list', {
    params: { id: workspace.workspaceId },
    query: { action },
  });
  return data;
}

describe('integration.connected', () => {
  const sentTriggers = async () => {
    const deliveries = await deliveriesOf(workspace);
    return deliveries.map(({ event_type }) => event_type);
  };
  beforeEach(async () => {
    const { url } = await receiver();
    await newWebhook(workspace, url, { events: ['integration.connected'] });
  });

  it('is sent when an integration is made with credentials, and never again', async () => {
    const made = await connect();
    expect(await sentTriggers()).toEqual(['integration.connected']);
    expect(await audited('integration.connected')).toHaveLength(1);
    await ping(ingestOf(made));
    await push(ingestOf(made));
    await reconnect(made.integration_id, TOKEN);
    github.instead('POST /repos/octo/web/issues', () => ({ status: 401, body: { message: 'Bad' } }));
    await reconnect(made.integration_id, { ...TOKEN, repository: 'octo/web' });
    await test(made.integration_id);
    expect(await statusOf(made.integration_id)).toEqual(['error', 'credentials_refused']);
    await reconnect(made.integration_id, TOKEN);
    expect(await sentTriggers()).toEqual(['integration.connected']);
  });

  it('is not sent for one that waits for credentials until they come', async () => {
    const { integration_id, connected_at } = await create();
    expect(await statusOf(integration_id)).toEqual(['disconnected', 'awaiting_credentials']);
    expect([await sentTriggers(), await audited('integration.connected')]).toEqual([[], []]);
    expect(await audited('integration.created')).toMatchObject([{ actor: { type: 'api_key' } }]);
    const connected = await reconnect(integration_id, TOKEN);
    expect(connected.connected_at >= connected_at).toBe(true);
    expect(await sentTriggers()).toEqual(['integration.connected']);
    expect(await audited('integration.connected')).toHaveLength(1);
  });

  it.each<[string, typeof ping]>([
    ['ping', ping],
    ['event', push],
  ])('is sent once when the first %s arrives, even if many arrive at once', async (_what, call) => {
    const made = await create();
    const responses = await Promise.all(Array.from({ length: 5 }, () => call(ingestOf(made))));
    expect(responses.every(({ ok }) => ok)).toBe(true);
    expect(await statusOf(made.integration_id)).toEqual(['connected', null]);
    expect(await sentTriggers()).toEqual(['integration.connected']);
    expect(await audited('integration.connected')).toMatchObject([{ actor: { type: 'system' } }]);
  });

  it('is sent at once for one that needs no credentials', async () => {
    const { integration_id } = await create('custom');
    expect(await statusOf(integration_id)).toEqual(['connected', 'awaiting_hook']);
    expect(await sentTriggers()).toEqual(['integration.connected']);
  });
});

describe('an integration whose provider has not called', () => {
  it('awaits its webhook, and says how to set it up, until the first call that is authentic', async () => {
    const made = await connect();
    expect(made.status_detail).toMatchObject({
      code: 'awaiting_hook',
      message: expect.stringContaining('No call from GitHub has arrived yet'),
    });
    expect(made.ingest).toMatchObject({
      registered: false,
      instructions: expect.stringContaining(`payload URL ${made.ingest.url}`),
    });
    expect((await push({ ...ingestOf(made), secret: 'wrong' })).status).toBe(401);
    expect(await statusOf(made.integration_id)).toEqual(['connected', 'awaiting_hook']);
    expect((await get(made.integration_id)).last_synced_at).toBeNull();
    expect((await ping(ingestOf(made))).status).toBe(200);
    expect(await statusOf(made.integration_id)).toEqual(['connected', null]);
    expect((await get(made.integration_id)).last_synced_at).not.toBeNull();
  });

  it('awaits the first call even if the webhook was registered for the user', async () => {
    const made = await connect({ ...TOKEN, repository: 'octo/web' });
    expect(made.ingest.registered).toBe(true);
    expect(made.status_detail?.message).toBe(
      'The webhook is registered at GitHub. Its first call has not arrived yet.',
    );
    await push(ingestOf(made));
    expect(await get(made.integration_id)).toMatchObject({
      status: 'connected',
      status_detail: null,
      ingest: { registered: true, instructions: expect.stringContaining('Nothing is left to do') },
    });
  });

  it('says why the provider did not register the webhook, for as long as it waits', async () => {
    const { integration_id } = await connect({ ...TOKEN, repository: 'octo/secret' });
    const { status_detail, ingest } = await get(integration_id);
    for (const text of [status_detail?.message, ingest.instructions])
      expect(text).toContain('GitHub does not know the repository or organization');
    expect(ingest.registered).toBe(false);
  });

  it('awaits the first call again when a reconnection changes the secret or the place, and only then', async () => {
    const made = await connect({ ...TOKEN, repository: 'octo/web' });
    const { integration_id: id } = made;
    await push(ingestOf(made));
    await reconnect(id, { ...TOKEN, repository: 'octo/web' });
    expect(await statusOf(id)).toEqual(['connected', null]);
    await reconnect(id, TOKEN);
    expect(await statusOf(id)).toEqual(['connected', null]);
    expect((await get(id)).ingest.registered).toBe(true);

    await reconnect(id, { ...TOKEN, repository: 'octo/app' });
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    await push(ingestOf(made));
    expect(await statusOf(id)).toEqual(['connected', null]);

    await reconnect(id, { ...TOKEN, webhook_secret: 'another-secret' });
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    expect(github.hooks.map(({ config }) => config.secret)).toEqual(['another-secret']);
    expect((await push(ingestOf(made))).status).toBe(401);
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    await push({ url: made.ingest.url, secret: 'another-secret' });
    expect(await statusOf(id)).toEqual(['connected', null]);

    await reconnect(id, { ...TOKEN, repository: 'octo/secret' });
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    expect((await get(id)).ingest.registered).toBe(false);
  });
});

it('is set up at the organization that a reconnection names in place of its repository, and back', async () => {
  const { integration_id: id } = await connect({ ...TOKEN, repository: 'octo/secret' });
  const place = async () => /https:\S+\/settings\/hooks/.exec((await get(id)).ingest.instructions)?.[0];
  expect(await place()).toBe('https://github.com/octo/secret/settings/hooks');
  await reconnect(id, TOKEN);
  expect(await place()).toBe('https://github.com/octo/secret/settings/hooks');
  await reconnect(id, { ...TOKEN, organization: 'secret' });
  expect(await place()).toBe('https://github.com/organizations/secret/settings/hooks');
  await reconnect(id, { ...TOKEN, repository: 'octo/secret' });
  expect(await place()).toBe('https://github.com/octo/secret/settings/hooks');
});

it.each([
  [undefined, /^Only programs on this machine can call 127\.0\.0\.1:\d+\. .*--public-url/],
  ['http://localhost:8787', /^Only programs on this machine can call localhost:8787\./],
  ['https://[::1]', /^Only programs on this machine/],
  ['https://10.20.0.4', /^Only programs in its own network can call 10\.20\.0\.4\./],
  ['https://hub.internal', /^Only programs in its own network/],
  ['https://hub', /^Only programs in its own network/],
  ['https://169.254.169.254', /^Only programs in its own network/],
  [
    'http://hub.example.com',
    /^The URL of hub\.example\.com begins with http:\/\/, and calls over plain HTTP are refused\./,
  ],
  ['https://hub.example.com', null],
  ['https://hub.example.com:444', null],
  ['https://8.8.8.8', null],
])('a server at %s warns if providers cannot call it', async (publicUrl, warning) => {
  const server = await startWorkspace({ flags: publicUrl === undefined ? {} : { publicUrl } });
  onTestFinished(() => server.stop());
  const body = { provider: 'custom', workspace_id: server.workspaceId, credentials: {} };
  const made = await server.api.call('integrations.connect', { body });
  const read = await server.api.call('integrations.get', at(made.integration_id));
  expect(read.ingest.warning).toBe(made.ingest.warning);
  if (warning === null) expect(read.ingest.warning).toBeNull();
  else expect(read.ingest.warning).toMatch(warning);
});

describe('an integration whose provider refuses', () => {
  const refuse = (status: number, message: string) =>
    github.instead('POST /repos/octo/web/issues', () => ({ status, body: { message } }));

  it.each([
    [401, 'Bad credentials', 'credentials_refused'],
    [403, 'Resource not accessible', 'credentials_refused'],
    [404, 'Not Found', 'destination_refused'],
    [410, 'Issues are disabled', 'destination_refused'],
  ])(
    'a notification with %i has the status error and the reason, until a notification is accepted',
    async (status, reason, code) => {
      const made = await connect({ ...TOKEN, repository: 'octo/web' });
      const { integration_id: id } = made;
      await push(ingestOf(made));
      refuse(status, reason);
      expect((await test(id)).json).toMatchObject({
        success: false,
        error: `GitHub responded with ${status}: ${reason}`,
      });
      expect(await statusOf(id)).toEqual(['error', code]);
      const { status_detail: first } = await get(id);
      expect(first?.message).toContain(reason);
      expect(await audited('integration.failed')).toMatchObject([
        { targets: [{ id, name: 'github' }], metadata: { code, message: first?.message } },
      ]);

      refuse(status, 'In other words');
      await test(id);
      const { status_detail: again } = await get(id);
      expect(again).toMatchObject({
        code,
        since: first?.since,
        message: expect.stringContaining('In other words'),
      });
      expect(await audited('integration.failed')).toHaveLength(1);

      // Events prove nothing about the token, and are not lost.
      expect((await push(ingestOf(made))).status).toBe(202);
      expect(await statusOf(id)).toEqual(['error', code]);

      github.instead('POST /repos/octo/web/issues', () => ({ status: 201, body: { number: 1 } }));
      await test(id);
      expect(await statusOf(id)).toEqual(['connected', null]);
      expect(await audited('integration.recovered')).toMatchObject([{ metadata: { code } }]);
    },
  );

  it('goes back to what it awaited before', async () => {
    const { integration_id: id } = await connect({ ...TOKEN, repository: 'octo/web' });
    refuse(401, 'Bad credentials');
    await test(id);
    expect(await statusOf(id)).toEqual(['error', 'credentials_refused']);
    await reconnect(id, { ...TOKEN, repository: 'octo/web' });
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    expect(await audited('integration.recovered')).toHaveLength(1);
  });

  it('loses an error about its destination when the channel changes, and keeps one about its credentials', async () => {
    const { integration_id: id } = await connect({ ...TOKEN, repository: 'octo/web' });
    const update = (config: object) =>
      workspace.api.call('integrations.update', { ...at(id), body: { config } });
    refuse(404, 'Not Found');
    await test(id);
    await update({ notify_on: [] });
    expect(await statusOf(id)).toEqual(['error', 'destination_refused']);
    expect((await update({ channel: 'octo/app' })).status).toBe('connected');
    refuse(401, 'Bad credentials');
    await update({});
    await test(id);
    await update({ channel: 'octo/app' });
    expect(await statusOf(id)).toEqual(['error', 'credentials_refused']);
  });

  it('is not in error after a test without a destination', async () => {
    const { integration_id: id } = await connect();
    expect((await test(id)).json).toMatchObject({ success: false });
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    const { integration_id: custom } = await connect({}, 'custom');
    expect((await test(custom)).json).toMatchObject({ success: false });
    expect(await statusOf(custom)).toEqual(['connected', 'awaiting_hook']);
    expect(await audited('integration.failed')).toEqual([]);
  });

  it('is not called at all while it has no credentials', async () => {
    const { integration_id: id } = await create();
    const refused = await test(id);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('without credentials; reconnect it with token');
    expect(github.calls).toEqual([]);
    expect(await statusOf(id)).toEqual(['disconnected', 'awaiting_credentials']);
  });
});

describe('an integration whose stored credentials no longer decrypt', () => {
  const damage = (integrationId: string) => damageCredentials(root, integrationId);

  it('answers 503 to every call until the credentials are repaired, and loses nothing', async () => {
    const made = await connect();
    const { integration_id: id } = made;
    await push(ingestOf(made));
    const restore = await damage(id);
    const calls = await Promise.all([
      push(ingestOf(made)),
      ping(ingestOf(made)),
      push({ ...ingestOf(made), secret: 'x' }),
    ]);
    for (const call of calls) {
      expect([call.status, call.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await call.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    }
    expect(await statusOf(id)).toEqual(['error', 'credentials_unreadable']);
    expect(await audited('integration.failed')).toMatchObject([{ actor: { type: 'system' } }]);
    expect((await get(id)).ingest.instructions).toContain('Reconnect the integration first');

    await restore();
    expect((await push(ingestOf(made))).status).toBe(202);
    expect(await statusOf(id)).toEqual(['connected', null]);
    expect(await audited('integration.recovered')).toHaveLength(1);
  });

  it('can be tested, which says so, and reconnected, which makes a new secret', async () => {
    const made = await connect({ ...TOKEN, repository: 'octo/web' });
    const { integration_id: id } = made;
    await push(ingestOf(made));
    await damage(id);
    const tested = await test(id);
    expect([tested.status, tested.text]).toEqual([
      422,
      expect.stringContaining('can no longer be read; reconnect it'),
    ]);
    expect(await statusOf(id)).toEqual(['error', 'credentials_unreadable']);

    const again = await reconnect(id, { ...TOKEN, repository: 'octo/web' });
    expect(again.ingest.secret).toMatch(/^[\w-]{43}$/);
    expect(again.ingest.secret).not.toBe(made.ingest.secret);
    expect(github.hooks.map(({ config }) => config.secret)).toEqual([again.ingest.secret]);
    expect(await statusOf(id)).toEqual(['connected', 'awaiting_hook']);
    expect((await push(ingestOf(again))).status).toBe(202);
  });

  it('can be disconnected, and deleted with its workspace; the audit log names the webhook that is left', async () => {
    const { integration_id: integrationId } = await connect({ ...TOKEN, repository: 'octo/web' });
    await damage(integrationId);
    await workspace.api.call('integrations.disconnect', {
      params: { id: workspace.workspaceId, integrationId },
    });
    const [left] = await until('an entry', async () => {
      const entries = await audited('integration.webhook_left');
      return entries.length > 0 && entries;
    });
    expect(left?.metadata).toMatchObject({ reason: 'the stored credentials cannot be read' });

    const { integration_id: second } = await connect({ ...TOKEN, repository: 'octo/app' });
    await damage(second);
    await workspace.api.call('workspaces.delete', { params: { id: workspace.workspaceId } });
  });
});
