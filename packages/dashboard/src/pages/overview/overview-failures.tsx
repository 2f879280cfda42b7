import type { Webhook } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { useRefreshed } from '../../data/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { LastResult } from '../deliveries/last-result.tsx';
import { hostOf } from '../webhooks/webhook-state.tsx';

const SHOWN = 5;
const REFRESH_MS = 15_000;

/** The deliveries that failed last, if any did. */
export function OverviewFailures({ webhooks }: { webhooks: readonly Webhook[] | undefined }) {
  const workspace = useWorkspace();
  const failed = useRefreshed(
    (signal) => client.deliveries.list(workspace.id, { status: 'failed', limit: SHOWN }, { signal }),
    [workspace.id],
    { everyMs: REFRESH_MS },
  );
  if (failed.error !== undefined) return <ErrorPanel error={failed.error} retry={failed.reload} />;
  if (!failed.data?.data.length) return null;
  return (
    <Section
      title="Latest failed deliveries"
      actions={<a href={workspace.href('deliveries?status=failed')}>All failed deliveries</a>}
    >
      <Table
        caption="Latest failed deliveries"
        items={failed.data.data}
        rowKey={({ id }) => id}
        href={({ id }) => workspace.href(`deliveries/${id}`)}
        columns={[
          {
            label: 'Event',
            cell: ({ event_name, event_type }) => <span class="mono">{event_name ?? event_type}</span>,
          },
          { label: 'Last attempt', cell: (delivery) => <LastResult delivery={delivery} /> },
          {
            label: 'Webhook',
            grow: true,
            cell: ({ webhook_id: id }) => {
              const webhook = webhooks?.find((each) => each.id === id);
              if (!webhook) return <span class="mono">{id}</span>;
              return (
                <a href={workspace.href(`webhooks/${id}`)} title={webhook.url}>
                  {hostOf(webhook.url)}
                </a>
              );
            },
          },
          { label: 'Attempts', align: 'end', cell: ({ attempt_count }) => attempt_count },
          {
            label: 'Failed',
            align: 'end',
            cell: ({ completed_at, created_at }) => <TimeAgo value={completed_at ?? created_at} />,
          },
        ]}
        empty={null}
      />
    </Section>
  );
}
