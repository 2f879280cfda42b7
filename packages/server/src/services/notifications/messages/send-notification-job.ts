import { randomInt } from 'node:crypto';
import { isId } from '@hubline/contract';
import { chaos } from '#chaos';
import type { Deps } from '../../../context.ts';
import { findMessage, type MessageRow, updateMessage } from '../../../db/notifications/messages.ts';
import { listUnsubscribed } from '../../../db/notifications/recipients.ts';
import { findRule, type RuleRow } from '../../../db/notifications/rules.ts';
import { isLive } from '../../../db/workspaces/live-workspace.ts';
import type { DestinationKind } from '../../../db/core/schema.ts';
import { Fault } from '../../../domain/faults/fault.ts';
import { MailError } from '../../../domain/faults/mail-error.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { quietUntil } from '../../../domain/notifications/quiet-hours.ts';
import { type RunAgain, defineJob } from '../../../jobs/job-kind.ts';
import { backOff } from '../../../jobs/next-state.ts';
import { workContext } from '../../../work-context.ts';
import { readSettings } from '../rules/rules-of.ts';
import { DestinationLimiter } from './destination-limiter.ts';
import { UNSUBSCRIBED } from './destinations.ts';
import { sendByEmail } from './send-by-email.ts';
import { sendNotification } from './send-notification.ts';
import type { Sent } from './sent.ts';
import { sendToIntegration } from './send-to-integration.ts';
import { sendToWebhook } from './send-to-webhook.ts';

// About eight hours, as for every other job.
const ATTEMPTS = 10;

/**
 * Sends a message; each tool gets one message at a time. The row of the message is the log of its attempts. After a
 * crash between an attempt and its record, only that attempt is repeated.
 */
export const sendNotificationJob = (monotonic?: () => number) => {
  const limiter = new DestinationLimiter(monotonic);
  return defineJob({
    ...sendNotification,
    concurrency: 8,
    async run(deps, { workspaceId, id }, { putOff }): Promise<RunAgain | void> {
      const message = await findMessage(deps.store.read, workspaceId, id);
      if (!message || (message.status !== 'pending' && message.status !== 'held')) return;
      if (!(await isLive(deps.store.read, workspaceId))) return;
      const rule = await ruleOf(deps, message);
      const ended = endOfRule(rule) ?? (await unsubscribedMeanwhile(deps, message));
      if (ended !== null) return end(deps, message, { status: 'suppressed', reason: ended });
      const now = deps.clock();
      const until = heldUntil(message, rule, now);
      if (until !== null)
        return deps.store.write(async (tx) => {
          await updateMessage(tx, message, { next_attempt_at: until });
          await putOff(tx, until - now.getTime());
        });
      const key = limiterKey(message);
      const permit = limiter.acquire(key);
      if (!permit.granted) return { againInMs: permit.waitMs };
      let closedMs = 0;
      try {
        const { refused, note, record } = await attempt(deps, message);
        chaos.reach('notification.sent');
        const made = { attempts: message.attempts + 1 };
        const changes =
          refused === null
            ? ({ status: 'sent', ...(note !== undefined && { reason: note }) } as const)
            : ({ status: 'failed', reason: refused } as const);
        await end(deps, message, { ...made, ...changes, record });
      } catch (error) {
        const failure = failureOf(error);
        if (!failure) throw error;
        const attempts = message.attempts + 1;
        const { reason } = failure;
        if (failure.permanent || attempts >= ATTEMPTS)
          return await end(deps, message, { attempts, status: 'failed', reason });
        const { retryAfterMs } = failure;
        closedMs = retryAfterMs;
        const againInMs = Math.max(retryAfterMs, backOff(attempts, randomInt(1_000) / 1_000));
        const next_attempt_at = deps.clock().getTime() + againInMs;
        // In one transaction, so that the attempt and the next time of the job become visible together.
        await deps.store.write(async (tx) => {
          await updateMessage(tx, message, { attempts, reason, next_attempt_at, status: 'pending' });
          await putOff(tx, againInMs);
        });
      } finally {
        limiter.release(key, closedMs);
      }
    },
  });
};

/**
 * The key under which a message is limited: one for each tool, whose limits count over all channels. A mail server accepts
 * any number of emails at a time.
 */
const limiterKey = ({ id, kind, destination }: MessageRow): string =>
  kind === 'integration' ? (JSON.parse(destination) as { integration_id: string }).integration_id : id;

/** The rule of a message: `null` if it was deleted, `undefined` for the settings of an integration. */
async function ruleOf(
  { store }: Deps,
  { workspace_id, rule }: MessageRow,
): Promise<RuleRow | null | undefined> {
  if (!isId('notificationRule', rule)) return undefined;
  return (await findRule(store.read, workspace_id, rule)) ?? null;
}

/** The reason why a message is no longer sent; `null` if it is. */
function endOfRule(rule: RuleRow | null | undefined): string | null {
  if (rule === null) return 'the rule was deleted';
  return rule?.enabled === 0 ? 'the rule was disabled' : null;
}

/** The reason why an email is no longer sent: its reader has unsubscribed while it waited. `null` if it is sent. */
async function unsubscribedMeanwhile(
  { store }: Deps,
  { kind, destination, workspace_id: workspaceId, rule }: MessageRow,
): Promise<string | null> {
  if (kind !== 'email') return null;
  const { user_id: userId } = JSON.parse(destination) as { user_id: string };
  return (await listUnsubscribed(store.read, workspaceId, rule)).has(userId) ? UNSUBSCRIBED : null;
}

/**
 * The end of the quiet hours for which a message waits; `null` once it may be sent. A job that has moved with a clock that was set back
 * comes early: quiet hours have not moved.
 */
function heldUntil(
  { status, next_attempt_at: plannedAt }: MessageRow,
  rule: RuleRow | null | undefined,
  now: Date,
): number | null {
  if (status !== 'held' || !rule || plannedAt === null || plannedAt <= now.getTime()) return null;
  const { quiet_hours: quiet } = readSettings(rule.settings);
  return (quiet && quietUntil(quiet, now)?.getTime()) ?? null;
}

/** The functions that send a message, by kind. An in-app notification is stored with its message. */
const SEND: Readonly<
  Record<Exclude<DestinationKind, 'in_app'>, (deps: Deps, message: MessageRow) => Promise<Sent>>
> = { email: sendByEmail, integration: sendToIntegration, webhook: sendToWebhook };

const attempt = (deps: Deps, message: MessageRow): Promise<Sent> =>
  message.kind === 'in_app' ? Promise.resolve({ refused: null }) : SEND[message.kind](deps, message);

interface Failure {
  reason: string;
  permanent: boolean;
  retryAfterMs: number;
}

/** The failure of the destination; `null` for a bug. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof ProviderUnavailable)
    return { reason: error.message, permanent: false, retryAfterMs: error.retryAfterSeconds * 1_000 };
  if (error instanceof MailError)
    return { reason: error.message, permanent: error.permanent, retryAfterMs: 0 };
  if (error instanceof Fault) return { reason: error.message, permanent: true, retryAfterMs: 0 };
  return null;
}

async function end(
  deps: Deps,
  message: MessageRow,
  {
    record,
    ...changes
  }: Pick<Partial<MessageRow>, 'status' | 'reason' | 'attempts'> & { record?: Sent['record'] | undefined },
): Promise<void> {
  const work = workContext(deps);
  await work.write(async (tx) => {
    await updateMessage(tx, message, {
      ...changes,
      next_attempt_at: null,
      completed_at: deps.clock().getTime(),
    });
    await record?.(tx, work);
  });
}
