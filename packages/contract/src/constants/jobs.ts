/** The kinds of background jobs. A server of another version may have others. */
export const JOB_KINDS = [
  'automation_run',
  'automation_schedule',
  'backup',
  'further_deliveries',
  'housekeeping',
  'mail',
  'match_rules',
  'note_alive',
  'notification_digest',
  'open_deliveries',
  'read_notifications',
  'record_key_usage',
  'recovery',
  'remove_hook',
  'remove_workspace',
  'renew_hook',
  'send_notification',
  'statistics',
  'sync',
  'sync_all',
  'undo_registration',
] as const;

/** A kind of background job. */
export type JobKindName = (typeof JOB_KINDS)[number];

/** The states of a job: waiting, due, running, waiting after an attempt that failed, or failed for good. */
export const JOB_STATES = ['scheduled', 'due', 'running', 'retrying', 'failed'] as const;
