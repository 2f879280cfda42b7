import type { ScheduledBackups } from '../backups/scheduled-backups.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { automationRunJob } from '../services/automations/runs/run-job.ts';
import { automationScheduleJob } from '../services/automations/triggers/schedule.ts';
import { housekeepingJob } from '../services/operations/housekeeping.ts';
import { RetentionClock } from '../services/operations/retention-clock.ts';
import { keyUsageJob } from '../services/identity/key-usage.ts';
import { removeHookJob, undoRegistrationJob } from '../services/integrations/hooks/provider-hooks.ts';
import { renewHookJob } from '../services/integrations/hooks/renew-hook.ts';
import { syncAllJob } from '../services/integrations/sync/after-downtime.ts';
import { noteAliveJob } from '../services/operations/note-start.ts';
import { syncJob } from '../services/integrations/sync/job.ts';
import { underOlderName } from '../services/integrations/sync/older-names.ts';
import { mailJob } from '../services/mail-job.ts';
import { digestJob } from '../services/notifications/messages/digest-job.ts';
import { readAllJob } from '../services/notifications/inbox/read-all-job.ts';
import { sendMessageJob } from '../services/notifications/messages/send-job.ts';
import { matchRulesJob } from '../services/notifications/rules/match-job.ts';
import { furtherDeliveriesJob } from '../services/fan-out/further-deliveries-job.ts';
import { openDeliveriesJob } from '../services/webhooks/jobs/open-deliveries-job.ts';
import { recoveryJob } from '../services/webhooks/jobs/recovery-job.ts';
import { removeWorkspaceJob } from '../services/workspaces/remove-job.ts';
import { statisticsJob } from '../services/workspaces/stats-job.ts';

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
  underOlderName(syncJob),
  underOlderName(syncAllJob),
  noteAliveJob,
  automationRunJob(monotonic),
  automationScheduleJob,
  matchRulesJob,
  readAllJob,
  sendMessageJob(monotonic),
  digestJob,
  keyUsageJob,
  removeWorkspaceJob,
  statisticsJob,
  housekeepingJob(new RetentionClock(monotonic), everyMs),
  ...(backups === null ? [] : [backups.job]),
];
