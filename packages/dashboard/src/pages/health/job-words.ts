/** Descriptions of jobs, by their names on the command line and in the log. */
export const JOB_WORDS: Readonly<Record<string, string>> = {
  automation_run: 'Run an automation',
  automation_schedule: 'Start an automation at its time',
  catch_up: 'Fetch events that a tool could not deliver',
  catch_up_all: 'Catch up after the server was down',
  housekeeping: 'Remove old records',
  mail: 'Send email',
  match_rules: 'Match an event with notification rules',
  note_alive: 'Record that the server is running',
  notification_digest: 'Send a digest',
  recovery: 'Retry many deliveries',
  remove_hook: 'Remove a hook at a tool',
  renew_hook: 'Renew a hook at a tool',
  send_notification: 'Send a notification',
  undo_registration: 'Remove a hook of a failed connection',
};
