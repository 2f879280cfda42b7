import { setTimeout as delay } from 'node:timers/promises';
import { type EndpointName, type EndpointOutput, endpoints } from '@hubline/contract';
import type { TestServer } from '../../src/testing/testing.ts';
import { URL_TOKEN, type World } from './world.ts';

interface Input {
  params?: Record<string, string>;
  body?: object;
}

type Call = <Name extends EndpointName>(name: Name, input: Input) => Promise<EndpointOutput<Name>>;

/** Fills a server: two workspaces with one of everything, and keys of every kind. `keyFor` makes a key of a user. */
export async function makeWorld(
  server: TestServer,
  keyFor: (email: string) => Promise<string>,
): Promise<World> {
  const marker = `marker-${server.workspaceId}`;
  const owner = callerOf(server.baseUrl, server.apiKey);
  const inside = { params: { id: server.workspaceId } };
  const newKey = (body: object) => owner('apiKeys.create', { ...inside, body: { name: 'fuzz', ...body } });

  const email = 'stranger@example.com';
  const invited = await owner('members.invite', { ...inside, body: { email } });
  const strangerKey = await keyFor(email);
  await owner('members.remove', { params: { id: server.workspaceId, userId: invited.user_id } });
  const stranger = callerOf(server.baseUrl, strangerKey);
  const there = await stranger('workspaces.create', { body: { name: 'Elsewhere', slug: 'elsewhere' } });

  const revoked = await newKey({});
  await owner('apiKeys.revoke', { params: { id: server.workspaceId, keyId: revoked.id } });
  return {
    url: server.url,
    marker,
    keys: {
      owner: server.apiKey,
      bound: (await newKey({})).key,
      viewer: (await newKey({ role: 'viewer' })).key,
      narrow: (await newKey({ scopes: ['events:read'] })).key,
      stranger: strangerKey,
      revoked: revoked.key,
    },
    own: await furnish(owner, server.workspaceId, marker),
    foreign: await furnish(stranger, there.id, 'theirs'),
  };
}

/** Makes one of everything. The webhook is disabled, so its deliveries are held. */
async function furnish(call: Call, workspaceId: string, marker: string): Promise<World['own']> {
  const params = { id: workspaceId };
  const { integration_id: integration } = await call('integrations.connect', {
    body: {
      provider: 'custom',
      workspace_id: workspaceId,
      credentials: { verification: 'none', url_token: URL_TOKEN },
    },
  });
  const { id: webhook } = await call('webhooks.create', {
    body: { url: 'https://example.com/hook', events: ['*'], workspace_id: workspaceId, secret: 's3cret' },
  });
  await call('webhooks.update', { params: { webhookId: webhook }, body: { status: 'disabled' } });
  const { event_id: event } = await call('events.publish', {
    params,
    body: { type: 'push', payload: { marker } },
  });
  const { data } = await call('deliveries.list', { params });
  const recovery = await call('deliveries.retryAll', { params, body: { statuses: ['delivered'] } });
  const member = await call('members.invite', {
    params,
    body: { email: `invited-to-${workspaceId}@example.com`, role: 'viewer' },
  });
  const key = await call('apiKeys.create', { params, body: { name: 'furniture' } });
  const app = { provider: 'github', client_id: 'app', client_secret: 's3cret' };
  await call('oauth.configureApp', { params, body: app });
  const flow = await call('oauth.start', {
    params: { provider: 'github' },
    body: { workspace_id: workspaceId },
  });
  const { provider_id: provider } = await call('providers.create', {
    params,
    body: { provider: 'furniture', name: 'Furniture', verification: { kind: 'none' } },
  });
  const automation = await call('automations.create', {
    params,
    body: { name: 'a', trigger: { event: 'manual' }, actions: [{ type: 'wait', seconds: 3_600 }] },
  });
  const run = await call('automations.run', {
    params: { ...params, automationId: automation.id },
    body: {},
  });
  const template = await call('notificationTemplates.create', {
    params,
    body: { name: 'Furniture', body: { text: 'x' } },
  });
  const rule = await call('notificationRules.create', {
    params,
    body: {
      name: 'Furniture',
      notify_on: ['user.invited'],
      destinations: [{ kind: 'in_app', roles: ['owner'] }],
    },
  });
  await call('members.invite', { params, body: { email: `heard-of-in-${workspaceId}@example.com` } });
  return {
    notificationTemplate: template.id,
    notificationRule: rule.id,
    notification: await firstNotification(call),
    workspace: workspaceId,
    integration,
    provider,
    webhook,
    event,
    delivery: data[0]?.id ?? '',
    recovery: recovery.id,
    user: member.user_id,
    apiKey: key.id,
    oauthFlow: flow.flow_id,
    automation: automation.id,
    run: run.id,
  };
}

/** The notification that the rule sends. A job sends it, soon after the invitation. */
async function firstNotification(call: Call): Promise<string> {
  for (;;) {
    const [notification] = (await call('notifications.list', {})).data;
    if (notification) return notification.id;
    await delay(20);
  }
}

function callerOf(baseUrl: string, key: string): Call {
  return async (name, { params = {}, body }) => {
    const { method, path } = endpoints[name];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => params[part] ?? '');
    const response = await fetch(`${baseUrl}${filled}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name} responded with ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as never;
  };
}
