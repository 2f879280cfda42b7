import type { Webhook } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { Status } from '../../components/text/status.tsx';
import { Table } from '../../components/page/table.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { useRefreshed } from '../../data/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';

const SHOWN = 8;
const REFRESH_MS = 10_000;

/** Its latest deliveries, and the way to all of them. `round` changes when there should be new ones. */
export function WebhookDeliveries({ webhook: { id, status }, round }: { webhook: Webhook; round: number }) {
  const workspace = useWorkspace();
  const deliveries = useRefreshed(
    (signal) => client.deliveries.listForWebhook(id, { limit: SHOWN }, { signal }),
    [id, status, round],
    { everyMs: REFRESH_MS },
  );
  return (
    <Section
      title="Latest deliveries"
      actions={<a href={workspace.href(`deliveries?webhook=${id}`)}>All deliveries</a>}
    >
      {deliveries.error !== undefined && <ErrorPanel error={deliveries.error} retry={deliveries.reload} />}
      <Table
        caption="Latest deliveries"
        items={deliveries.data?.data}
        rowKey={(delivery) => delivery.id}
        href={(delivery) => workspace.href(`deliveries/${delivery.id}`)}
        columns={[
          { label: 'Type', cell: ({ event_type }) => <span class="mono">{event_type}</span> },
          { label: 'Status', cell: (delivery) => <Status status={delivery.status} /> },
          { label: 'Cause', cell: ({ trigger }) => trigger },
          { label: 'Attempts', cell: ({ attempt_count }) => attempt_count, align: 'end' },
          {
            label: 'Next attempt',
            cell: ({ next_attempt_at }) => <TimeAgo value={next_attempt_at} none="none" />,
          },
          { label: 'Created', cell: ({ created_at }) => <TimeAgo value={created_at} /> },
        ]}
        empty={
          <p class="faint">Nothing has been sent yet. A test event shows whether the receiver answers.</p>
        }
      />
    </Section>
  );
}
