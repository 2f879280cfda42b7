import { newId } from '../forward/envelope.ts';

/** The `data` of deliveries that no event causes, with new ids. Specification, "Events". */
export const triggerData: Readonly<Record<string, () => Record<string, unknown>>> = {
  'automation.completed': () => ({
    automation_id: newId('aut'),
    automation_name: 'Announce releases',
    run_id: newId('run'),
    status: 'succeeded',
    event_id: newId('evt'),
  }),
  'integration.connected': () => ({ integration_id: newId('int'), integration_type: 'github' }),
  'user.invited': () => ({ user_id: newId('usr'), email: 'sam@acme.test', role: 'member' }),
};
