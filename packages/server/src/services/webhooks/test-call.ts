import { type EndpointInput, GONE_MESSAGE, type Trigger } from '@hubline/contract';
import type { Context, WorkspaceContext } from '../../context.ts';
import type { Tx } from '../../db/core/schema.ts';
import { insertDeliveries, NOT_ATTEMPTED } from '../../db/webhooks/deliveries.ts';
import { findWebhook } from '../../db/webhooks/webhooks.ts';
import { eventBody, wholeBody } from '../../domain/events/envelope.ts';
import { summarize } from '../../domain/events/summary/summarize.ts';
import { EMPTY_SUMMARY } from '../../domain/events/summary/summary.ts';
import { invalid, unprocessable } from '../../domain/faults/fault.ts';
import { memberText } from '../../domain/json/json.ts';
import { audit } from '../audit-log.ts';
import { findOwn } from '../events/publish.ts';
import { toDelivery } from './deliveries.ts';
import { newDelivery } from '../fan-out/new-deliveries.ts';
import { dueOf, found, target } from './webhooks.ts';

/** Sends one signed call: with sample data, or with an event that is not stored. */
export async function test(context: WorkspaceContext, { params, body }: EndpointInput<'webhooks.test'>) {
  const { event, event_type: trigger } = body;
  if (event && trigger !== 'event.created')
    throw invalid('event_type', 'must be event.created, or left out, where an event is sent');
  return context.write(async (tx) => {
    const webhook = found(await findWebhook(tx, context.access.workspaceId, params.webhookId));
    if (webhook.status === 'disabled')
      throw unprocessable('webhookId', 'names a disabled webhook; enable it first');
    const occurrence = {
      trigger,
      workspaceId: webhook.workspace_id,
      data: SAMPLES[trigger](context),
    };
    const sample = newDelivery(context, { webhook, cause: 'test', occurrence, lease: null });
    const delivery = event
      ? { ...sample, body: await bodyOf(tx, context, { event, id: sample.id }) }
      : sample;
    await insertDeliveries(tx, [delivery]);
    await audit(tx, context, {
      ...target(webhook),
      action: 'webhook.tested',
      metadata: { event_type: trigger, ...(event && { event_name: event.type }) },
    });
    context.afterCommit('wake the delivery engine', () => context.engine.wake([dueOf(webhook, 'initial')]));
    return toDelivery({ ...delivery, ...NOT_ATTEMPTED, event_name: null, webhook_url: webhook.url });
  });
}

type SentEvent = NonNullable<EndpointInput<'webhooks.test'>['body']['event']>;

/**
 * The body of a call with an event, as if the event had been published: with an ID of its own and its payload
 * unchanged.
 */
async function bodyOf(
  tx: Tx,
  context: WorkspaceContext,
  { event, id }: { event: SentEvent; id: string },
): Promise<string> {
  const { workspaceId } = context.access;
  const integration = await findOwn(tx, workspaceId, { id: event.integration_id, field: 'event.' });
  const partsOf = eventBody({
    workspaceId,
    id: context.ids('event'),
    type: event.type,
    source: event.source,
    summary: JSON.stringify(summarize(event.type, event.payload)),
    occurredAt: context.now.toISOString(),
    integrationId: integration?.id ?? null,
    provider: integration?.provider ?? null,
  });
  return wholeBody(partsOf(id), memberText(context.bodyText, ['event', 'payload']) ?? '{}');
}

/** The `data` of a test call: the real shape, with IDs that belong to nothing. */
const SAMPLES = {
  'event.created': (context) => ({
    integration_id: context.ids('integration'),
    integration_type: 'custom',
    event_source: 'hubline',
    event_id: context.ids('event'),
    event_type: 'message',
    summary: { ...EMPTY_SUMMARY, text: 'This is a test call.' },
    payload: { test: true, message: 'This is a test call.' },
  }),
  'automation.completed': (context) => ({
    automation_id: context.ids('automation'),
    automation_name: 'Test',
    run_id: context.ids('run'),
    status: 'succeeded',
    event_id: null,
  }),
  'integration.connected': (context) => ({
    integration_id: context.ids('integration'),
    integration_type: 'custom',
    integration_name: 'Test',
  }),
  'user.invited': (context) => ({ user_id: context.ids('user'), email: 'ana@example.com', role: 'member' }),
  'webhook.failing': (context) => ({
    webhook_id: context.ids('webhook'),
    webhook_name: 'Test',
    webhook_host: 'app.example.com',
    failing_since: context.now.toISOString(),
  }),
  'webhook.disabled': (context) => ({
    webhook_id: context.ids('webhook'),
    webhook_name: 'Test',
    webhook_host: 'app.example.com',
    failing_since: context.now.toISOString(),
    reason: 'gone',
    message: GONE_MESSAGE,
  }),
  'integration.error': (context) => ({
    integration_id: context.ids('integration'),
    integration_type: 'custom',
    integration_name: 'Test',
    code: 'destination_refused',
    message: 'This is a test call.',
  }),
  'automation.disabled': (context) => ({
    automation_id: context.ids('automation'),
    automation_name: 'Test',
    user_id: context.ids('user'),
    message: 'This is a test call.',
  }),
  'notification.sent': (context) => ({
    rule_id: context.ids('notificationRule'),
    rule_name: 'Test',
    trigger: 'event.created',
    event_id: context.ids('event'),
    title: 'This is a test call.',
    text: 'This is a test call.',
    severity: 'none',
  }),
} satisfies Record<Trigger, (context: Context) => Record<string, unknown>>;
