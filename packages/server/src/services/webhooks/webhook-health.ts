import { LIMITS } from '@hubline/contract';
import type { Deps } from '../../context.ts';
import { holdDeliveries } from '../../db/webhooks/open-deliveries.ts';
import { listManagerEmails } from '../../db/identity/members.ts';
import type { Tx } from '../../db/core/schema.ts';
import { disableWebhook, markFailing, markWorking } from '../../db/webhooks/webhook-health.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { Mail } from '../../mail.ts';
import { audit } from '../audit-log.ts';
import { enqueueMail } from '../mail-job.ts';

const GONE = 410;

/** One attempt, as far as it tells how its webhook is. */
export interface HealthSign {
  /** The webhook as it was when the attempt began. */
  webhook: Pick<WebhookRow, 'id' | 'workspace_id' | 'failing_since'>;
  ok: boolean;
  /** The HTTP status; `null` without an answer. */
  status: number | null;
  now: Date;
}

/**
 * Draws the conclusion from an attempt: a webhook whose every attempt has failed for five days, or that answers 410, is
 * disabled; `undefined`: it is not. While nothing changes, nothing is written: a webhook that works costs no statement, one
 * that fails costs one at its first failure. Comes before any change of its deliveries, see `recordAttempts`.
 */
export async function noteHealth(
  tx: Tx,
  { webhook, ok, status, now }: HealthSign,
): Promise<WebhookRow | undefined> {
  const { failing_since: failingSince } = webhook;
  if (ok) {
    if (failingSince !== null) await markWorking(tx, webhook);
    return undefined;
  }
  if (failingSince === null) await markFailing(tx, webhook, now.toISOString());
  const longAgo = new Date(now.getTime() - LIMITS.failingMaxMs).toISOString();
  const gone = status === GONE;
  if (!gone && (failingSince === null || failingSince > longAgo)) return undefined;

  const at = now.toISOString();
  return gone
    ? disableWebhook(tx, { webhook, reason: 'gone', now: at })
    : disableWebhook(tx, { webhook, reason: 'failing', now: at, failingBefore: longAgo });
}

/** Holds what is open for a webhook that was just disabled, writes it down, and mails the owners and admins. */
export async function followDisabling(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'vault' | 'mail'> & { now: Date },
  webhook: WebhookRow,
): Promise<WebhookRow> {
  const { now } = deps;
  await holdDeliveries(tx, webhook, now.toISOString());
  await audit(tx, deps, {
    workspaceId: webhook.workspace_id,
    action: 'webhook.disabled',
    target: { type: 'webhook', id: webhook.id, name: webhook.url },
    changes: [{ field: 'status', from: 'active', to: 'disabled' }],
    metadata: { reason: webhook.disabled_reason, failing_since: webhook.failing_since },
  });
  for (const to of await listManagerEmails(tx, webhook.workspace_id)) {
    const key = `${webhook.id} ${now.toISOString()} ${to}`;
    await enqueueMail(tx, deps, { key, to, ...mailAbout(webhook) });
  }
  return webhook;
}

/** Logs that a webhook was disabled, and lets the mails go out. Comes after the commit. */
export function tellDisabled(
  { log, wakeJobs }: Pick<Deps, 'log' | 'wakeJobs'>,
  { id, workspace_id, disabled_reason: reason }: WebhookRow,
): void {
  log.warn({ webhook_id: id, workspace_id, reason }, 'a webhook was disabled');
  wakeJobs();
}

function mailAbout(webhook: WebhookRow): Omit<Mail, 'to'> {
  const { id, url, disabled_reason: reason } = webhook;
  // The path of a URL may be a secret in itself; mails travel in clear.
  const { host } = new URL(url);
  return {
    subject: `A webhook to ${host} was disabled`,
    text:
      `The webhook ${id} to ${host} was disabled.\n${whyDisabled(webhook)}\n\n` +
      `Nothing is lost: its deliveries are held, and go out when it is enabled again, in the dashboard or with\n\n` +
      `  hubline webhook ${reason === 'secret_unreadable' ? 'rotate-secret' : 'enable'} ${id}\n`,
  };
}

function whyDisabled({ disabled_reason: reason, failing_since: since }: WebhookRow): string {
  switch (reason) {
    case 'gone':
      return 'It answered 410 Gone: whoever runs it wants no more calls.';
    case 'secret_unreadable':
      return 'Its stored secret can no longer be decrypted, so that calls cannot be signed. A new secret enables it.';
    default:
      return `Every attempt has failed since ${since ?? ''}.`;
  }
}
