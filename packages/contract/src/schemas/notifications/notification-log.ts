import { z } from 'zod';
import { MESSAGE_STATUSES } from '../../constants/statuses.ts';
import { timestamp } from '../../text.ts';
import { id, notice, pageQuery } from '../common.ts';
import { destinationKind } from './notification-rules.ts';

/** A message in the notification log. */
export const LoggedMessage = z
  .object({
    id: z.string().describe('`msg_` and 26 characters.'),
    rule_id: z
      .string()
      .nullable()
      .describe(
        'The rule; `null` for the settings of an integration, and for what owners and admins are always told.',
      ),
    integration_id: z
      .string()
      .nullable()
      .describe('The integration whose own settings asked for it; `null` otherwise.'),
    trigger: notice.describe('What it is about.'),
    event_id: z.string().nullable().describe('The event; `null` for other triggers, and for a digest.'),
    kind: destinationKind.describe('Kind of the destination.'),
    to: z.string().describe('Channel, host of the webhook, email address or user.'),
    subject: z.string().describe('Its title.'),
    status: z
      .enum(MESSAGE_STATUSES)
      .meta({
        id: 'MessageStatus',
        description:
          '`held`: until quiet hours end. `collecting`: for a digest. `suppressed`: on purpose, see `reason`.',
      })
      .describe('Status of the message.'),
    reason: z.string().nullable().describe('Why it failed, waits or was left out; `null` otherwise.'),
    attempts: z.int().describe('Attempts that were made.'),
    next_attempt_at: timestamp.nullable().describe('Time of the next one; `null` for none.'),
    created_at: timestamp.describe('Creation time.'),
    completed_at: timestamp.nullable().describe('Time at which it was sent, or given up.'),
  })
  .describe('One message to one destination.')
  .meta({ id: 'LoggedMessage' });

/** Query of `GET /workspaces/{id}/notification-log`. */
export const logQuery = {
  rule_id: id('notificationRule').optional().describe('Only messages of this rule.'),
  status: z
    .enum(MESSAGE_STATUSES)
    .meta({ id: 'MessageStatus' })
    .optional()
    .describe('Only messages with this status.'),
  ...pageQuery,
};
