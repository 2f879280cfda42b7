import type { ScheduledBackups } from '../backups/scheduled-backups.ts';
import { backupJob } from '../backups/backup-job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { automationRunJob } from '../services/automations/runs/automation-run-job.ts';
import { automationScheduleJob } from '../services/automations/triggers/automation-schedule-job.ts';
import { furtherDeliveriesJob } from '../services/fan-out/further-deliveries-job.ts';
import { recordKeyUsageJob } from '../services/identity/record-key-usage-job.ts';
import { removeHookJob } from '../services/integrations/hooks/remove-hook-job.ts';
import { renewHookJob } from '../services/integrations/hooks/renew-hook-job.ts';
import { undoRegistrationJob } from '../services/integrations/hooks/undo-registration-job.ts';
import { underOlderName } from '../services/integrations/sync/older-names.ts';
import { syncAllJob } from '../services/integrations/sync/sync-all-job.ts';
import { syncJob } from '../services/integrations/sync/sync-job.ts';
import { mailJob } from '../services/mail-job.ts';
import { readNotificationsJob } from '../services/notifications/inbox/read-notifications-job.ts';
import { notificationDigestJob } from '../services/notifications/messages/notification-digest-job.ts';
import { sendNotificationJob } from '../services/notifications/messages/send-notification-job.ts';
import { matchRulesJob } from '../services/notifications/rules/match-rules-job.ts';
import { housekeepingJob } from '../services/operations/housekeeping-job.ts';
import { noteAliveJob } from '../services/operations/note-alive-job.ts';
import { RetentionClock } from '../services/operations/retention-clock.ts';
import { openDeliveriesJob } from '../services/webhooks/open-deliveries-job.ts';
import { recoveryJob } from '../services/webhooks/recovery-job.ts';
import { removeWorkspaceJob } from '../services/workspaces/remove-workspace-job.ts';
import { statisticsJob } from '../services/workspaces/statistics-job.ts';

interface Housekeeping {
  everyMs?: number | undefined;
  /** A monotonic clock, in milliseconds. */
  monotonic: () => number;
}

/** All background work of a server. `backups` is `null` if none are scheduled. */
export const jobKinds = (
  backups: ScheduledBackups | null,
  { everyMs, monotonic }: Housekeeping,
): readonly JobKind[] => [
  mailJob,
  removeHookJob,
  undoRegistrationJob,
  renewHookJob,
  furtherDeliveriesJob,
  openDeliveriesJob,
  recoveryJob,
  syncJob,
  syncAllJob,
  underOlderName(syncJob, 'catch_up'),
  underOlderName(syncAllJob, 'catch_up_all'),
  noteAliveJob,
  automationRunJob(monotonic),
  automationScheduleJob,
  matchRulesJob,
  readNotificationsJob,
  sendNotificationJob(monotonic),
  notificationDigestJob,
  recordKeyUsageJob,
  removeWorkspaceJob,
  statisticsJob,
  housekeepingJob(new RetentionClock(monotonic), everyMs),
  ...(backups === null ? [] : [backupJob(backups)]),
];
