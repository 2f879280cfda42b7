import { z } from 'zod';

/** Specification, "Trigger and subscription names". */
export const TRIGGERS = [
  'event.created',
  'automation.completed',
  'integration.connected',
  'user.invited',
] as const;

/** A trigger name: the `type` of a delivery envelope. */
export type Trigger = (typeof TRIGGERS)[number];

/** A trigger name in a request. */
export const trigger = z.enum(TRIGGERS).meta({
  id: 'Trigger',
  description:
    'Something that happens in a workspace, and that can be subscribed to. `automation.completed` does not fire yet.',
});
