import { type EndpointName, ID_ALPHABET } from '@hubline/contract';
import type { CallInput } from './api.ts';
import { invite, newKey, type TestWorkspace, unique } from './workspace.ts';
import { until } from './until.ts';

const URL_TOKEN = 'token-of-the-ingest-url';

/** The environment of a server that asks no provider about credentials, and uses `target` as Notion's API. */
export const uncheckedEnv = (target: string) => ({
  HUBLINE_CREDENTIAL_CHECK: 'skip',
  HUBLINE_NOTION_API_URL: target,
});

/** Makes the things that a call needs, and the call. */
export type Prepare = (workspace: TestWorkspace) => CallInput | Promise<CallInput>;

const inWorkspace = ({ workspaceId }: TestWorkspace) => ({ params: { id: workspaceId } });

/**
 * Prepares a successful call of each endpoint. `target` is the URL for webhooks and notifications. A new endpoint
 * without a row does not compile.
 */
export function validCalls(target: string): Readonly<Record<EndpointName, Prepare>> {
  // Each key has only the scope that its caller needs to read and change keys.
  async function key(workspace: TestWorkspace): Promise<CallInput> {
    const { id } = await newKey(workspace, { role: 'viewer', scopes: ['api_keys:write'] });
    return { params: { id: workspace.workspaceId, keyId: id } };
  }

  async function invited(workspace: TestWorkspace): Promise<CallInput> {
    const { user_id: userId } = await invite(workspace, 'viewer');
    return { params: { id: workspace.workspaceId, userId } };
  }

  async function integration(
    workspace: TestWorkspace,
  ): Promise<CallInput & { params: { integrationId: string } }> {
    const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
      body: {
        provider: 'custom',
        workspace_id: workspace.workspaceId,
        credentials: { verification: 'none', url_token: URL_TOKEN, notify_url: target },
      },
    });
    return { params: { integrationId } };
  }

  // A workspace can have only one Notion integration.
  const notions = new Map<string, string>();

  /** Connects Notion, on a server with the environment of `uncheckedEnv`. */
  async function notion({ api, workspaceId }: TestWorkspace): Promise<CallInput> {
    const there = notions.get(workspaceId);
    if (there !== undefined) return { params: { integrationId: there } };
    const { integration_id: integrationId } = await api.call('integrations.connect', {
      body: { provider: 'notion', workspace_id: workspaceId, credentials: { token: 'ntn_0123456789' } },
    });
    notions.set(workspaceId, integrationId);
    return { params: { integrationId } };
  }

  async function storedEvent(workspace: TestWorkspace): Promise<{ event_id: string }> {
    const { params } = await event(workspace);
    return { event_id: String(params?.['eventId']) };
  }

  async function event(workspace: TestWorkspace): Promise<CallInput> {
    const { event_id: eventId } = await workspace.api.call('events.publish', {
      ...inWorkspace(workspace),
      body: { type: 'deploy', payload: {} },
    });
    return { params: { id: workspace.workspaceId, eventId } };
  }

  async function webhook(workspace: TestWorkspace): Promise<CallInput & { params: { webhookId: string } }> {
    const { id: webhookId } = await workspace.api.call('webhooks.create', {
      body: { url: target, events: ['user.invited'], workspace_id: workspace.workspaceId, secret: 's3cret' },
    });
    return { params: { webhookId } };
  }

  async function delivery(workspace: TestWorkspace): Promise<CallInput> {
    const { id } = await workspace.api.call('webhooks.test', await webhook(workspace));
    const params = { deliveryId: id };
    await until('the test call', async () => {
      const { status } = await workspace.api.call('deliveries.get', { params });
      return status === 'delivered';
    });
    return { params };
  }

  async function recovery(workspace: TestWorkspace): Promise<CallInput> {
    const { id } = await workspace.api.call('deliveries.retryAll', { ...inWorkspace(workspace), body: {} });
    return { params: { recoveryId: id } };
  }

  const definition = (): CallInput['body'] => ({
    provider: unique('acme'),
    name: 'Acme',
    verification: { kind: 'token', header: 'x-acme-token' },
  });

  async function provider({ api, workspaceId }: TestWorkspace): Promise<CallInput> {
    const { provider_id: providerId } = await api.call('providers.create', {
      params: { id: workspaceId },
      body: definition(),
    });
    return { params: { id: workspaceId, providerId } };
  }

  async function automation(
    workspace: TestWorkspace,
  ): Promise<CallInput & { params: { automationId: string } }> {
    const created = await workspace.api.call('automations.create', {
      ...inWorkspace(workspace),
      body: automationBody(target),
    });
    return { params: { id: workspace.workspaceId, automationId: created.id } };
  }

  /** A run that waits. */
  async function run(workspace: TestWorkspace): Promise<CallInput> {
    const { params } = await automation(workspace);
    const { id: runId } = await workspace.api.call('automations.run', { params, body: {} });
    return { params: { ...params, runId } };
  }

  async function template(workspace: TestWorkspace): Promise<CallInput> {
    const { id } = await workspace.api.call('notificationTemplates.create', {
      ...inWorkspace(workspace),
      body: TEMPLATE,
    });
    return { params: { id: workspace.workspaceId, templateId: id } };
  }

  async function rule(workspace: TestWorkspace): Promise<CallInput> {
    const { id } = await workspace.api.call('notificationRules.create', {
      ...inWorkspace(workspace),
      body: RULE,
    });
    return { params: { id: workspace.workspaceId, ruleId: id } };
  }

  /** A notification from a rule that tells the owner of an event. */
  async function notification(workspace: TestWorkspace): Promise<CallInput> {
    await rule(workspace);
    await event(workspace);
    const query = { workspace_id: workspace.workspaceId, unread: 'true' };
    let notificationId = '';
    await until('the notification', async () => {
      const { data } = await workspace.api.call('notifications.list', { query });
      notificationId = data[0]?.id ?? '';
      return notificationId !== '';
    });
    return { params: { notificationId } };
  }

  const oauthApp = ({ api, workspaceId }: TestWorkspace) =>
    api.call('oauth.configureApp', { params: { id: workspaceId }, body: OAUTH_APP });

  return {
    'me.get': () => ({}),
    'personalApiKeys.list': () => ({}),
    'personalApiKeys.create': () => ({ body: { name: 'laptop' } }),
    'personalApiKeys.revoke': async ({ api }) => {
      const { id } = await api.call('personalApiKeys.create', { body: { name: 'old laptop' } });
      return { params: { keyId: id } };
    },

    'workspaces.list': () => ({}),
    'workspaces.create': () => ({ body: { name: 'New', slug: unique('new') } }),
    'workspaces.get': inWorkspace,
    'workspaces.update': (workspace) => ({ ...inWorkspace(workspace), body: { name: 'Renamed' } }),
    'workspaces.delete': inWorkspace,
    'workspaces.stats': inWorkspace,
    'workspaces.health': inWorkspace,

    'members.list': inWorkspace,
    'members.invite': (workspace) => ({
      ...inWorkspace(workspace),
      body: { email: `${unique('m')}@example.com` },
    }),
    'members.create': ({ workspaceId }) => ({
      params: { workspace_id: workspaceId },
      body: { email: `${unique('m')}@example.com`, role: 'viewer' },
    }),
    'members.update': async (workspace) => ({ ...(await invited(workspace)), body: { role: 'member' } }),
    'members.remove': invited,
    'members.resendInvite': invited,
    'invitations.accept': async (workspace) => ({
      body: { token: (await invite(workspace, 'viewer')).token },
    }),

    'apiKeys.list': inWorkspace,
    'apiKeys.create': (workspace) => ({ ...inWorkspace(workspace), body: { name: 'ci', role: 'viewer' } }),
    'apiKeys.get': key,
    'apiKeys.update': async (workspace) => ({ ...(await key(workspace)), body: { name: 'renamed' } }),
    'apiKeys.revoke': key,
    'apiKeys.rotate': async (workspace) => ({ ...(await key(workspace)), body: { overlap_seconds: 60 } }),

    'integrations.listProviders': () => ({}),
    'integrations.connect': ({ workspaceId }) => ({
      body: { provider: 'custom', workspace_id: workspaceId, credentials: {} },
    }),
    'integrations.create': ({ workspaceId }) => ({
      body: { type: 'custom', workspace_id: workspaceId, config: { channel: '#ops' } },
    }),
    'integrations.get': integration,
    'integrations.update': async (workspace) => ({ ...(await integration(workspace)), body: { config: {} } }),
    'integrations.test': async (workspace) => ({
      ...(await integration(workspace)),
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    }),
    'integrations.reconnect': async (workspace) => ({
      ...(await integration(workspace)),
      body: { credentials: {} },
    }),
    'integrations.sync': notion,
    'integrations.list': inWorkspace,
    'integrations.disconnect': async (workspace) => ({
      params: { id: workspace.workspaceId, ...(await integration(workspace)).params },
    }),

    'providers.listPresets': () => ({}),
    'providers.list': inWorkspace,
    'providers.create': (workspace) => ({ ...inWorkspace(workspace), body: definition() }),
    'providers.preview': (workspace) => ({
      ...inWorkspace(workspace),
      body: { definition: definition(), body: '{}' },
    }),
    'providers.get': provider,
    'providers.update': async (workspace) => ({ ...(await provider(workspace)), body: { name: 'Renamed' } }),
    'providers.delete': provider,

    'oauth.start': async (workspace) => {
      await oauthApp(workspace);
      return { params: { provider: 'github' }, body: { workspace_id: workspace.workspaceId } };
    },
    'oauth.get': async (workspace) => {
      await oauthApp(workspace);
      const { flow_id: flowId } = await workspace.api.call('oauth.start', {
        params: { provider: 'github' },
        body: { workspace_id: workspace.workspaceId },
      });
      return { params: { id: workspace.workspaceId, flowId } };
    },
    'oauth.listApps': inWorkspace,
    'oauth.configureApp': (workspace) => ({ ...inWorkspace(workspace), body: OAUTH_APP }),
    'oauth.removeApp': async (workspace) => {
      await oauthApp(workspace);
      return { params: { id: workspace.workspaceId, provider: 'github' } };
    },

    'ingest.receive': async (workspace) => ({
      ...(await integration(workspace)),
      query: { token: URL_TOKEN },
      body: { message: unique('hi') },
    }),
    'ingest.slack': async (workspace) => ({
      ...(await integration(workspace)),
      query: { token: URL_TOKEN },
      body: { text: unique('hi') },
    }),

    'events.list': inWorkspace,
    'events.listAll': ({ workspaceId }) => ({ query: { workspace_id: workspaceId } }),
    'events.get': event,
    'events.publish': (workspace) => ({
      ...inWorkspace(workspace),
      body: { type: 'deploy', payload: { ok: true } },
    }),
    'events.publishBatch': (workspace) => ({
      ...inWorkspace(workspace),
      body: { events: [{ type: 'deploy', payload: {} }] },
    }),
    'events.stream': inWorkspace,

    'webhooks.list': ({ workspaceId }) => ({ query: { workspace_id: workspaceId } }),
    'webhooks.create': ({ workspaceId }) => ({
      body: { url: target, events: ['user.invited'], workspace_id: workspaceId, secret: 's3cret' },
    }),
    'webhooks.get': webhook,
    'webhooks.stats': webhook,
    'webhooks.update': async (workspace) => ({
      ...(await webhook(workspace)),
      body: { description: 'For the team.' },
    }),
    'webhooks.delete': webhook,
    'webhooks.rotateSecret': async (workspace) => ({ ...(await webhook(workspace)), body: {} }),
    'webhooks.test': webhook,
    'webhooks.testFilters': async (workspace) => ({
      ...(await webhook(workspace)),
      body: { filters: { conditions: { field: 'event.type', op: 'exists' } } },
    }),
    'webhooks.enable': webhook,
    'webhooks.recover': async (workspace) => ({
      ...(await webhook(workspace)),
      body: { since: '2026-01-02T03:04:05Z' },
    }),

    'deliveries.listForWebhook': webhook,
    'deliveries.list': inWorkspace,
    'deliveries.get': delivery,
    'deliveries.retry': delivery,
    'deliveries.retryAll': (workspace) => ({ ...inWorkspace(workspace), body: {} }),
    'recoveries.get': recovery,

    'automations.list': inWorkspace,
    'automations.create': (workspace) => ({ ...inWorkspace(workspace), body: automationBody(target) }),
    'automations.get': automation,
    'automations.update': async (workspace) => ({
      ...(await automation(workspace)),
      body: { name: 'Renamed' },
    }),
    'automations.delete': automation,
    'automations.test': async (workspace) => ({
      ...(await automation(workspace)),
      body: await storedEvent(workspace),
    }),
    'automations.run': async (workspace) => ({
      ...(await automation(workspace)),
      body: await storedEvent(workspace),
    }),
    'automations.listRuns': automation,
    'automations.getRun': run,
    'automations.retryRun': async (workspace) => {
      const input = await run(workspace);
      await workspace.api.call('automations.cancelRun', input);
      return input;
    },
    'automations.cancelRun': run,
    'notificationTemplates.list': inWorkspace,
    'notificationTemplates.create': (workspace) => ({ ...inWorkspace(workspace), body: TEMPLATE }),
    'notificationTemplates.get': template,
    'notificationTemplates.update': async (workspace) => ({
      ...(await template(workspace)),
      body: { name: 'Renamed' },
    }),
    'notificationTemplates.delete': template,
    'notificationTemplates.preview': async (workspace) => ({
      ...(await template(workspace)),
      body: await storedEvent(workspace),
    }),
    'notificationRules.list': inWorkspace,
    'notificationRules.create': (workspace) => ({ ...inWorkspace(workspace), body: RULE }),
    'notificationRules.get': rule,
    'notificationRules.update': async (workspace) => ({
      ...(await rule(workspace)),
      body: { enabled: false },
    }),
    'notificationRules.delete': rule,
    'notificationRules.test': async (workspace) => ({
      ...(await rule(workspace)),
      body: await storedEvent(workspace),
    }),
    'notificationRules.log': inWorkspace,
    'notifications.list': () => ({}),
    'notifications.unread': () => ({}),
    'notifications.stream': () => ({}),
    'notifications.update': async (workspace) => ({
      ...(await notification(workspace)),
      body: { read: true },
    }),
    'notifications.readAll': () => ({ body: {} }),

    'auditLog.list': inWorkspace,
  } satisfies Record<EndpointName, Prepare>;
}

const automationBody = (url: string) => ({
  name: 'Board',
  trigger: { event: 'manual' },
  actions: [
    { type: 'wait', seconds: 3_600 },
    { type: 'call_webhook', url },
  ],
});
const TEMPLATE = { name: 'Pushes', body: { text: '{{ event.type }}' } };
const RULE = {
  name: 'Everything',
  notify_on: ['event.created' as const],
  destinations: [{ kind: 'in_app' as const, roles: ['owner' as const] }],
};

const OAUTH_APP = { provider: 'github', client_id: 'Iv1.a', client_secret: 's3cret' };

const ID = /\b([a-z]{2,3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** Reports whether a call names anything that must exist. */
export const mentionsIds = (input: CallInput) => JSON.stringify(input).match(ID) !== null;

/** The same call with IDs that never existed. */
export function replaceIds(input: CallInput): CallInput {
  const random = () =>
    Array.from({ length: 25 }, () => ID_ALPHABET[Math.floor(Math.random() * 32)] ?? '0').join('');
  return JSON.parse(
    JSON.stringify(input).replaceAll(ID, (_, prefix: string) => `${prefix}_0${random()}`),
  ) as CallInput;
}
