import { client } from '../../api/client.ts';
import { Countdown } from '../../components/countdown.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { usePages } from '../../data/use-pages.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import { isUnderWay } from '../deliveries/delivery-statuses.ts';
import { refreshDeliveries } from '../deliveries/refresh-deliveries.ts';
import { RetryButton } from '../deliveries/retry-button.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { WebhookName } from '../webhooks/webhook-name.tsx';

const POLL_MS = 2_000;

/** Which webhooks an event went to, and how far it is. */
export function EventDeliveries({ eventId }: { eventId: string }) {
  const workspace = useWorkspace();
  const read = (signal: AbortSignal) =>
    client.deliveries.list(workspace.id, { event_id: eventId, limit: 50 }, { signal });
  const deliveries = usePages(read, [workspace.id, eventId]);
  const webhooks = useWebhooks(workspace.id);
  usePoll(
    (signal) => refreshDeliveries(deliveries, read, signal),
    deliveries.items?.some(isUnderWay) ? POLL_MS : undefined,
  );
  return (
    <Section title="Deliveries">
      <Table
        caption="Deliveries of this event"
        items={deliveries.items}
        rowKey={({ id }) => id}
        href={({ id }) => workspace.href(`deliveries/${id}`)}
        columns={[
          { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          {
            label: 'Webhook',
            grow: true,
            cell: ({ webhook_id: id }) => <WebhookName id={id} webhooks={webhooks} />,
          },
          { label: 'Attempts', cell: ({ attempt_count: count }) => count },
          {
            label: 'Next attempt',
            cell: ({ next_attempt_at: next }) =>
              next === null ? <span class="muted">none</span> : <Countdown until={next} />,
          },
          { label: 'Ended', cell: ({ completed_at: ended }) => <TimeAgo value={ended} none="not yet" /> },
          {
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
        ]}
        empty={
          <EmptyState title="No webhook">
            When it came, none of the <a href={workspace.href('webhooks')}>webhooks</a> was subscribed to it.
          </EmptyState>
        }
      />
      <LoadMore pages={deliveries} noun={['delivery', 'deliveries']} />
    </Section>
  );
}
