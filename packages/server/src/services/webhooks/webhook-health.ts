import { GONE_MESSAGE, LIMITS } from '@hubline/contract';
import type { Deps, WorkContext } from '../../context.ts';
import type { Tx } from '../../db/core/schema.ts';
import { disableWebhook, markFailing, markNotified, markWorking } from '../../db/webhooks/webhook-health.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import { audit } from '../audit-log.ts';
import { fireTrigger } from '../fire-trigger.ts';
import { applyStatusToDeliveries } from './open-deliveries-job.ts';

const GONE = 410;

/** The part of an attempt that affects the health of its webhook. */
export interface HealthSign {
  /** The webhook as it is now. */
  webhook: WebhookRow;
  ok: boolean;
  /** The HTTP status; `null` without a response. */
  status: number | null;
  /** The time at which the attempt ended, which may be some time before it is recorded, ISO 8601. */
  endedAt: string;
  now: Date;
}

/**
 * Updates the health of a webhook after an attempt, and returns the webhook as it is then. It is disabled when all of its attempts have
 * failed for five days, or when it responds with 410; owners and admins are notified of one whose attempts have all failed for
 * ten minutes (`isNotable`). While nothing changes, nothing is written: a working webhook costs no statement, a failing one costs one at
 * its first failure. A success does not end a failure that has begun since. Called before any change of its deliveries: see `record` in
 * `delivery-store/record.ts`.
 */
export async function noteHealth(tx: Tx, sign: HealthSign): Promise<WebhookRow> {
  const { webhook, ok, status, endedAt, now } = sign;
  const { failing_since: failingSince } = webhook;
  const at = now.toISOString();
  if (ok) {
    if (failingSince === null || endedAt < failingSince) return webhook;
    await markWorking(tx, webhook);
    return { ...webhook, failing_since: null, failing_told: 0 };
  }
  if (failingSince === null) await markFailing(tx, webhook, endedAt);
  if (status === GONE) return (await disableWebhook(tx, { webhook, reason: 'gone', now: at })) ?? webhook;
  if (failingSince === null) return { ...webhook, failing_since: endedAt };
  const longAgo = new Date(now.getTime() - LIMITS.failingMaxMs).toISOString();
  if (failingSince <= longAgo) {
    const disabled = await disableWebhook(tx, {
      webhook,
      reason: 'failing',
      now: at,
      failingBefore: longAgo,
    });
    return disabled ?? webhook;
  }
  const lasts = now.getTime() - Date.parse(failingSince) >= LIMITS.failingNotifiedMs;
  if (!lasts || webhook.failing_told === 1) return webhook;
  return (await markNotified(tx, webhook)) ?? webhook;
}

/** Reports whether owners and admins must be notified of a change of a webhook's health. */
export const isNotable = (before: WebhookRow, after: WebhookRow): boolean =>
  after.status !== before.status || after.failing_told > before.failing_told;

/**
 * Fires the trigger of a webhook that is failing or was just disabled, for webhooks, rules, owners and admins. For a disabled one it
 * also holds the open deliveries and writes the audit log.
 */
export async function reportHealth(tx: Tx, context: WorkContext, webhook: WebhookRow): Promise<void> {
  const disabled = webhook.status === 'disabled';
  if (disabled) {
    await applyStatusToDeliveries(tx, context, webhook);
    await audit(tx, context, {
      workspaceId: webhook.workspace_id,
      action: 'webhook.disabled',
      target: { type: 'webhook', id: webhook.id, name: webhook.name ?? webhook.url },
      changes: [{ field: 'status', from: 'active', to: 'disabled' }],
      metadata: { reason: webhook.disabled_reason, failing_since: webhook.failing_since },
    });
  }
  const { disabled_reason: reason } = webhook;
  await fireTrigger(tx, context, {
    trigger: disabled ? 'webhook.disabled' : 'webhook.failing',
    workspaceId: webhook.workspace_id,
    data: {
      webhook_id: webhook.id,
      webhook_name: webhook.name,
      // The path of a URL may be a secret in itself, and messages are sent unencrypted.
      webhook_host: new URL(webhook.url).host,
      failing_since: webhook.failing_since,
      ...(reason === null ? {} : { reason, message: WHY_DISABLED[reason](webhook) }),
    },
    resourceIds: [webhook.id],
  });
  context.afterCommit('log the health of a webhook', () => logHealth(context, webhook));
}

function logHealth(
  { log }: Pick<Deps, 'log'>,
  { id, workspace_id, status, disabled_reason: reason, failing_since }: WebhookRow,
): void {
  if (status === 'disabled') log.warn({ webhook_id: id, workspace_id, reason }, 'a webhook was disabled');
  else log.warn({ webhook_id: id, workspace_id, failing_since }, 'a webhook is failing');
}

/** The sentence about each reason in messages. */
const WHY_DISABLED: Readonly<
  Record<NonNullable<WebhookRow['disabled_reason']>, (webhook: WebhookRow) => string>
> = {
  manual: () => 'It was disabled by hand.',
  failing: ({ failing_since: since }) => `Every attempt has failed since ${since ?? ''}.`,
  gone: () => GONE_MESSAGE,
  secret_unreadable: () =>
    'Its stored secret can no longer be decrypted, so calls cannot be signed. Rotating the secret enables it.',
};
