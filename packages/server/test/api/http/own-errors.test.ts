import { type EndpointName, type Endpoints, ERROR_STATUS, type ErrorCode } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { holding, newWebhook, publish } from '../../delivery/place.ts';
import type { Api, CallInput } from '../support/api.ts';
import { documentedErrors } from '../support/documented.ts';
import { damageCredentials } from '../support/damage.ts';
import { type FakeGithub, startFakeGithub } from '../support/stand-ins/fake-github.ts';
import { invite, join, newKey, newStranger, newWorkspace, type Place, startPlace } from '../support/place.ts';
import { until } from '../support/until.ts';

// Each endpoint gives every refusal that its row documents, with the message of the document's example.

/** Every error that belongs to one endpoint, as `<endpoint> <code>`. */
type Own = {
  [Name in EndpointName]: Endpoints[Name] extends { errors: infer Errors }
    ? `${Name} ${keyof Errors & ErrorCode}`
    : never;
}[EndpointName];

/** Prepares a call that is refused, and its caller, in a workspace of its own. */
type Scenario = (place: Place) => Promise<CallInput & { api?: Api }>;

let github: FakeGithub;
let root: Place & { stop(): Promise<void> };
beforeAll(async () => {
  github = await startFakeGithub();
  root = await startPlace({ env: { HUBLINE_GITHUB_API_URL: github.url } });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(() => github.reset());

const here = ({ workspaceId }: Place) => ({ params: { id: workspaceId } });
const PAST = '2020-01-01T00:00:00Z';
const PRIVATE = 'https://10.0.0.1/hooks';
const TOKEN = { token: 'ghp_works' };

const admin = async (place: Place) => ({ api: (await join(place, 'admin')).own });

/** A key that may only manage keys. */
async function narrowKey(place: Place): Promise<{ api: Api }> {
  return { api: place.api.as((await newKey(place, { scopes: ['api_keys:write'] })).key) };
}

async function revokedKey(place: Place): Promise<CallInput> {
  const { id } = await newKey(place);
  const params = { id: place.workspaceId, keyId: id };
  await place.api.call('apiKeys.revoke', { params });
  return { params };
}

async function connected(place: Place, credentials: object = TOKEN): Promise<{ integrationId: string }> {
  const body = { provider: 'github', workspace_id: place.workspaceId, credentials };
  const { integration_id: integrationId } = await place.api.call('integrations.connect', { body });
  return { integrationId };
}

async function custom(place: Place, credentials: object): Promise<{ integrationId: string; secret: string }> {
  const body = { provider: 'custom', workspace_id: place.workspaceId, credentials };
  const { integration_id: integrationId, ingest } = await place.api.call('integrations.connect', { body });
  return { integrationId, secret: ingest.secret ?? '' };
}

const definition = (provider: string) => ({ provider, name: 'Tool', verification: { kind: 'none' } });

const proof = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });

/** An integration whose stored credentials no longer decrypt. */
async function damaged(place: Place): Promise<CallInput> {
  const { integrationId } = await custom(place, { preset: 'shared-token' });
  await damageCredentials(root, integrationId);
  return { params: { integrationId }, body: { text: 'hello' } };
}

async function disabledWebhook(place: Place): Promise<{ webhookId: string }> {
  const { id: webhookId } = await newWebhook(place, 'https://example.com/hooks');
  await place.api.call('webhooks.update', { params: { webhookId }, body: { status: 'disabled' } });
  return { webhookId };
}

async function deliveryOf(place: Place): Promise<string> {
  await publish(place);
  const { data } = await place.api.call('deliveries.list', here(place));
  return data[0]?.id ?? '';
}

const failing = (route: string) =>
  github.instead(route, () => ({ status: 502, body: { message: 'Bad gateway' } }));

const githubBody = ({ workspaceId }: Place) => ({
  body: { provider: 'github', workspace_id: workspaceId, credentials: TOKEN },
});
const githubVariant = ({ workspaceId }: Place) => ({
  body: { type: 'github', workspace_id: workspaceId, config: {}, credentials: TOKEN },
});

/** A user with an account, and an invitation to a workspace. */
async function known(place: Place): Promise<{ token: string; personal: Api }> {
  const { email, personal } = await join(await newWorkspace(root), 'admin');
  return { token: (await invite(place, 'viewer', email)).token, personal };
}

const invitation = {
  conflict: async (place: Place) => {
    const { email } = await invite(place, 'viewer');
    return { email };
  },
  forbidden: async (place: Place) => ({ ...(await admin(place)), email: 'new@example.com', role: 'owner' }),
};

const scenarios: Readonly<Record<Own, Scenario>> = {
  'personalApiKeys.create forbidden': async ({ api }) => {
    const { key } = await api.call('personalApiKeys.create', {
      body: { name: 'narrow', scopes: ['api_keys:write'] },
    });
    return { api: api.as(key), body: { name: 'wide', scopes: ['events:read'] } };
  },
  'personalApiKeys.create unprocessable_entity': async () => ({ body: { name: 'late', expires_at: PAST } }),

  'workspaces.create conflict': async ({ api, workspaceId }) => {
    const { slug } = await api.call('workspaces.get', { params: { id: workspaceId } });
    return { body: { name: 'Second', slug } };
  },
  'workspaces.update conflict': async (place) => {
    const { slug } = await place.api.call('workspaces.get', here(root));
    return { ...here(place), body: { slug } };
  },
  'workspaces.update forbidden': async (place) => ({
    ...here(place),
    ...(await admin(place)),
    body: { plan: 'team' },
  }),

  'members.invite conflict': async (place) => ({ ...here(place), body: await invitation.conflict(place) }),
  'members.invite forbidden': async (place) => {
    const { api, ...body } = await invitation.forbidden(place);
    return { ...here(place), api, body };
  },
  'members.invite unprocessable_entity': async (place) => ({
    ...here(place),
    body: { email: 'new@example.com', role: 'boss' },
  }),
  'members.create conflict': async (place) => ({
    params: { workspace_id: place.workspaceId },
    body: await invitation.conflict(place),
  }),
  'members.create forbidden': async (place) => {
    const { api, ...body } = await invitation.forbidden(place);
    return { params: { workspace_id: place.workspaceId }, api, body };
  },
  'members.create unprocessable_entity': async ({ workspaceId }) => ({
    params: { workspace_id: workspaceId },
    body: { email: 'new@example.com', role: 'boss' },
  }),
  'members.update forbidden': async (place) => {
    const { user_id: userId } = await invite(place, 'viewer');
    return { ...(await admin(place)), params: { id: place.workspaceId, userId }, body: { role: 'owner' } };
  },
  'members.update unprocessable_entity': async ({ workspaceId, userId }) => ({
    params: { id: workspaceId, userId },
    body: { role: 'admin' },
  }),
  'members.remove forbidden': async (place) => ({
    ...(await admin(place)),
    params: { id: place.workspaceId, userId: place.userId },
  }),
  'members.remove unprocessable_entity': async ({ workspaceId, userId }) => ({
    params: { id: workspaceId, userId },
  }),
  'members.resendInvite forbidden': async (place) => {
    const { user_id: userId } = await invite(place, 'owner');
    return { ...(await admin(place)), params: { id: place.workspaceId, userId } };
  },
  'members.resendInvite unprocessable_entity': async (place) => {
    const { userId } = await join(place, 'viewer');
    return { params: { id: place.workspaceId, userId } };
  },
  'invitations.accept unauthorized': async (place) => {
    const { token } = await known(place);
    return { api: place.api.as(null), body: { token } };
  },
  'invitations.accept forbidden': async (place) => ({ body: { token: (await known(place)).token } }),
  'invitations.accept not_found': async ({ api }) => ({ api: api.as(null), body: { token: 'unknown' } }),
  'invitations.accept conflict': async (place) => {
    const { email } = await invite(place, 'viewer');
    const { token } = await invite(await newStranger(root), 'viewer', email);
    return { api: place.api.as(null), body: { token, password: 'correct horse battery' } };
  },
  'invitations.accept unprocessable_entity': async (place) => {
    const { token, personal } = await known(place);
    return { api: personal, body: { token, password: 'correct horse battery' } };
  },

  'apiKeys.create forbidden': async (place) => ({
    ...here(place),
    ...(await narrowKey(place)),
    body: { name: 'wide', scopes: ['events:read'] },
  }),
  'apiKeys.create unprocessable_entity': async (place) => ({
    ...here(place),
    body: { name: 'late', expires_at: PAST },
  }),
  'apiKeys.update forbidden': async (place) => ({
    params: { id: place.workspaceId, keyId: (await newKey(place)).id },
    ...(await narrowKey(place)),
    body: { name: 'renamed' },
  }),
  'apiKeys.update unprocessable_entity': async (place) => ({
    ...(await revokedKey(place)),
    body: { name: 'renamed' },
  }),
  'apiKeys.rotate forbidden': async (place) => ({
    params: { id: place.workspaceId, keyId: (await newKey(place)).id },
    ...(await narrowKey(place)),
    body: {},
  }),
  'apiKeys.rotate unprocessable_entity': async (place) => ({ ...(await revokedKey(place)), body: {} }),

  'oauth.start not_found': async ({ workspaceId }) => ({
    params: { provider: 'custom' },
    body: { workspace_id: workspaceId },
  }),
  'oauth.start unprocessable_entity': async ({ workspaceId }) => ({
    params: { provider: 'github' },
    body: { workspace_id: workspaceId },
  }),
  'oauth.configureApp unprocessable_entity': async (place) => ({
    ...here(place),
    body: { provider: 'custom', client_id: 'a', client_secret: 'b' },
  }),

  'providers.create conflict': async (place) => {
    await place.api.call('providers.create', { ...here(place), body: definition('twice') });
    return { ...here(place), body: definition('twice') };
  },
  'providers.create unprocessable_entity': async (place) => ({ ...here(place), body: definition('github') }),
  'providers.delete conflict': async (place) => {
    const { provider_id: providerId } = await place.api.call('providers.create', {
      ...here(place),
      body: definition('in-use'),
    });
    const { workspaceId } = place;
    await place.api.call('integrations.connect', {
      body: { provider: 'in-use', workspace_id: workspaceId, credentials: {} },
    });
    return { params: { id: workspaceId, providerId } };
  },

  'integrations.connect unprocessable_entity': async (place) => {
    await connected(place);
    return githubBody(place);
  },
  'integrations.connect service_unavailable': async (place) => {
    failing('GET /user');
    return githubBody(place);
  },
  'integrations.create unprocessable_entity': async (place) => {
    await connected(place);
    return githubVariant(place);
  },
  'integrations.create service_unavailable': async (place) => {
    failing('GET /user');
    return githubVariant(place);
  },
  'integrations.test unprocessable_entity': async ({ api, workspaceId }) => {
    const body = { type: 'github', workspace_id: workspaceId, config: { channel: 'octo/web' } };
    const { integration_id: integrationId } = await api.call('integrations.create', { body });
    return { params: { integrationId }, body: { event_type: 'event.created', payload: { message: 'Hi' } } };
  },
  'integrations.test service_unavailable': async (place) => {
    const params = await connected(place, { ...TOKEN, repository: 'octo/web' });
    failing('POST /repos/octo/web/issues');
    return { params, body: { event_type: 'event.created', payload: { message: 'Hi' } } };
  },
  'integrations.sync unprocessable_entity': async ({ api, workspaceId }) => {
    const body = { type: 'slack', workspace_id: workspaceId, config: {} };
    const { integration_id: integrationId } = await api.call('integrations.create', { body });
    return { params: { integrationId } };
  },
  'integrations.reconnect unprocessable_entity': async (place) => ({
    params: await connected(place),
    body: { credentials: { token: 'ghp_wrong' } },
  }),
  'integrations.reconnect service_unavailable': async (place) => {
    const params = await connected(place);
    failing('GET /user');
    return { params, body: { credentials: TOKEN } };
  },

  'ingest.receive invalid_request': async (place) => {
    const { integrationId, secret } = await custom(place, { preset: 'shared-token' });
    return { params: { integrationId }, ...proof(secret), text: 'no JSON' };
  },
  'ingest.receive unauthorized': async (place) => ({
    params: { integrationId: (await custom(place, { preset: 'shared-token' })).integrationId },
    api: place.api.as(null),
    body: {},
  }),
  'ingest.receive not_found': async () => ({
    params: { integrationId: 'int_00000000000000000000000000' },
    body: {},
  }),
  'ingest.receive service_unavailable': damaged,
  'ingest.slack invalid_request': async (place) => {
    const { integrationId, secret } = await custom(place, { preset: 'shared-token' });
    return { params: { integrationId }, ...proof(secret), body: { channel: '#silence' } };
  },
  'ingest.slack unauthorized': async (place) => ({
    params: { integrationId: (await custom(place, { preset: 'shared-token' })).integrationId },
    api: place.api.as(null),
    body: { text: 'hello' },
  }),
  'ingest.slack not_found': async () => ({
    params: { integrationId: 'int_00000000000000000000000000' },
    body: {},
  }),
  'ingest.slack service_unavailable': damaged,

  'events.listAll not_found': async () => ({ query: { workspace_id: 'ws_00000000000000000000000000' } }),
  'events.publish not_found': async (place) => ({
    ...here(place),
    body: { type: 't', payload: {}, ...foreignIntegration },
  }),
  'events.publishBatch not_found': async (place) => ({
    ...here(place),
    body: {
      events: [
        { type: 't', payload: {} },
        { type: 't', payload: {}, ...foreignIntegration },
      ],
    },
  }),

  'webhooks.create unprocessable_entity': async ({ workspaceId }) => ({
    body: { url: PRIVATE, events: ['*'], workspace_id: workspaceId, secret: 's3cret' },
  }),
  'webhooks.update unprocessable_entity': async (place) => ({
    params: { webhookId: (await newWebhook(place, 'https://example.com/hooks')).id },
    body: { url: PRIVATE },
  }),
  'webhooks.test not_found': async (place) => ({
    params: { webhookId: (await newWebhook(place, 'https://example.com/hooks')).id },
    body: { event: { type: 'deploy', payload: {}, ...foreignIntegration } },
  }),
  'webhooks.test unprocessable_entity': async (place) => ({ params: await disabledWebhook(place), body: {} }),
  'webhooks.testFilters not_found': async (place) => ({
    params: { webhookId: (await newWebhook(place, 'https://example.com/hooks')).id },
    body: { event_ids: ['evt_00000000000000000000000000'] },
  }),
  'webhooks.recover unprocessable_entity': async (place) => ({
    params: await disabledWebhook(place),
    body: { since: PAST },
  }),

  'automations.create not_found': async (place) => ({
    ...here(place),
    body: automation([notification('int_00000000000000000000000000')]),
  }),
  'automations.create unprocessable_entity': async (place) => ({
    ...here(place),
    body: automation([{ type: 'call_webhook', url: PRIVATE }]),
  }),
  'automations.update not_found': async (place) => ({
    params: await newAutomation(place),
    body: { actions: [notification('int_00000000000000000000000000')] },
  }),
  'automations.update unprocessable_entity': async (place) => ({
    params: await newAutomation(place),
    body: { actions: [{ type: 'call_webhook', url: PRIVATE }] },
  }),
  'automations.test not_found': async (place) => ({
    params: await newAutomation(place),
    body: { event_id: 'evt_00000000000000000000000000' },
  }),
  'automations.test unprocessable_entity': async (place) => ({
    params: await newAutomation(place),
    body: { changes: { actions: [{ type: 'call_webhook', url: PRIVATE }] } },
  }),
  'automations.run not_found': async (place) => ({
    params: await newAutomation(place),
    body: { event_id: 'evt_00000000000000000000000000' },
  }),
  'automations.retryRun unprocessable_entity': async (place) => ({ params: await newRun(place) }),
  'automations.cancelRun unprocessable_entity': async (place) => {
    const params = await newRun(place);
    await place.api.call('automations.cancelRun', { params });
    return { params };
  },

  'deliveries.retry conflict': async (place) => {
    const receiver = await holding();
    await newWebhook(place, receiver.url);
    const deliveryId = await deliveryOf(place);
    await until('an attempt', () => receiver.waiting() > 0);
    return { params: { deliveryId } };
  },
  'deliveries.retry unprocessable_entity': async (place) => {
    await disabledWebhook(place);
    return { params: { deliveryId: await deliveryOf(place) } };
  },
  'deliveries.retryAll not_found': async (place) => ({
    ...here(place),
    body: { webhook_id: 'whk_00000000000000000000000000' },
  }),
  'deliveries.retryAll unprocessable_entity': async (place) => ({
    ...here(place),
    body: { webhook_id: (await disabledWebhook(place)).webhookId },
  }),

  'notificationTemplates.delete conflict': async (place) => {
    const template = await newTemplate(place);
    await newRule(place, template.params.templateId);
    return template;
  },
  'notificationTemplates.preview not_found': async (place) => ({
    ...(await newTemplate(place)),
    body: { event_id: EVENT },
  }),
  'notificationTemplates.preview unprocessable_entity': async (place) => ({
    ...(await newTemplate(place)),
    body: {},
  }),
  'notificationRules.create not_found': async (place) => ({
    ...here(place),
    body: ruleBody([{ kind: 'integration', ...foreignIntegration }]),
  }),
  'notificationRules.create unprocessable_entity': async (place) => ({
    ...here(place),
    body: ruleBody(await invitee(place)),
  }),
  'notificationRules.update not_found': async (place) => ({
    ...(await newRule(place)),
    body: { destinations: [{ kind: 'integration', ...foreignIntegration }] },
  }),
  'notificationRules.update unprocessable_entity': async (place) => ({
    ...(await newRule(place)),
    body: { destinations: await invitee(place) },
  }),
  'notificationRules.test not_found': async (place) => ({
    ...(await newRule(place)),
    body: { event_id: EVENT },
  }),
  'notifications.list not_found': async () => ({ query: { workspace_id: WORKSPACE } }),
  'notifications.stream not_found': async () => ({ query: { workspace_id: WORKSPACE } }),
  'notifications.readAll not_found': async () => ({ body: { workspace_id: WORKSPACE } }),
  'notificationRules.test unprocessable_entity': async (place) => ({ ...(await newRule(place)), body: {} }),
};

const automation = (actions: object[]) => ({ name: 'a', trigger: { event: 'manual' }, actions });
const notification = (id: string) => ({ type: 'send_notification', integration_id: id, text: 'x' });

async function newAutomation(place: Place): Promise<{ id: string; automationId: string }> {
  const { id } = await place.api.call('automations.create', {
    ...here(place),
    body: automation([{ type: 'wait', seconds: 3_600 }]),
  });
  return { id: place.workspaceId, automationId: id };
}

async function newRun(place: Place) {
  const params = await newAutomation(place);
  const { id: runId } = await place.api.call('automations.run', { params, body: {} });
  return { ...params, runId };
}

const WORKSPACE = 'ws_00000000000000000000000000';
const EVENT = 'evt_00000000000000000000000000';
const IN_APP = [{ kind: 'in_app' as const, roles: ['owner' as const] }];
const ruleBody = (destinations: object[]) => ({ name: 'Rule', notify_on: ['event.created'], destinations });
const invitee = async (place: Place) => [
  { kind: 'email', user_ids: [(await invite(place, 'viewer')).user_id] },
];

async function newRule(place: Place, template_id: string | null = null): Promise<CallInput> {
  const { id } = await place.api.call('notificationRules.create', {
    ...here(place),
    body: { ...ruleBody(IN_APP), template_id },
  });
  return { params: { id: place.workspaceId, ruleId: id } };
}

async function newTemplate(place: Place): Promise<{ params: { id: string; templateId: string } }> {
  const body = { name: 'Template', body: { text: 'Hello' } };
  const { id } = await place.api.call('notificationTemplates.create', { ...here(place), body });
  return { params: { id: place.workspaceId, templateId: id } };
}

const foreignIntegration = { integration_id: 'int_00000000000000000000000000' };

const ID = /\b[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** A message without the parts that differ from case to case. */
const wording = (message: string) =>
  message.replaceAll(ID, '<id>').replaceAll(/[\w.+-]+@[\w-]+\.[\w-]+/g, '<email>');

it.each(Object.entries<Scenario>(scenarios))('%s', async (own, scenario) => {
  const [name, code] = own.split(' ') as [EndpointName, ErrorCode];
  const place = await newWorkspace(root);
  const { api = place.api, ...call } = await scenario(place);
  const { message } = await api.refused(name, ERROR_STATUS[code], call);
  expect(documentedErrors(name, code).map(wording)).toContain(wording(message));
});
