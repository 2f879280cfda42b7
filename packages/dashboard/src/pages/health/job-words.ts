import type { JobKindName } from '@hubline/contract/constants';

/** Descriptions of jobs, by their names on the command line and in the log. */
export const JOB_WORDS: Readonly<Record<string, string>> = {
  automation_run: 'Run an automation',
  automation_schedule: 'Start an automation at its time',
  backup: 'Make a backup',
  further_deliveries: 'Make the deliveries of an event with many webhooks',
  housekeeping: 'Remove old records',
  mail: 'Send email',
  match_rules: 'Match an event against notification rules',
  note_alive: 'Record that the server is running',
  notification_digest: 'Send a digest',
  open_deliveries: 'Cancel, hold or release the deliveries of a webhook',
  read_notifications: 'Mark many notifications as read',
  record_key_usage: 'Record when API keys were last used',
  recovery: 'Retry many deliveries',
  remove_hook: 'Remove a provider webhook',
  remove_workspace: 'Remove the data of a deleted workspace',
  renew_hook: 'Renew a provider webhook',
  send_notification: 'Send a notification',
  statistics: 'Update the statistics',
  sync: 'Sync an integration',
  sync_all: 'Sync integrations after the server was down',
  undo_registration: 'Remove a provider webhook after a failed connection',
} satisfies Record<JobKindName, string>;
