import { ATTEMPT_ERROR_KINDS, DELIVERY_STATUSES, TRIGGERS } from '@hubline/contract/constants';
import type { AttemptErrorKind, DeliveryStatus, Trigger } from '@hubline/contract/types';
import type { FlagTable, FlagValues } from '../../spec/flag.ts';

/** Flags that narrow a list of deliveries. */
export const FILTER_FLAGS = {
  status: {
    type: 'text',
    value: 'status',
    choices: DELIVERY_STATUSES,
    summary: 'Only deliveries with this status',
  },
  webhook: { type: 'text', value: 'id', summary: 'Only deliveries to this webhook' },
  event: { type: 'text', value: 'id', summary: 'Only deliveries of this event' },
  trigger: {
    type: 'text',
    value: 'trigger',
    choices: TRIGGERS,
    summary: 'Only deliveries of this trigger',
  },
  type: { type: 'text', value: 'type', summary: 'Only deliveries of events of this type, such as push' },
  code: {
    type: 'integer',
    value: 'http-status',
    summary: 'Only deliveries whose last attempt got this HTTP status, such as 503',
  },
  error: {
    type: 'text',
    value: 'kind',
    choices: ATTEMPT_ERROR_KINDS,
    summary: 'Only deliveries whose last attempt failed with this kind of error',
  },
  'slower-than': {
    type: 'duration',
    value: 'duration',
    summary: 'Only deliveries whose last attempt took this long or longer: 5s',
  },
  since: {
    type: 'time',
    value: 'time',
    summary: 'Only deliveries after this time, or within this duration: 2h',
  },
} as const satisfies FlagTable;

/** The flags of the filters that have other names in a request. */
export const FILTER_FIELDS = {
  event_type: '--trigger',
  event_name: '--type',
  response_status: '--code',
  error_kind: '--error',
  min_duration_ms: '--slower-than',
} as const;

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
  readonly event_name: string | undefined;
  readonly response_status: number | undefined;
  readonly error_kind: AttemptErrorKind | undefined;
  readonly min_duration_ms: number | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
} {
  return {
    status: flags.status,
    webhook_id: flags.webhook,
    event_id: flags.event,
    event_type: flags.trigger,
    event_name: flags.type,
    response_status: flags.code,
    error_kind: flags.error,
    min_duration_ms: flags.slowerThan,
    since: flags.since,
    until: flags.until,
  };
}
