import { z } from 'zod';
import {
  countCollected,
  endCollected,
  inDigest,
  insertMessage,
  listCollected,
} from '../../../db/notifications/messages.ts';
import { insertNotifications, type NewNotification } from '../../../db/notifications/inbox.ts';
import { findRule, lockRule } from '../../../db/notifications/rules.ts';
import { type Content, digestOf, type StoredContent } from '../../../domain/notifications/content.ts';
import { quietUntil } from '../../../domain/notifications/quiet-hours.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { defineJob } from '../../../jobs/job-kind.ts';
import { readSettings } from '../rules/rules-of.ts';
import { sendMessage } from './send-message.ts';

const payload = z.object({
  workspace_id: z.string(),
  rule: z.string(),
  digest_key: z.string(),
  until: z.number(),
});

const MAX_ITEMS = 50;

/** Ends a digest: in one transaction, makes one message for each destination from all its collected ones. */
export const digestJob = defineJob({
  name: 'notification_digest',
  payload,
  concurrency: 2,
  async run(deps, digest) {
    const woken = new Set<string>();
    await deps.store.write(async (tx) => {
      woken.clear();
      await lockRule(tx, digest.rule);
      const rule = await findRule(tx, digest.workspace_id, digest.rule);
      const name = { rule: digest.rule, digestKey: digest.digest_key };
      const now = deps.clock();
      const settings = rule && rule.enabled === 1 ? readSettings(rule.settings) : null;
      const quiet = settings?.quiet_hours ? quietUntil(settings.quiet_hours, now) : null;
      const notifications: NewNotification[] = [];
      for (const { destination, total } of await countCollected(tx, name, digest.until)) {
        const end = (reason: string) =>
          endCollected(tx, { ...name, destination, reason, now: now.getTime() }, digest.until);
        if (!rule || !settings) {
          await end(rule ? 'the rule was disabled' : 'the rule was deleted');
          continue;
        }
        const limit = settings.digest?.max_items ?? MAX_ITEMS;
        const items = await listCollected(tx, { ...name, destination, limit }, digest.until);
        const [first] = items;
        if (!first) continue;
        const contents = items.map((item) => JSON.parse(item.content) as Content);
        const content = digestOf(contents, { name: rule.name, total });
        const id = deps.ids('message');
        const inApp = first.kind === 'in_app';
        const at = (inApp ? null : quiet?.getTime()) ?? now.getTime();
        await insertMessage(tx, {
          id,
          workspace_id: first.workspace_id,
          rule: rule.id,
          occurrence: id,
          trigger: first.trigger,
          event_id: null,
          kind: first.kind,
          destination,
          recipient: first.recipient,
          content: JSON.stringify({ ...content, severity: 'none' } satisfies StoredContent),
          status: inApp ? 'sent' : quiet ? 'held' : 'pending',
          reason: null,
          attempts: inApp ? 1 : 0,
          digest_key: null,
          dedupe_key: null,
          next_attempt_at: at,
          created_at: now.getTime(),
          completed_at: inApp ? now.getTime() : null,
        });
        if (inApp) {
          const { user_id } = JSON.parse(destination) as { user_id: string };
          woken.add(user_id);
          notifications.push({
            id: deps.ids('notification'),
            user_id,
            workspace_id: first.workspace_id,
            rule_id: rule.id,
            trigger: first.trigger,
            event_id: null,
            resource_id: null,
            severity: 'none',
            title: content.subject,
            text: content.text,
            read_at: null,
            created_at: now.getTime(),
          });
        } else {
          const delayMs = at - now.getTime();
          await enqueue(
            tx,
            { ...deps, now },
            { kind: sendMessage, key: id, payload: { workspaceId: first.workspace_id, id }, delayMs },
          );
        }
        await end(inDigest(id));
      }
      await insertNotifications(tx, notifications);
    });
    deps.wakeJobs();
    for (const userId of woken) deps.announce(userId);
  },
});
