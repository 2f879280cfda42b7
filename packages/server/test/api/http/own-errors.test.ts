import { type EndpointName, type Endpoints, ERROR_STATUS, type ErrorCode } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { holding, newWebhook, publish } from '../../delivery/support.ts';
import type { Api, CallInput } from '../support/api.ts';
import { documentedErrors } from '../support/documented.ts';
import { damageCredentials } from '../support/damage.ts';
import { type FakeGithub, startFakeGithub } from '../support/stand-ins/fake-github.ts';
import {
  invite,
  join,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
} from '../support/workspace.ts';
import { until } from '../support/until.ts';

// Each endpoint gives every refusal that its row documents, with the message of the document's example.

/** Every error that belongs to one endpoint, as `<endpoint> <code>`. */
type Own = {
  [Name in EndpointName]: Endpoints[Name] extends { errors: infer Errors }
    ? `${Name} ${keyof Errors & ErrorCode}`
    : never;
}[EndpointName];

/** Prepares a call that is refused, and its caller, in a workspace of its own. */
type Scenario = (workspace: TestWorkspace) => Promise<CallInput & { api?: Api }>;

let github: FakeGithub;
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  github = await startFakeGithub();
  root = await startWorkspace({ env: { HUBLINE_GITHUB_API_URL: github.url } });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(() => github.reset());

const here = ({ workspaceId }: TestWorkspace) => ({ params: { id: workspaceId } });
const PAST = '2020-01-01T00:00:00Z';
const PRIVATE = 'https://10.0.0.1/hooks';
const TOKEN = { token: 'ghp_works' };

const admin = async (workspace: TestWorkspace) => ({ api: (await join(workspace, 'admin')).own });

/** A key that may only manage keys. */
async function narrowKey(workspace: TestWorkspace): Promise<{ api: Api }> {
  return { api: workspace.api.as((await newKey(workspace, { scopes: ['api_keys:write'] })).key) };
}

async function revokedKey(workspace: TestWorkspace): Promise<CallInput> {
  const { id } = await newKey(workspace);
  const params = { id: workspace.workspaceId, keyId: id };
  await workspace.api.call('apiKeys.revoke', { params });
  return { params };
}

async function connected(
  workspace: TestWorkspace,
  credentials: object = TOKEN,
): Promise<{ integrationId: string }> {
  const body = { provider: 'github', workspace_id: workspace.workspaceId, credentials };
  const { integration_id: integrationId } = await workspace.api.call('integrations.connect', { body });
  return { integrationId };
}

async function custom(
  workspace: TestWorkspace,
  credentials: object,
): Promise<{ integrationId: string; secret: string }> {
  const body = { provider: 'custom', workspace_id: workspace.workspaceId, credentials };
  const { integration_id: integrationId, ingest } = await workspace.api.call('integrations.connect', {
    body,
  });
  return { integrationId, secret: ingest.secret ?? '' };
}

const definition = (provider: string) => ({ provider, name: 'Tool', verification: { kind: 'none' } });

const proof = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });

/** An integration whose stored credentials no longer decrypt. */
async function damaged(workspace: TestWorkspace): Promise<CallInput> {
  const { integrationId } = await custom(workspace, { preset: 'shared-token' });
  await damageCredentials(root, integrationId);
  return { params: { integrationId }, body: { text: 'hello' } };
}

async function disabledWebhook(workspace: TestWorkspace): Promise<{ webhookId: string }> {
  const { id: webhookId } = await newWebhook(workspace, 'https://example.com/hooks');
  await workspace.api.call('webhooks.update', { params: { webhookId }, body: { status: 'disabled' } });
  return { webhookId };
}

async function deliveryOf(workspace: TestWorkspace): Promise<string> {
  await publish(workspace);
  const { data } = await workspace.api.call('deliveries.list', here(workspace));
  return data[0]?.id ?? '';
}

const failing = (route: string) =>
  github.instead(route, () => ({ status: 502, body: { message: 'Bad gateway' } }));

const githubBody = ({ workspaceId }: TestWorkspace) => ({
  body: { provider: 'github', workspace_id: workspaceId, credentials: TOKEN },
});
const githubVariant = ({ workspaceId }: TestWorkspace) => ({
  body: { type: 'github', workspace_id: workspaceId, config: {}, credentials: TOKEN },
});

/** A user with an account, and an invitation to a workspace. */
async function known(workspace: TestWorkspace): Promise<{ token: string; personal: Api }> {
  const { email, personal } = await join(await newWorkspace(root), 'admin');
  return { token: (await invite(workspace, 'viewer', email)).token, personal };
}

const invitation = {
  conflict: async (workspace: TestWorkspace) => {
    const { email } = await invite(workspace, 'viewer');
    return { email };
  },
  forbidden: async (workspace: TestWorkspace) => ({
    ...(await admin(workspace)),
    email: 'new@example.com',
    role: 'owner',
  }),
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
  'workspaces.update conflict': async (workspace) => {
    const { slug } = await workspace.api.call('workspaces.get', here(root));
    return { ...here(workspace), body: { slug } };
  },
  'workspaces.update forbidden': async (workspace) => ({
    ...here(workspace),
    ...(await admin(workspace)),
    body: { plan: 'team' },
  }),

  'members.invite conflict': async (workspace) => ({
    ...here(workspace),
    body: await invitation.conflict(workspace),
  }),
  'members.invite forbidden': async (workspace) => {
    const { api, ...body } = await invitation.forbidden(workspace);
    return { ...here(workspace), api, body };
  },
  'members.invite unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: { email: 'new@example.com', role: 'boss' },
  }),
  'members.create conflict': async (workspace) => ({
    params: { workspace_id: workspace.workspaceId },
    body: await invitation.conflict(workspace),
  }),
  'members.create forbidden': async (workspace) => {
    const { api, ...body } = await invitation.forbidden(workspace);
    return { params: { workspace_id: workspace.workspaceId }, api, body };
  },
  'members.create unprocessable_entity': async ({ workspaceId }) => ({
    params: { workspace_id: workspaceId },
    body: { email: 'new@example.com', role: 'boss' },
  }),
  'members.update forbidden': async (workspace) => {
    const { user_id: userId } = await invite(workspace, 'viewer');
    return {
      ...(await admin(workspace)),
      params: { id: workspace.workspaceId, userId },
      body: { role: 'owner' },
    };
  },
  'members.update unprocessable_entity': async ({ workspaceId, userId }) => ({
    params: { id: workspaceId, userId },
    body: { role: 'admin' },
  }),
  'members.remove forbidden': async (workspace) => ({
    ...(await admin(workspace)),
    params: { id: workspace.workspaceId, userId: workspace.userId },
  }),
  'members.remove unprocessable_entity': async ({ workspaceId, userId }) => ({
    params: { id: workspaceId, userId },
  }),
  'members.resendInvite forbidden': async (workspace) => {
    const { user_id: userId } = await invite(workspace, 'owner');
    return { ...(await admin(workspace)), params: { id: workspace.workspaceId, userId } };
  },
  'members.resendInvite unprocessable_entity': async (workspace) => {
    const { userId } = await join(workspace, 'viewer');
    return { params: { id: workspace.workspaceId, userId } };
  },
  'invitations.accept unauthorized': async (workspace) => {
    const { token } = await known(workspace);
    return { api: workspace.api.as(null), body: { token } };
  },
  'invitations.accept forbidden': async (workspace) => ({ body: { token: (await known(workspace)).token } }),
  'invitations.accept not_found': async ({ api }) => ({ api: api.as(null), body: { token: 'unknown' } }),
  'invitations.accept conflict': async (workspace) => {
    const { email } = await invite(workspace, 'viewer');
    const { token } = await invite(await newStranger(root), 'viewer', email);
    return { api: workspace.api.as(null), body: { token, password: 'correct horse battery' } };
  },
  'invitations.accept unprocessable_entity': async (workspace) => {
    const { token, personal } = await known(workspace);
    return { api: personal, body: { token, password: 'correct horse battery' } };
  },

  'apiKeys.create forbidden': async (workspace) => ({
    ...here(workspace),
    ...(await narrowKey(workspace)),
    body: { name: 'wide', scopes: ['events:read'] },
  }),
  'apiKeys.create unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: { name: 'late', expires_at: PAST },
  }),
  'apiKeys.update forbidden': async (workspace) => ({
    params: { id: workspace.workspaceId, keyId: (await newKey(workspace)).id },
    ...(await narrowKey(workspace)),
    body: { name: 'renamed' },
  }),
  'apiKeys.update unprocessable_entity': async (workspace) => ({
    ...(await revokedKey(workspace)),
    body: { name: 'renamed' },
  }),
  'apiKeys.rotate conflict': async (workspace) => {
    const params = { id: workspace.workspaceId, keyId: (await newKey(workspace)).id };
    const body = { overlap_seconds: 60 };
    await workspace.api.call('apiKeys.rotate', { params, body });
    return { params, body };
  },
  'apiKeys.rotate forbidden': async (workspace) => ({
    params: { id: workspace.workspaceId, keyId: (await newKey(workspace)).id },
    ...(await narrowKey(workspace)),
    body: {},
  }),
  'apiKeys.rotate unprocessable_entity': async (workspace) => ({
    ...(await revokedKey(workspace)),
    body: {},
  }),

  'oauth.start not_found': async ({ workspaceId }) => ({
    params: { provider: 'custom' },
    body: { workspace_id: workspaceId },
  }),
  'oauth.start unprocessable_entity': async ({ workspaceId }) => ({
    params: { provider: 'github' },
    body: { workspace_id: workspaceId },
  }),
  'oauth.configureApp unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: { provider: 'custom', client_id: 'a', client_secret: 'b' },
  }),

  'providers.create conflict': async (workspace) => {
    await workspace.api.call('providers.create', { ...here(workspace), body: definition('twice') });
    return { ...here(workspace), body: definition('twice') };
  },
  'providers.create unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: definition('github'),
  }),
  'providers.delete conflict': async (workspace) => {
    const { provider_id: providerId } = await workspace.api.call('providers.create', {
      ...here(workspace),
      body: definition('in-use'),
    });
    const { workspaceId } = workspace;
    await workspace.api.call('integrations.connect', {
      body: { provider: 'in-use', workspace_id: workspaceId, credentials: {} },
    });
    return { params: { id: workspaceId, providerId } };
  },

  'integrations.connect unprocessable_entity': async (workspace) => {
    await connected(workspace);
    return githubBody(workspace);
  },
  'integrations.connect service_unavailable': async (workspace) => {
    failing('GET /user');
    return githubBody(workspace);
  },
  'integrations.create unprocessable_entity': async (workspace) => {
    await connected(workspace);
    return githubVariant(workspace);
  },
  'integrations.create service_unavailable': async (workspace) => {
    failing('GET /user');
    return githubVariant(workspace);
  },
  'integrations.test unprocessable_entity': async ({ api, workspaceId }) => {
    const body = { type: 'github', workspace_id: workspaceId, config: { channel: 'octo/web' } };
    const { integration_id: integrationId } = await api.call('integrations.create', { body });
    return { params: { integrationId }, body: { event_type: 'event.created', payload: { message: 'Hi' } } };
  },
  'integrations.test service_unavailable': async (workspace) => {
    const params = await connected(workspace, { ...TOKEN, repository: 'octo/web' });
    failing('POST /repos/octo/web/issues');
    return { params, body: { event_type: 'event.created', payload: { message: 'Hi' } } };
  },
  'integrations.sync unprocessable_entity': async ({ api, workspaceId }) => {
    const body = { type: 'slack', workspace_id: workspaceId, config: {} };
    const { integration_id: integrationId } = await api.call('integrations.create', { body });
    return { params: { integrationId } };
  },
  'integrations.reconnect conflict': async (workspace) => {
    const { integrationId } = await custom(workspace, { preset: 'shared-token' });
    const call = {
      params: { integrationId },
      body: { credentials: {}, remove: ['secret'], overlap_seconds: 60 },
    };
    await workspace.api.call('integrations.reconnect', call);
    return call;
  },
  'integrations.reconnect unprocessable_entity': async (workspace) => ({
    params: await connected(workspace),
    body: { credentials: { token: 'ghp_wrong' } },
  }),
  'integrations.reconnect service_unavailable': async (workspace) => {
    const params = await connected(workspace);
    failing('GET /user');
    return { params, body: { credentials: TOKEN } };
  },

  'ingest.receive invalid_request': async (workspace) => {
    const { integrationId, secret } = await custom(workspace, { preset: 'shared-token' });
    return { params: { integrationId }, ...proof(secret), text: 'no JSON' };
  },
  'ingest.receive unauthorized': async (workspace) => ({
    params: { integrationId: (await custom(workspace, { preset: 'shared-token' })).integrationId },
    api: workspace.api.as(null),
    body: {},
  }),
  'ingest.receive not_found': async () => ({
    params: { integrationId: 'int_00000000000000000000000000' },
    body: {},
  }),
  'ingest.receive service_unavailable': damaged,
  'ingest.slack invalid_request': async (workspace) => {
    const { integrationId, secret } = await custom(workspace, { preset: 'shared-token' });
    return { params: { integrationId }, ...proof(secret), body: { channel: '#silence' } };
  },
  'ingest.slack unauthorized': async (workspace) => ({
    params: { integrationId: (await custom(workspace, { preset: 'shared-token' })).integrationId },
    api: workspace.api.as(null),
    body: { text: 'hello' },
  }),
  'ingest.slack not_found': async () => ({
    params: { integrationId: 'int_00000000000000000000000000' },
    body: {},
  }),
  'ingest.slack service_unavailable': damaged,

  'events.listAll not_found': async () => ({ query: { workspace_id: 'ws_00000000000000000000000000' } }),
  'events.publish not_found': async (workspace) => ({
    ...here(workspace),
    body: { type: 't', payload: {}, ...foreignIntegration },
  }),
  'events.publishBatch not_found': async (workspace) => ({
    ...here(workspace),
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
  'webhooks.update unprocessable_entity': async (workspace) => ({
    params: { webhookId: (await newWebhook(workspace, 'https://example.com/hooks')).id },
    body: { url: PRIVATE },
  }),
  'webhooks.rotateSecret conflict': async (workspace) => {
    const params = { webhookId: (await newWebhook(workspace, 'https://example.com/hooks')).id };
    const body = { overlap_seconds: 60 };
    await workspace.api.call('webhooks.rotateSecret', { params, body });
    return { params, body };
  },
  'webhooks.test not_found': async (workspace) => ({
    params: { webhookId: (await newWebhook(workspace, 'https://example.com/hooks')).id },
    body: { event: { type: 'deploy', payload: {}, ...foreignIntegration } },
  }),
  'webhooks.test unprocessable_entity': async (workspace) => ({
    params: await disabledWebhook(workspace),
    body: {},
  }),
  'webhooks.testFilters not_found': async (workspace) => ({
    params: { webhookId: (await newWebhook(workspace, 'https://example.com/hooks')).id },
    body: { event_ids: ['evt_00000000000000000000000000'] },
  }),
  'webhooks.recover unprocessable_entity': async (workspace) => ({
    params: await disabledWebhook(workspace),
    body: { since: PAST },
  }),

  'automations.create not_found': async (workspace) => ({
    ...here(workspace),
    body: automation([notification('int_00000000000000000000000000')]),
  }),
  'automations.create unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: automation([{ type: 'call_webhook', url: PRIVATE }]),
  }),
  'automations.update not_found': async (workspace) => ({
    params: await newAutomation(workspace),
    body: { actions: [notification('int_00000000000000000000000000')] },
  }),
  'automations.update unprocessable_entity': async (workspace) => ({
    params: await newAutomation(workspace),
    body: { actions: [{ type: 'call_webhook', url: PRIVATE }] },
  }),
  'automations.test not_found': async (workspace) => ({
    params: await newAutomation(workspace),
    body: { event_id: 'evt_00000000000000000000000000' },
  }),
  'automations.test unprocessable_entity': async (workspace) => ({
    params: await newAutomation(workspace),
    body: { changes: { actions: [{ type: 'call_webhook', url: PRIVATE }] } },
  }),
  'automations.run not_found': async (workspace) => ({
    params: await newAutomation(workspace),
    body: { event_id: 'evt_00000000000000000000000000' },
  }),
  'automations.retryRun unprocessable_entity': async (workspace) => ({ params: await newRun(workspace) }),
  'automations.cancelRun unprocessable_entity': async (workspace) => {
    const params = await newRun(workspace);
    await workspace.api.call('automations.cancelRun', { params });
    return { params };
  },

  'deliveries.retry conflict': async (workspace) => {
    const receiver = await holding();
    await newWebhook(workspace, receiver.url);
    const deliveryId = await deliveryOf(workspace);
    await until('an attempt', () => receiver.waiting() > 0);
    return { params: { deliveryId } };
  },
  'deliveries.retry unprocessable_entity': async (workspace) => {
    await disabledWebhook(workspace);
    return { params: { deliveryId: await deliveryOf(workspace) } };
  },
  'deliveries.retryAll not_found': async (workspace) => ({
    ...here(workspace),
    body: { webhook_id: 'whk_00000000000000000000000000' },
  }),
  'deliveries.retryAll unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: { webhook_id: (await disabledWebhook(workspace)).webhookId },
  }),

  'notificationTemplates.delete conflict': async (workspace) => {
    const template = await newTemplate(workspace);
    await newRule(workspace, template.params.templateId);
    return template;
  },
  'notificationTemplates.preview not_found': async (workspace) => ({
    ...(await newTemplate(workspace)),
    body: { event_id: EVENT },
  }),
  'notificationTemplates.preview unprocessable_entity': async (workspace) => ({
    ...(await newTemplate(workspace)),
    body: {},
  }),
  'notificationRules.create not_found': async (workspace) => ({
    ...here(workspace),
    body: ruleBody([{ kind: 'integration', ...foreignIntegration }]),
  }),
  'notificationRules.create unprocessable_entity': async (workspace) => ({
    ...here(workspace),
    body: ruleBody(await invitee(workspace)),
  }),
  'notificationRules.update not_found': async (workspace) => ({
    ...(await newRule(workspace)),
    body: { destinations: [{ kind: 'integration', ...foreignIntegration }] },
  }),
  'notificationRules.update unprocessable_entity': async (workspace) => ({
    ...(await newRule(workspace)),
    body: { destinations: await invitee(workspace) },
  }),
  'notificationRules.test not_found': async (workspace) => ({
    ...(await newRule(workspace)),
    body: { event_id: EVENT },
  }),
  'notifications.list not_found': async () => ({ query: { workspace_id: WORKSPACE } }),
  'notifications.stream not_found': async () => ({ query: { workspace_id: WORKSPACE } }),
  'notifications.readAll not_found': async () => ({ body: { workspace_id: WORKSPACE } }),
  'notificationRules.test unprocessable_entity': async (workspace) => ({
    ...(await newRule(workspace)),
    body: {},
  }),
};

const automation = (actions: object[]) => ({ name: 'a', trigger: { event: 'manual' }, actions });
const notification = (id: string) => ({ type: 'send_notification', integration_id: id, text: 'x' });

async function newAutomation(workspace: TestWorkspace): Promise<{ id: string; automationId: string }> {
  const { id } = await workspace.api.call('automations.create', {
    ...here(workspace),
    body: automation([{ type: 'wait', seconds: 3_600 }]),
  });
  return { id: workspace.workspaceId, automationId: id };
}

async function newRun(workspace: TestWorkspace) {
  const params = await newAutomation(workspace);
  const { id: runId } = await workspace.api.call('automations.run', { params, body: {} });
  return { ...params, runId };
}

const WORKSPACE = 'ws_00000000000000000000000000';
const EVENT = 'evt_00000000000000000000000000';
const IN_APP = [{ kind: 'in_app' as const, roles: ['owner' as const] }];
const ruleBody = (destinations: object[]) => ({ name: 'Rule', notify_on: ['event.created'], destinations });
const invitee = async (workspace: TestWorkspace) => [
  { kind: 'email', user_ids: [(await invite(workspace, 'viewer')).user_id] },
];

async function newRule(workspace: TestWorkspace, template_id: string | null = null): Promise<CallInput> {
  const { id } = await workspace.api.call('notificationRules.create', {
    ...here(workspace),
    body: { ...ruleBody(IN_APP), template_id },
  });
  return { params: { id: workspace.workspaceId, ruleId: id } };
}

async function newTemplate(
  workspace: TestWorkspace,
): Promise<{ params: { id: string; templateId: string } }> {
  const body = { name: 'Template', body: { text: 'Hello' } };
  const { id } = await workspace.api.call('notificationTemplates.create', { ...here(workspace), body });
  return { params: { id: workspace.workspaceId, templateId: id } };
}

const foreignIntegration = { integration_id: 'int_00000000000000000000000000' };

const ID = /\b[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** A message without the parts that differ from case to case. */
const wording = (message: string) =>
  message
    .replaceAll(ID, '<id>')
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w-]+/g, '<email>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');

it.each(Object.entries<Scenario>(scenarios))('%s', async (own, scenario) => {
  const [name, code] = own.split(' ') as [EndpointName, ErrorCode];
  const workspace = await newWorkspace(root);
  const { api = workspace.api, ...call } = await scenario(workspace);
  const { message } = await api.refused(name, ERROR_STATUS[code], call);
  expect(documentedErrors(name, code).map(wording)).toContain(wording(message));
});
