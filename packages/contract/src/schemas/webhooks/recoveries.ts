import { z } from 'zod';
import { RECOVERABLE_STATUSES, RECOVERY_STATUSES } from '../../constants/statuses.ts';
import { text, timestamp, timestampInput } from '../../text.ts';
import { id, integer, list, trigger } from '../common.ts';
import { errorKind } from './deliveries.ts';

const recoverableStatus = z
  .enum(RECOVERABLE_STATUSES, {
    error: `must be one of ${RECOVERABLE_STATUSES.join(', ')}: others are under way, held until the webhook is enabled, or ended`,
  })
  .meta({ id: 'RecoverableStatus', description: 'Status of a delivery that can be retried.' });

const statuses = list(recoverableStatus, {
  min: 1,
  rule: 'must not be empty; leave it out for failed ones',
  max: RECOVERABLE_STATUSES.length,
})
  .overwrite((wanted) => [...new Set(wanted)])
  .default(['failed'])
  .describe('Statuses of the deliveries to send again. Default `["failed"]`.');

const until = timestampInput.optional().describe('Only deliveries created before this time. Default: now.');

/** Body of `POST /webhooks/{webhookId}/recover`. */
export const RecoveryCreate = z
  .strictObject({
    since: timestampInput.describe('Only deliveries created after this time.'),
    until,
    statuses,
  })
  .describe("Selection of a webhook's deliveries to send again.")
  .meta({ id: 'RecoveryCreate' });

/** Body of `POST /workspaces/{id}/deliveries/retry`. */
export const DeliveryRetryAll = z
  .strictObject({
    webhook_id: id('webhook').optional().describe('Only deliveries to this webhook.'),
    event_id: id('event').optional().describe('Only deliveries of this event.'),
    event_type: trigger.optional().describe('Only deliveries of this trigger, such as `user.invited`.'),
    event_name: text(1, 100).optional().describe('Only deliveries of events of this type, such as `push`.'),
    response_status: integer(100, 599)
      .optional()
      .describe('Only deliveries whose last attempt got this HTTP status.'),
    error_kind: errorKind
      .optional()
      .describe('Only deliveries whose last attempt failed with this kind of error.'),
    since: timestampInput.optional().describe('Only deliveries created after this time.'),
    until,
    statuses,
  })
  .describe('Selection of deliveries to send again.')
  .meta({ id: 'DeliveryRetryAll' });

/** Filters of a recovery; `null` for a filter that was left out. */
export const RecoveryFilters = z
  .object({
    event_id: z.string().nullable().describe('Only deliveries of this event.'),
    event_type: z.string().nullable().describe('Only deliveries of this trigger; `null` for all.'),
    event_name: z.string().nullable().describe('Only deliveries of events of this type; `null` for all.'),
    response_status: z.int().nullable().describe('Only deliveries whose last attempt got this HTTP status.'),
    error_kind: errorKind
      .nullable()
      .describe('Only deliveries whose last attempt failed with this kind of error.'),
    statuses: z.array(z.enum(RECOVERABLE_STATUSES)).describe('Statuses that are retried.'),
    since: timestamp.nullable().describe('Only deliveries created after this time.'),
    until: timestamp.describe('Only deliveries created before this time.'),
  })
  .describe('Selection of a recovery; `null` for a filter that was left out.')
  .meta({ id: 'RecoveryFilters' });

/** A job that sends deliveries again. */
export const Recovery = z
  .object({
    id: z.string().describe('`rec_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    webhook_id: z.string().nullable().describe('The webhook; `null` for all webhooks of the workspace.'),
    status: z
      .enum(RECOVERY_STATUSES)
      .meta({ id: 'RecoveryStatus', description: 'Status of a recovery.' })
      .describe(
        '`queued` until its deliveries are counted, then `running`; `cancelled` if the webhook was deleted.',
      ),
    matched: z.int().describe('Deliveries that match; 0 until they are counted.'),
    done: z
      .int()
      .describe(
        'Deliveries that the recovery has gone through: queued for a retry, or left as they are because an attempt is under way or the webhook is deleted. Differs from `matched` at the end if some were delivered, failed or were deleted since they were counted.',
      ),
    filters: RecoveryFilters.describe('Selection of the deliveries.'),
    created_at: timestamp.describe('Creation time.'),
    completed_at: timestamp.nullable().describe('Time at which the recovery ended or was cancelled.'),
  })
  .describe('A job that sends deliveries again. It survives a restart.')
  .meta({ id: 'Recovery' });
