import { z } from 'zod';
import { MESSAGE_STATUSES } from '../../constants/statuses.ts';
import { timestamp } from '../../text.ts';
import { id, notificationTrigger, pageQuery } from '../common.ts';
import { destinationKind } from './notification-rules.ts';

const messageStatus = z.enum(MESSAGE_STATUSES).meta({
  id: 'MessageStatus',
  description:
    '`held`: waits for the end of quiet hours. `collecting`: waits for a digest. `suppressed`: left out on purpose; see `reason`.',
});

/** A message in the notification log. */
export const LoggedMessage = z
  .object({
    id: z.string().describe('`msg_` and 26 characters.'),
    rule_id: z
      .string()
      .nullable()
      .describe(
        'The rule; `null` for the settings of an integration, and for notifications that owners and admins always get.',
      ),
    integration_id: z
      .string()
      .nullable()
      .describe('The integration whose settings asked for the message; otherwise `null`.'),
    trigger: notificationTrigger.describe('Trigger of the message.'),
    event_id: z.string().nullable().describe('The event; `null` for other triggers, and for a digest.'),
    kind: destinationKind.describe('Kind of the destination.'),
    to: z.string().describe('Channel, host of the webhook, email address or user.'),
    subject: z.string().describe('Title of the message.'),
    status: messageStatus.describe('Status of the message.'),
    reason: z
      .string()
      .nullable()
      .describe('Reason why the message failed, waits or was left out; otherwise `null`.'),
    attempts: z.int().describe('Number of attempts so far.'),
    next_attempt_at: timestamp.nullable().describe('Time of the next attempt; `null` for none.'),
    created_at: timestamp.describe('Creation time.'),
    completed_at: timestamp.nullable().describe('Time at which the message was sent or given up.'),
  })
  .describe('One message to one destination.')
  .meta({ id: 'LoggedMessage' });

/** Query of `GET /workspaces/{id}/notification-log`. */
export const logQuery = {
  rule_id: id('notificationRule').optional().describe('Only messages of this rule.'),
  status: messageStatus.optional().describe('Only messages with this status.'),
  ...pageQuery,
};
