import type { Integration } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { Time } from '../../components/text/time.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';

const SHOWN = 5;

/** The newest events that came through an integration. */
export function IntegrationEvents({ integration: { integration_id } }: { integration: Integration }) {
  const { id, href } = useWorkspace();
  const events = useQuery(
    (signal) => client.events.list(id, { integration_id, omit: 'payload', limit: SHOWN }, { signal }),
    ['events', id, 'of', integration_id],
  );
  return (
    <Section
      title="Recent events"
      actions={
        <a class="link" href={href(`events?integration=${integration_id}`)}>
          All events of this integration
        </a>
      }
    >
      {events.error === undefined ? (
        <Table
          caption="Recent events"
          items={events.data?.data}
          rowKey={({ event_id }) => event_id}
          href={({ event_id }) => href(`events/${event_id}`)}
          columns={[
            {
              label: 'Event type',
              cell: ({ type }) => (
                <span class="mono">
                  <Foreign text={type} />
                </span>
              ),
            },
            {
              label: 'Summary',
              grow: true,
              cell: ({ summary }) => <Foreign text={summary.text ?? summary.subject?.name ?? ''} />,
            },
            { label: 'Received', align: 'end', cell: ({ created_at }) => <Time value={created_at} /> },
          ]}
          empty={<p class="faint">No events yet.</p>}
        />
      ) : (
        <ErrorPanel of={events} />
      )}
    </Section>
  );
}
