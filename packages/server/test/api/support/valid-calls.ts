import { type EndpointName, ID_ALPHABET } from '@hubline/contract';
import type { CallInput } from './api.ts';
import { invite, newKey, type Place, unique } from './place.ts';
import { until } from './until.ts';

const URL_TOKEN = 'token-of-the-ingest-url';

/** The environment of a server that asks no provider about credentials, and uses `target` as Notion's API. */
export const uncheckedEnv = (target: string) => ({
  HUBLINE_CREDENTIAL_CHECK: 'skip',
  HUBLINE_NOTION_API_URL: target,
});

/** Makes the things that a call needs, and the call. */
export type Prepare = (place: Place) => CallInput | Promise<CallInput>;

const inWorkspace = ({ workspaceId }: Place) => ({ params: { id: workspaceId } });

/**
 * Prepares a successful call of each endpoint. `target` is the URL for webhooks and notifications. A new endpoint
 * without a row does not compile.
 */
export function validCalls(target: string): Readonly<Record<EndpointName, Prepare>> {
  // Each key has only the scope that its caller needs to read and change keys.
  async function key(place: Place): Promise<CallInput> {
    const { id } = await newKey(place, { role: 'viewer', scopes: ['api_keys:write'] });
    return { params: { id: place.workspaceId, keyId: id } };
  }

  async function invited(place: Place): Promise<CallInput> {
    const { user_id: userId } = await invite(place, 'viewer');
    return { params: { id: place.workspaceId, userId } };
  }

  async function integration(place: Place): Promise<CallInput & { params: { integrationId: string } }> {
    const { integration_id: integrationId } = await place.api.call('integrations.connect', {
      body: {
        provider: 'custom',
        workspace_id: place.workspaceId,
        credentials: { verification: 'none', url_token: URL_TOKEN, notify_url: target },
      },
    });
    return { params: { integrationId } };
  }

  // A workspace can have only one Notion integration.
  const notions = new Map<string, string>();

  /** Connects Notion, on a server with the environment of `uncheckedEnv`. */
  async function notion({ api, workspaceId }: Place): Promise<CallInput> {
    const there = notions.get(workspaceId);
    if (there !== undefined) return { params: { integrationId: there } };
    const { integration_id: integrationId } = await api.call('integrations.connect', {
      body: { provider: 'notion', workspace_id: workspaceId, credentials: { token: 'ntn_0123456789' } },
    });
    notions.set(workspaceId, integrationId);
    return { params: { integrationId } };
  }

  async function storedEvent(place: Place): Promise<{ event_id: string }> {
    const { params } = await event(place);
    return { event_id: String(params?.['eventId']) };
  }

  async function event(place: Place): Promise<CallInput> {
    const { event_id: eventId } = await place.api.call('events.publish', {
      ...inWorkspace(place),
      body: { type: 'deploy', payload: {} },
    });
    return { params: { id: place.workspaceId, eventId } };
  }

  async function webhook(place: Place): Promise<CallInput & { params: { webhookId: string } }> {
    const { id: webhookId } = await place.api.call('webhooks.create', {
      body: { url: target, events: ['user.invited'], workspace_id: place.workspaceId, secret: 's3cret' },
    });
    return { params: { webhookId } };
  }

  async function delivery(place: Place): Promise<CallInput> {
    const { id } = await place.api.call('webhooks.test', await webhook(place));
    const params = { deliveryId: id };
    await until('the test call', async () => {
      const { status } = await place.api.call('deliveries.get', { params });
      return status === 'delivered';
    });
    return { params };
  }

  async function recovery(place: Place): Promise<CallInput> {
    const { id } = await place.api.call('deliveries.retryAll', { ...inWorkspace(place), body: {} });
    return { params: { recoveryId: id } };
  }

  const definition = (): CallInput['body'] => ({
    provider: unique('acme'),
    name: 'Acme',
    verification: { kind: 'token', header: 'x-acme-token' },
  });

  async function provider({ api, workspaceId }: Place): Promise<CallInput> {
    const { provider_id: providerId } = await api.call('providers.create', {
      params: { id: workspaceId },
      body: definition(),
    });
    return { params: { id: workspaceId, providerId } };
  }

  async function automation(place: Place): Promise<CallInput & { params: { automationId: string } }> {
    const created = await place.api.call('automations.create', {
      ...inWorkspace(place),
      body: automationBody(target),
    });
    return { params: { id: place.workspaceId, automationId: created.id } };
  }

  /** A run that waits. */
  async function run(place: Place): Promise<CallInput> {
    const { params } = await automation(place);
    const { id: runId } = await place.api.call('automations.run', { params, body: {} });
    return { params: { ...params, runId } };
  }

  async function template(place: Place): Promise<CallInput> {
    const { id } = await place.api.call('notificationTemplates.create', {
      ...inWorkspace(place),
      body: TEMPLATE,
    });
    return { params: { id: place.workspaceId, templateId: id } };
  }

  async function rule(place: Place): Promise<CallInput> {
    const { id } = await place.api.call('notificationRules.create', { ...inWorkspace(place), body: RULE });
    return { params: { id: place.workspaceId, ruleId: id } };
  }

  /** A notification from a rule that tells the owner of an event. */
  async function notification(place: Place): Promise<CallInput> {
    await rule(place);
    await event(place);
    const query = { workspace_id: place.workspaceId, unread: 'true' };
    let notificationId = '';
    await until('the notification', async () => {
      const { data } = await place.api.call('notifications.list', { query });
      notificationId = data[0]?.id ?? '';
      return notificationId !== '';
    });
    return { params: { notificationId } };
  }

  const oauthApp = ({ api, workspaceId }: Place) =>
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
    'workspaces.update': (place) => ({ ...inWorkspace(place), body: { name: 'Renamed' } }),
    'workspaces.delete': inWorkspace,
    'workspaces.stats': inWorkspace,
    'workspaces.health': inWorkspace,

    'members.list': inWorkspace,
    'members.invite': (place) => ({ ...inWorkspace(place), body: { email: `${unique('m')}@example.com` } }),
    'members.create': ({ workspaceId }) => ({
      params: { workspace_id: workspaceId },
      body: { email: `${unique('m')}@example.com`, role: 'viewer' },
    }),
    'members.update': async (place) => ({ ...(await invited(place)), body: { role: 'member' } }),
    'members.remove': invited,
    'members.resendInvite': invited,
    'invitations.accept': async (place) => ({ body: { token: (await invite(place, 'viewer')).token } }),

    'apiKeys.list': inWorkspace,
    'apiKeys.create': (place) => ({ ...inWorkspace(place), body: { name: 'ci', role: 'viewer' } }),
    'apiKeys.get': key,
    'apiKeys.update': async (place) => ({ ...(await key(place)), body: { name: 'renamed' } }),
    'apiKeys.revoke': key,
    'apiKeys.rotate': async (place) => ({ ...(await key(place)), body: { overlap_seconds: 60 } }),

    'integrations.listProviders': () => ({}),
    'integrations.connect': ({ workspaceId }) => ({
      body: { provider: 'custom', workspace_id: workspaceId, credentials: {} },
    }),
    'integrations.create': ({ workspaceId }) => ({
      body: { type: 'custom', workspace_id: workspaceId, config: { channel: '#ops' } },
    }),
    'integrations.get': integration,
    'integrations.update': async (place) => ({ ...(await integration(place)), body: { config: {} } }),
    'integrations.test': async (place) => ({
      ...(await integration(place)),
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    }),
    'integrations.reconnect': async (place) => ({ ...(await integration(place)), body: { credentials: {} } }),
    'integrations.sync': notion,
    'integrations.list': inWorkspace,
    'integrations.disconnect': async (place) => ({
      params: { id: place.workspaceId, ...(await integration(place)).params },
    }),

    'providers.listPresets': () => ({}),
    'providers.list': inWorkspace,
    'providers.create': (place) => ({ ...inWorkspace(place), body: definition() }),
    'providers.preview': (place) => ({
      ...inWorkspace(place),
      body: { definition: definition(), body: '{}' },
    }),
    'providers.get': provider,
    'providers.update': async (place) => ({ ...(await provider(place)), body: { name: 'Renamed' } }),
    'providers.delete': provider,

    'oauth.start': async (place) => {
      await oauthApp(place);
      return { params: { provider: 'github' }, body: { workspace_id: place.workspaceId } };
    },
    'oauth.get': async (place) => {
      await oauthApp(place);
      const { flow_id: flowId } = await place.api.call('oauth.start', {
        params: { provider: 'github' },
        body: { workspace_id: place.workspaceId },
      });
      return { params: { id: place.workspaceId, flowId } };
    },
    'oauth.listApps': inWorkspace,
    'oauth.configureApp': (place) => ({ ...inWorkspace(place), body: OAUTH_APP }),
    'oauth.removeApp': async (place) => {
      await oauthApp(place);
      return { params: { id: place.workspaceId, provider: 'github' } };
    },

    'ingest.receive': async (place) => ({
      ...(await integration(place)),
      query: { token: URL_TOKEN },
      body: { message: unique('hi') },
    }),
    'ingest.slack': async (place) => ({
      ...(await integration(place)),
      query: { token: URL_TOKEN },
      body: { text: unique('hi') },
    }),

    'events.list': inWorkspace,
    'events.listAll': ({ workspaceId }) => ({ query: { workspace_id: workspaceId } }),
    'events.get': event,
    'events.publish': (place) => ({ ...inWorkspace(place), body: { type: 'deploy', payload: { ok: true } } }),
    'events.publishBatch': (place) => ({
      ...inWorkspace(place),
      body: { events: [{ type: 'deploy', payload: {} }] },
    }),
    'events.stream': inWorkspace,

    'webhooks.list': ({ workspaceId }) => ({ query: { workspace_id: workspaceId } }),
    'webhooks.create': ({ workspaceId }) => ({
      body: { url: target, events: ['user.invited'], workspace_id: workspaceId, secret: 's3cret' },
    }),
    'webhooks.get': webhook,
    'webhooks.stats': webhook,
    'webhooks.update': async (place) => ({
      ...(await webhook(place)),
      body: { description: 'For the team.' },
    }),
    'webhooks.delete': webhook,
    'webhooks.rotateSecret': async (place) => ({ ...(await webhook(place)), body: {} }),
    'webhooks.test': webhook,
    'webhooks.testFilters': async (place) => ({
      ...(await webhook(place)),
      body: { filters: { conditions: { field: 'event.type', op: 'exists' } } },
    }),
    'webhooks.enable': webhook,
    'webhooks.recover': async (place) => ({
      ...(await webhook(place)),
      body: { since: '2026-01-02T03:04:05Z' },
    }),

    'deliveries.listForWebhook': webhook,
    'deliveries.list': inWorkspace,
    'deliveries.get': delivery,
    'deliveries.retry': delivery,
    'deliveries.retryAll': (place) => ({ ...inWorkspace(place), body: {} }),
    'recoveries.get': recovery,

    'automations.list': inWorkspace,
    'automations.create': (place) => ({ ...inWorkspace(place), body: automationBody(target) }),
    'automations.get': automation,
    'automations.update': async (place) => ({ ...(await automation(place)), body: { name: 'Renamed' } }),
    'automations.delete': automation,
    'automations.test': async (place) => ({ ...(await automation(place)), body: await storedEvent(place) }),
    'automations.run': async (place) => ({ ...(await automation(place)), body: await storedEvent(place) }),
    'automations.listRuns': automation,
    'automations.getRun': run,
    'automations.retryRun': async (place) => {
      const input = await run(place);
      await place.api.call('automations.cancelRun', input);
      return input;
    },
    'automations.cancelRun': run,
    'notificationTemplates.list': inWorkspace,
    'notificationTemplates.create': (place) => ({ ...inWorkspace(place), body: TEMPLATE }),
    'notificationTemplates.get': template,
    'notificationTemplates.update': async (place) => ({
      ...(await template(place)),
      body: { name: 'Renamed' },
    }),
    'notificationTemplates.delete': template,
    'notificationTemplates.preview': async (place) => ({
      ...(await template(place)),
      body: await storedEvent(place),
    }),
    'notificationRules.list': inWorkspace,
    'notificationRules.create': (place) => ({ ...inWorkspace(place), body: RULE }),
    'notificationRules.get': rule,
    'notificationRules.update': async (place) => ({ ...(await rule(place)), body: { enabled: false } }),
    'notificationRules.delete': rule,
    'notificationRules.test': async (place) => ({
      ...(await rule(place)),
      body: await storedEvent(place),
    }),
    'notificationRules.log': inWorkspace,
    'notifications.list': () => ({}),
    'notifications.unread': () => ({}),
    'notifications.stream': () => ({}),
    'notifications.update': async (place) => ({ ...(await notification(place)), body: { read: true } }),
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
