import type { DeliveryStatus, Trigger } from '@hubline/contract/types';
import { TRIGGERS } from '../../input/triggers.ts';
import type { FlagTable, FlagValues } from '../../spec/flag.ts';
import { STATUSES } from '../../views/delivery.ts';

/** What narrows a list of deliveries. */
export const FILTER_FLAGS = {
  status: { type: 'text', value: 'status', choices: STATUSES, summary: 'Only deliveries in this state' },
  webhook: { type: 'text', value: 'id', summary: 'Only deliveries to this webhook' },
  event: { type: 'text', value: 'id', summary: 'Only deliveries of this event' },
  trigger: {
    type: 'text',
    value: 'trigger',
    choices: TRIGGERS,
    summary: 'Only deliveries of this trigger',
  },
  since: {
    type: 'time',
    value: 'time',
    summary: 'Only deliveries after this time, or within this duration: 2h',
  },
} as const satisfies FlagTable;

export const UNTIL_FLAG = {
  until: { type: 'time', value: 'time', summary: 'Only deliveries before this time' },
} as const satisfies FlagTable;

/** The filters of a request. */
export function deliveryFilters(
  flags: FlagValues<typeof FILTER_FLAGS> & { readonly until?: string | undefined },
): {
  readonly status: DeliveryStatus | undefined;
  readonly webhook_id: string | undefined;
  readonly event_id: string | undefined;
  readonly event_type: Trigger | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
} {
  const { status, webhook, event, trigger, since, until } = flags;
  return { status, webhook_id: webhook, event_id: event, event_type: trigger, since, until };
}
