import { GONE_MESSAGE, type Trigger } from '@hubline/contract/constants';
import { newId } from '../forward/envelope.ts';

/** The `data` of deliveries that no event causes, with new ids. Specification, "Delivery" 6. */
export const triggerData: Readonly<Record<string, () => Record<string, unknown>>> = {
  'automation.completed': () => ({
    automation_id: newId('aut'),
    automation_name: 'Announce releases',
    run_id: newId('run'),
    status: 'succeeded',
    event_id: newId('evt'),
  }),
  'integration.connected': () => ({
    integration_id: newId('int'),
    integration_type: 'github',
    integration_name: null,
  }),
  'user.invited': () => ({ user_id: newId('usr'), email: 'sam@acme.test', role: 'member' }),
  'webhook.failing': () => failing(),
  'webhook.disabled': () => ({
    ...failing(),
    reason: 'gone',
    message: GONE_MESSAGE,
  }),
  'integration.error': () => ({
    integration_id: newId('int'),
    integration_type: 'github',
    integration_name: null,
    code: 'credentials_refused',
    message: 'GitHub refuses the credentials.',
  }),
  'automation.disabled': () => ({
    automation_id: newId('aut'),
    automation_name: 'Announce releases',
    user_id: newId('usr'),
    message:
      'This automation calls URLs on behalf of sam@acme.test, who may no longer edit automations. The member who enables it takes over responsibility for the calls.',
  }),
  'notification.sent': () => ({
    rule_id: newId('nrl'),
    rule_name: 'Critical alerts',
    trigger: 'event.created',
    event_id: newId('evt'),
    title: 'Disk is full on db-1',
    text: 'Disk is full on db-1',
    severity: 'critical',
  }),
} satisfies Record<Exclude<Trigger, 'event.created'>, () => Record<string, unknown>>;

const failing = () => ({
  webhook_id: newId('whk'),
  webhook_name: 'Billing service',
  webhook_host: 'app.example.com',
  failing_since: new Date().toISOString(),
});
