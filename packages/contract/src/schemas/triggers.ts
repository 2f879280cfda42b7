import { z } from 'zod';
import { TRIGGERS } from '../statuses.ts';

/** A trigger name in a request. */
export const trigger = z.enum(TRIGGERS).meta({
  id: 'Trigger',
  description:
    'Something that happens in a workspace, and that can be subscribed to. `automation.completed` does not fire yet.',
});
