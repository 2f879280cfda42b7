import type { Deps } from '../../../context.ts';
import type { MessageRow } from '../../../db/notifications/messages.ts';
import { findRule } from '../../../db/notifications/rules.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import type { StoredContent } from '../../../domain/notifications/content.ts';
import { createDelivery } from '../../fan-out/new-deliveries.ts';
import { WEBHOOK_GONE } from './destinations.ts';
import type { Sent } from './sent.ts';

/**
 * Sends a message to a webhook as a normal delivery, which is signed, retried and listed like any other. It is stored
 * in the transaction that ends the message, so that there is exactly one.
 */
export async function sendToWebhook({ store }: Deps, message: MessageRow): Promise<Sent> {
  const { webhook_id: id } = JSON.parse(message.destination) as { webhook_id: string };
  const { workspace_id: workspaceId } = message;
  const webhook = await findWebhook(store.read, workspaceId, id);
  const rule = await findRule(store.read, workspaceId, message.rule);
  if (!webhook || !rule) return { refused: webhook ? 'the rule was deleted' : WEBHOOK_GONE };
  const { subject, text, severity } = JSON.parse(message.content) as StoredContent;
  const data = {
    rule_id: rule.id,
    rule_name: rule.name,
    trigger: message.trigger,
    event_id: message.event_id,
    title: subject,
    text,
    severity,
  };
  return {
    refused: null,
    record: (tx, work) =>
      createDelivery(tx, work, { trigger: 'notification.sent', workspaceId, data, webhookId: id }),
  };
}
