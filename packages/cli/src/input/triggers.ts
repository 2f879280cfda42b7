import type { Trigger } from '@hubline/contract/types';

/** The trigger names of the specification, as choices. */
export const TRIGGERS = [
  'event.created',
  'automation.completed',
  'integration.connected',
  'user.invited',
] as const satisfies readonly Trigger[];
