import { z } from 'zod';
import type { Deps } from '../../../context.ts';
import type { Tx } from '../../../db/core/schema.ts';
import {
  countCollected,
  endSomeCollected,
  findMessageId,
  inDigest,
  insertMessage,
  listCollected,
  type MessageRow,
  nextCollected,
} from '../../../db/notifications/messages.ts';
import { insertNotifications, type NewNotification } from '../../../db/notifications/inbox.ts';
import { findRule, lockRule } from '../../../db/notifications/rules.ts';
import { type Content, digestOf, type StoredContent } from '../../../domain/notifications/content.ts';
import { quietUntil } from '../../../domain/notifications/quiet-hours.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { inSteps } from '../../../jobs/in-steps.ts';
import { defineJob, type JobRun } from '../../../jobs/job-kind.ts';
import { readSettings } from '../rules/rules-of.ts';
import { sendNotification } from './send-notification.ts';

const payload = z.object({
  workspace_id: z.string(),
  rule: z.string(),
  digest_key: z.string(),
  until: z.number(),
});

const MAX_ITEMS = 50;

type Digest = z.output<typeof payload>;

/**
 * Ends a digest in steps: each makes the message for a destination, unless an earlier one has made it, and ends some of the messages that
 * were collected for it.
 */
export const notificationDigestJob = defineJob({
  name: 'notification_digest',
  payload,
  concurrency: 2,
  run: (deps, digest, run) => inSteps(run, () => step(deps, digest, run)),
});

/** Makes a step; `true` if nothing is left. */
async function step(
  deps: Deps,
  { workspace_id, rule: key, digest_key: digestKey, until }: Digest,
  { finish }: Pick<JobRun, 'finish'>,
): Promise<boolean> {
  let made: MadeDigest | null = null;
  const isDone = await deps.store.write(async (tx) => {
    made = null;
    await lockRule(tx, key);
    const next = await nextCollected(tx, { rule: key, digestKey }, until);
    if (!next) return true;
    const { destination } = next;
    const name = { rule: key, digestKey, destination };
    const rule = await findRule(tx, workspace_id, key);
    const now = deps.clock();
    // The same in every step, so that a later step finds the message of an earlier one.
    const occurrence = `digest ${until} ${digestKey}`;
    let id = await findMessageId(tx, { rule: key, occurrence, destination });
    if (id === undefined && rule?.enabled === 1) {
      const { digest, quiet_hours: quiet } = readSettings(rule.settings);
      const items = await listCollected(tx, { ...name, limit: digest?.max_items ?? MAX_ITEMS }, until);
      const content = digestOf(
        items.map((item) => JSON.parse(item.content) as Content),
        { name: rule.name, total: await countCollected(tx, name, until) },
      );
      const heldUntil = quiet ? quietUntil(quiet, now) : null;
      made = await insertDigest(tx, deps, { items, content, occurrence, heldUntil, now });
      ({ id } = made);
    }
    const ended = rule ? 'the rule was disabled' : 'the rule was deleted';
    const reason = id === undefined ? ended : inDigest(id);
    await endSomeCollected(tx, { ...name, reason, now: now.getTime() }, until);
    return (await nextCollected(tx, { rule: key, digestKey }, until)) === undefined && finish(tx);
  });
  announce(deps, made);
  return isDone;
}

interface NewDigest {
  /** The first of the messages that it joins. */
  items: readonly MessageRow[];
  content: Content;
  occurrence: string;
  /** The end of the quiet hours; `null` outside of them. */
  heldUntil: Date | null;
  now: Date;
}

/** The message of a digest, and the user whose open pages show it at once. */
interface MadeDigest {
  id: string;
  userId: string | null;
}

/** Sends the message of a digest, or shows it, after its commit. */
function announce(deps: Deps, made: MadeDigest | null): void {
  if (made?.userId === null) deps.jobs.wake();
  else if (made) deps.announce(made.userId);
}

/** Stores the message of a digest. */
async function insertDigest(
  tx: Tx,
  deps: Deps,
  { items: [first], content, occurrence, heldUntil, now }: NewDigest,
): Promise<MadeDigest> {
  if (!first) throw new Error('A digest joins at least one message.');
  const { workspace_id, rule, kind, trigger, destination, recipient } = first;
  const id = deps.ids('message');
  const inApp = kind === 'in_app';
  const at = (inApp ? null : heldUntil?.getTime()) ?? now.getTime();
  await insertMessage(tx, {
    id,
    workspace_id,
    rule,
    occurrence,
    trigger,
    event_id: null,
    kind,
    destination,
    recipient,
    content: JSON.stringify({ ...content, severity: 'none' } satisfies StoredContent),
    status: inApp ? 'sent' : heldUntil ? 'held' : 'pending',
    reason: null,
    attempts: inApp ? 1 : 0,
    digest_key: null,
    dedupe_key: null,
    next_attempt_at: at,
    created_at: now.getTime(),
    completed_at: inApp ? now.getTime() : null,
  });
  if (!inApp) {
    const job = { kind: sendNotification, key: id, payload: { workspaceId: workspace_id, id } };
    await enqueue(tx, { ...deps, now }, { ...job, delayMs: at - now.getTime() });
    return { id, userId: null };
  }
  const { user_id } = JSON.parse(destination) as { user_id: string };
  const notification: NewNotification = {
    id: deps.ids('notification'),
    user_id,
    workspace_id,
    rule_id: rule,
    trigger,
    event_id: null,
    resource_id: null,
    severity: 'none',
    title: content.subject,
    text: content.text,
    read_at: null,
    created_at: now.getTime(),
  };
  await insertNotifications(tx, [notification]);
  return { id, userId: user_id };
}
