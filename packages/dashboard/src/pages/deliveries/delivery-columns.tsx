import type { Delivery, Webhook } from '@hubline/sdk';
import { Countdown } from '../../components/text/countdown.tsx';
import { Status } from '../../components/text/status.tsx';
import type { Column } from '../../components/page/table.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import type { Pages } from '../../data/use-pages.ts';
import { WebhookName } from '../webhooks/webhook-name.tsx';
import { LastResult } from './last-result.tsx';
import { RetryButton } from './retry-button.tsx';

/** Columns that all lists of deliveries share. */
export function deliveryColumns(
  deliveries: Pick<Pages<Delivery>, 'update'>,
  webhooks: ReadonlyMap<string, Webhook> | undefined,
) {
  return {
    status: { label: 'Status', cell: ({ status }) => <Status status={status} /> },
    event: { label: 'Event', cell: ({ event_name: name, event_type: trigger }) => name ?? trigger },
    result: { label: 'Last attempt', cell: (delivery) => <LastResult delivery={delivery} /> },
    webhook: {
      label: 'Webhook',
      grow: true,
      cell: ({ webhook_id: id }) => <WebhookName id={id} webhooks={webhooks} />,
    },
    attempts: { label: 'Attempts', cell: ({ attempt_count: count }) => count },
    nextAttempt: {
      label: 'Next attempt',
      cell: ({ next_attempt_at: next }) =>
        next === null ? <span class="faint">none</span> : <Countdown until={next} />,
    },
    made: { label: 'Created', cell: ({ created_at: made }) => <TimeAgo value={made} /> },
    ended: { label: 'Ended', cell: ({ completed_at: ended }) => <TimeAgo value={ended} none="not yet" /> },
    retry: {
      label: '',
      align: 'end',
      cell: (delivery) => (
        <RetryButton
          delivery={delivery}
          size="small"
          onSent={(sent) =>
            deliveries.update((items) => items.map((each) => (each.id === sent.id ? sent : each)))
          }
        />
      ),
    },
  } satisfies Record<string, Column<Delivery>>;
}
