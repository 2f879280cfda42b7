import { client } from '../../api/client.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { usePages } from '../../data/use-pages.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { isUnderWay } from '../deliveries/delivery-statuses.ts';
import { refreshDeliveries } from '../deliveries/refresh-deliveries.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

const POLL_MS = 2_000;

/** The deliveries of an event, by webhook, with their states. */
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
  const columns = deliveryColumns(deliveries, webhooks);
  return (
    <Section title="Deliveries">
      <Table
        caption="Deliveries of this event"
        items={deliveries.items}
        rowKey={({ id }) => id}
        href={({ id }) => workspace.href(`deliveries/${id}`)}
        columns={[
          columns.status,
          columns.webhook,
          columns.attempts,
          columns.nextAttempt,
          columns.ended,
          columns.retry,
        ]}
        empty={
          <EmptyState title="No webhook">
            No <a href={workspace.href('webhooks')}>webhook</a> was subscribed to this event when it came.
          </EmptyState>
        }
      />
      <LoadMore pages={deliveries} noun={['delivery', 'deliveries']} />
    </Section>
  );
}
