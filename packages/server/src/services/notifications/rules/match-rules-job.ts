import { isId } from '@hubline/contract';
import { nextTurn } from '../../../clock/timer.ts';
import type { Deps } from '../../../context.ts';
import { insertMessage, openDigest, hasSentSince } from '../../../db/notifications/messages.ts';
import { insertNotifications, type NewNotification } from '../../../db/notifications/inbox.ts';
import { lockRule } from '../../../db/notifications/rules.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { renderKey, severityOf, type StoredContent } from '../../../domain/notifications/content.ts';
import { quietUntil } from '../../../domain/notifications/quiet-hours.ts';
import type { Rule, RuleOccurrence } from '../../../domain/notifications/rule.ts';
import type { TemplateScope } from '../../../domain/templates/template.ts';
import { enqueue, enqueueFairly } from '../../../jobs/enqueue.ts';
import { type RunAgain, defineJob } from '../../../jobs/job-kind.ts';
import { logExceeded } from '../../conditions.ts';
import { destinationsOf, type ResolvedDestination } from '../messages/destinations.ts';
import { notificationDigestJob } from '../messages/notification-digest-job.ts';
import { matchRules } from './match-rules.ts';
import { renderRule } from '../templates/render.ts';
import { rulesFor } from './rules-of.ts';
import { scopeOfOccurrence } from '../templates/scope.ts';
import { sendNotification } from '../messages/send-notification.ts';

// A digest that is about to end within this time collects nothing more.
const CLOSING_MS = 1_000;

/**
 * Applies every rule that matches an occurrence: one message for each destination, stored before it is sent. Each rule
 * has a transaction of its own: after a crash, finished rules are not repeated.
 */
export const matchRulesJob = defineJob({
  ...matchRules,
  concurrency: 4,
  async run(deps, occurrence, { signal }): Promise<RunAgain | void> {
    const scope = await scopeOfOccurrence(deps, occurrence);
    // The event or the workspace was removed in the meantime.
    if (!scope) return;
    const exceeded: string[] = [];
    for (const rule of await rulesFor(deps.store.read, occurrence, () => scope.values)) {
      if (signal.aborted) return { againInMs: 0 };
      const before = scope.budget.exceeded;
      const matched = rule.conditions?.matches(scope) ?? true;
      if (scope.budget.exceeded > before) exceeded.push(rule.key);
      if (!matched) continue;
      const values = { ...scope.values, rule: { id: rule.key, name: rule.name } };
      await apply(deps, occurrence, { rule, scope: values });
      // Each rule may use a whole budget, so other work gets a turn in between.
      await nextTurn();
    }
    const { workspaceId, fact, id } = occurrence;
    const eventId = fact.trigger === 'event.created' ? id : null;
    logExceeded(deps, { workspace_id: workspaceId, trigger: fact.trigger, event_id: eventId }, exceeded);
  },
});

/** Stores the messages of one rule. */
async function apply(
  deps: Deps,
  occurrence: RuleOccurrence,
  { rule, scope }: { rule: Rule; scope: TemplateScope },
): Promise<void> {
  const { workspaceId, fact } = occurrence;
  const rendered = await renderRule(deps, { workspaceId, rule, trigger: fact.trigger, scope });
  const destinations = await destinationsOf(deps, workspaceId, {
    rule,
    about: occurrence.data['webhook_id'] ?? occurrence.data['integration_id'],
  });
  const severity = severityOf(fact.trigger, scope);
  const content = JSON.stringify({ ...rendered.content, severity } satisfies StoredContent);
  const dedupeKey = rule.dedupe ? renderKey(rule.dedupe.key, scope) || null : null;
  const digestKey = rule.digest ? renderKey(rule.digest.key ?? '', scope) : '';
  const woken = new Set<string>();
  await deps.store.write(async (tx) => {
    woken.clear();
    // Only these rules depend on earlier messages. Not the lock of the workspace, which would hold up its events.
    if (rule.dedupe || rule.digest) await lockRule(tx, rule.key);
    const now = deps.clock();
    const notifications: NewNotification[] = [];
    const plan = await planOf(tx, { rule, occurrence, dedupeKey, digestKey, now });
    for (const destination of destinations) {
      const message = {
        id: deps.ids('message'),
        workspace_id: workspaceId,
        rule: rule.key,
        occurrence: occurrence.id,
        trigger: fact.trigger,
        event_id: fact.trigger === 'event.created' ? occurrence.id : null,
        kind: destination.kind,
        // The kind is included, because a member can get both an email and a notification.
        destination: JSON.stringify({ kind: destination.kind, ...destination.target }),
        recipient: destination.to,
        content,
        reason: rendered.note,
        attempts: 0,
        digest_key: digestKey,
        dedupe_key: dedupeKey,
        created_at: now.getTime(),
        ...stateOf(plan, destination, now),
      };
      // The message was stored before a crash, or by another job.
      if (!(await insertMessage(tx, message))) continue;
      if (message.status === 'sent' && destination.userId !== undefined) {
        woken.add(destination.userId);
        const { subject, text } = rendered.content;
        notifications.push({
          id: deps.ids('notification'),
          user_id: destination.userId,
          workspace_id: workspaceId,
          rule_id: isId('notificationRule', rule.key) ? rule.key : null,
          trigger: fact.trigger,
          event_id: message.event_id,
          resource_id: resourceOf(occurrence),
          severity,
          title: subject,
          text,
          read_at: null,
          created_at: now.getTime(),
        });
      }
      if (message.status === 'pending' || message.status === 'held') {
        const delayMs = message.next_attempt_at - now.getTime();
        await enqueueFairly(
          tx,
          { ...deps, now },
          {
            kind: sendNotification,
            key: message.id,
            payload: { workspaceId, id: message.id },
            delayMs,
            workspaceId,
          },
        );
      }
    }
    await insertNotifications(tx, notifications);
    if (plan.kind === 'collect') {
      const key = `${rule.key} ${plan.until} ${digestKey}`;
      const wanted = { workspace_id: workspaceId, rule: rule.key, digest_key: digestKey, until: plan.until };
      await enqueue(
        tx,
        { ...deps, now },
        { kind: notificationDigestJob, key, payload: wanted, delayMs: plan.until - now.getTime() },
      );
    }
  });
  deps.jobs.wake();
  for (const userId of woken) deps.announce(userId);
}

/** The ID of the resource that the occurrence is about, if it is not about an event. */
function resourceOf({ data }: RuleOccurrence): string | null {
  const { webhook_id, integration_id, automation_id, user_id } = data;
  const id = webhook_id ?? integration_id ?? automation_id ?? user_id;
  return typeof id === 'string' ? id : null;
}

/** The first state of a message. */
type Plan =
  | { kind: 'send'; at: number; held: boolean }
  | { kind: 'collect'; until: number }
  | { kind: 'suppress'; reason: string };

interface Situation {
  rule: Rule;
  occurrence: RuleOccurrence;
  dedupeKey: string | null;
  digestKey: string;
  now: Date;
}

async function planOf(tx: Tx, { rule, occurrence, dedupeKey, digestKey, now }: Situation): Promise<Plan> {
  const at = now.getTime();
  if (rule.dedupe && dedupeKey !== null) {
    const since = at - rule.dedupe.window_seconds * 1_000;
    if (await hasSentSince(tx, { rule: rule.key, key: dedupeKey, since, occurrence: occurrence.id }))
      return { kind: 'suppress', reason: `duplicate within the dedupe window: ${dedupeKey}` };
  }
  if (rule.critical) return { kind: 'send', at, held: false };
  if (rule.digest) {
    const open = await openDigest(tx, { rule: rule.key, digestKey }, at + CLOSING_MS);
    return { kind: 'collect', until: open ?? at + rule.digest.window_seconds * 1_000 };
  }
  const quiet = rule.quiet_hours && quietUntil(rule.quiet_hours, now);
  return quiet ? { kind: 'send', at: quiet.getTime(), held: true } : { kind: 'send', at, held: false };
}

/** The state of a message for one destination. */
function stateOf(plan: Plan, { kind, problem }: ResolvedDestination, now: Date) {
  const at = now.getTime();
  const over = { next_attempt_at: at, completed_at: at };
  if (plan.kind === 'suppress') return { ...over, status: 'suppressed' as const, reason: plan.reason };
  if (problem !== null) return { ...over, status: 'suppressed' as const, reason: problem };
  if (plan.kind === 'collect')
    return { status: 'collecting' as const, next_attempt_at: plan.until, completed_at: null };
  // Quiet hours do not apply to in-app notifications: they disturb nobody.
  if (kind === 'in_app') return { ...over, status: 'sent' as const, attempts: 1 };
  return {
    status: plan.held ? ('held' as const) : ('pending' as const),
    next_attempt_at: plan.at,
    completed_at: null,
  };
}
