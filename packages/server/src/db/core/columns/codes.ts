import type { AttemptErrorKind, DeliveryCause, DeliveryStatus, Trigger } from '@hubline/contract';
import { codes } from './columns.ts';

export const STATUS = codes<DeliveryStatus>({
  pending: 0,
  retrying: 1,
  delivered: 2,
  failed: 3,
  held: 4,
  cancelled: 5,
});

export const DELIVERY_CAUSE = codes<DeliveryCause>({ event: 0, manual: 1, test: 2, recovery: 3 });

export const TRIGGER = codes<Trigger>({
  'event.created': 0,
  'automation.completed': 1,
  'integration.connected': 2,
  'user.invited': 3,
  'webhook.failing': 4,
  'webhook.disabled': 5,
  'integration.error': 6,
  'notification.sent': 7,
  'automation.disabled': 8,
});

export const ERROR_KIND = codes<AttemptErrorKind>({
  dns: 0,
  connect: 1,
  tls: 2,
  timeout: 3,
  reset: 4,
  redirect: 5,
  blocked: 6,
  protocol: 7,
});
