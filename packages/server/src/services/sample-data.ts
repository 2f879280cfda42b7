import { type AutomationTriggerName, GONE_MESSAGE, type NotificationTrigger } from '@hubline/contract';

type Data = Readonly<Record<string, unknown>>;
type Trigger = NotificationTrigger | AutomationTriggerName;

const webhook = (now: Date) => ({
  webhook_id: 'whk_example',
  webhook_name: 'Billing service',
  webhook_host: 'app.example.com',
  failing_since: now.toISOString(),
});

const integration = {
  integration_id: 'int_example',
  integration_type: 'github',
  integration_name: 'Platform',
};

/** The made-up `data` of the triggers that have no event, for dry runs; `null` for the others. */
const SAMPLES: Readonly<Record<Trigger, ((now: Date) => Data) | null>> = {
  'event.created': null,
  manual: null,
  schedule: (now) => ({ scheduled_at: now.toISOString() }),
  'user.invited': () => ({ user_id: 'usr_example', email: 'li@example.com', role: 'member' }),
  'integration.connected': () => integration,
  'automation.completed': () => ({
    automation_id: 'aut_example',
    automation_name: 'Announce releases',
    run_id: 'run_example',
    status: 'succeeded',
    event_id: null,
  }),
  'webhook.failing': webhook,
  'webhook.disabled': (now) => ({
    ...webhook(now),
    reason: 'gone',
    message: GONE_MESSAGE,
  }),
  'integration.error': () => ({
    ...integration,
    code: 'credentials_refused',
    message: 'GitHub refuses the credentials.',
  }),
  'automation.disabled': () => ({
    automation_id: 'aut_example',
    automation_name: 'Announce releases',
    user_id: 'usr_example',
    message:
      'This automation calls URLs on behalf of li@example.com, who may no longer edit automations. The member who enables it takes over responsibility for the calls.',
  }),
};

/** The made-up `data` of a trigger; `undefined` for one that has an event. */
export const sampleData = (trigger: Trigger, now: Date): Data | undefined => SAMPLES[trigger]?.(now);
