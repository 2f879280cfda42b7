import { invite, newKey, type TestWorkspace } from './workspace.ts';
import { until } from './until.ts';

/** IDs of existing things, by the name of the path parameter that takes them. */
export type Furniture = Record<
  | 'id'
  | 'workspace_id'
  | 'userId'
  | 'keyId'
  | 'integrationId'
  | 'providerId'
  | 'webhookId'
  | 'deliveryId'
  | 'eventId'
  | 'recoveryId'
  | 'automationId'
  | 'runId'
  | 'templateId'
  | 'ruleId'
  | 'notificationId',
  string
>;

/** Makes one thing of every kind in a workspace. The webhook is disabled, so that nothing is sent. */
export async function furnish(workspace: TestWorkspace): Promise<Furniture> {
  const { api, workspaceId } = workspace;
  const here = { params: { id: workspaceId } };
  const { integration_id: integrationId } = await api.call('integrations.connect', {
    body: { provider: 'custom', workspace_id: workspaceId, credentials: {} },
  });
  const { provider_id: providerId } = await api.call('providers.create', {
    ...here,
    body: { provider: 'furniture', name: 'Furniture', verification: { kind: 'none' } },
  });
  const { id: webhookId } = await api.call('webhooks.create', {
    body: { url: 'https://example.invalid', events: ['*'], workspace_id: workspaceId, secret: 's3cret' },
  });
  await api.call('webhooks.update', { params: { webhookId }, body: { status: 'disabled' } });
  const { id: templateId } = await api.call('notificationTemplates.create', {
    ...here,
    body: { name: 'Furniture', body: { text: 'x' } },
  });
  // The rule notifies the owner of the event below.
  const { id: ruleId } = await api.call('notificationRules.create', {
    ...here,
    body: {
      name: 'Furniture',
      notify_on: ['event.created'],
      destinations: [{ kind: 'in_app', roles: ['owner'] }],
    },
  });
  const { event_id: eventId } = await api.call('events.publish', {
    ...here,
    body: { type: 't', payload: {} },
  });
  const { data } = await api.call('deliveries.list', here);
  const { id: recoveryId } = await api.call('deliveries.retryAll', {
    ...here,
    body: { statuses: ['delivered'] },
  });
  const { id: automationId } = await api.call('automations.create', {
    ...here,
    body: { name: 'a', trigger: { event: 'manual' }, actions: [{ type: 'wait', seconds: 3_600 }] },
  });
  const { id: runId } = await api.call('automations.run', {
    params: { id: workspaceId, automationId },
    body: {},
  });
  const query = { workspace_id: workspaceId };
  const notificationId = await until(
    'a notification',
    async () => (await api.call('notifications.list', { query })).data[0]?.id,
  );
  return {
    id: workspaceId,
    workspace_id: workspaceId,
    userId: (await invite(workspace, 'viewer')).user_id,
    keyId: (await newKey(workspace)).id,
    integrationId,
    providerId,
    webhookId,
    deliveryId: data[0]?.id ?? '',
    eventId,
    recoveryId,
    automationId,
    runId,
    templateId,
    ruleId,
    notificationId,
  };
}
