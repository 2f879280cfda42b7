import type { AttemptErrorKind } from '@hubline/contract/constants';
import type { Delivery, DeliveryStatus, Trigger } from '@hubline/sdk';

/** The statuses of a delivery, for tabs and filters. */
export const deliveryStatuses = {
  failed: 'Failed',
  retrying: 'Retrying',
  pending: 'Pending',
  delivered: 'Delivered',
  held: 'Held',
  cancelled: 'Cancelled',
} as const satisfies Record<DeliveryStatus, string>;

/** Kinds of error, for filters. */
export const deliveryErrors = {
  timeout: 'Timeout',
  connect: 'No connection',
  dns: 'DNS',
  tls: 'TLS',
  reset: 'Connection reset',
  redirect: 'Redirect',
  blocked: 'Blocked address',
  protocol: 'Not HTTP',
} as const satisfies Record<AttemptErrorKind, string>;

/** As `asStatus`, for the kind of error. */
export const asErrorKind = (text: string | undefined): AttemptErrorKind | undefined =>
  text as AttemptErrorKind | undefined;

/** A filter from the address. The API refuses one that is not a status. */
export const asStatus = (text: string | undefined): DeliveryStatus | undefined =>
  text as DeliveryStatus | undefined;

/** As `asStatus`, for the trigger. */
export const asTrigger = (text: string | undefined): Trigger | undefined => text as Trigger | undefined;

/** Reports whether a delivery will change by itself. */
export const isUnderWay = ({ status, next_attempt_at }: Delivery): boolean =>
  status === 'pending' || status === 'retrying' || next_attempt_at !== null;
