import type { Webhook } from '@hubline/sdk';
import type { ChipFilter } from '../../../components/filters/filter-chips.tsx';
import { webhookOptions } from '../../webhooks/webhook-name.tsx';
import { asErrorKind, deliveryErrors } from '../delivery-statuses.ts';

/** The filters that the list and the groups have in common, as chips. */
export const causeFilters = (webhooks: ReadonlyMap<string, Webhook> | undefined): readonly ChipFilter[] => [
  {
    name: 'webhook',
    label: 'Webhook',
    options: webhookOptions([...(webhooks?.values() ?? [])]),
  },
  {
    name: 'code',
    label: 'Response',
    suggestions: ['500', '502', '503', '504', '404', '401'],
  },
  { name: 'error', label: 'Error', options: deliveryErrors },
];

/** The same filters, as requests take them. */
export const causeOf = ({
  webhook,
  code,
  error,
}: Readonly<Partial<Record<'webhook' | 'code' | 'error', string>>>) => ({
  webhook_id: webhook,
  response_status: code === undefined ? undefined : Number(code),
  error_kind: asErrorKind(error),
});
