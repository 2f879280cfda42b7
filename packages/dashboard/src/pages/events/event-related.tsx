import type { ListedEvent } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Foreign } from '../../components/text/foreign.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { useQuery } from '../../data/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EventLine } from './event-cells.tsx';

const NEAR_MS = 3_600_000;
const LOOKED_AT = 30;
const SHOWN = 6;

/** Events about the same thing, or of the same type, around the same time; nothing where there are none. */
export function EventRelated({ event }: { event: ListedEvent }) {
  const workspace = useWorkspace();
  const { data } = useQuery((signal) => readRelated(event, signal), [event.event_id]);
  if (!data?.length) return null;
  return (
    <Section title="Around the same time">
      <Table
        caption="Related events"
        items={data}
        rowKey={({ event_id }) => event_id}
        href={({ event_id }) => workspace.href(`events/${event_id}`)}
        columns={[
          { label: 'Event type', cell: ({ type }) => <Foreign text={type} /> },
          { label: 'Timestamp', cell: ({ created_at }) => <TimeAgo value={created_at} /> },
          { label: 'Why', cell: (other) => (isSameSubject(event, other) ? 'same subject' : 'same type') },
          { label: 'Payload summary', grow: true, cell: (other) => <EventLine event={other} /> },
        ]}
        empty={null}
      />
    </Section>
  );
}

async function readRelated(event: ListedEvent, signal: AbortSignal): Promise<readonly ListedEvent[]> {
  const { workspace_id: workspaceId, source, created_at: at } = event;
  const hourLater = new Date(Date.parse(at) + NEAR_MS).toISOString();
  const list = (range: { since?: string; until: string }) =>
    client.events.list(workspaceId, { source, ...range, limit: LOOKED_AT }, { signal });
  const [before, after] = await Promise.all([list({ until: at }), list({ since: at, until: hourLater })]);
  const others = [...after.data, ...before.data].filter(
    (other) =>
      other.event_id !== event.event_id && (isSameSubject(event, other) || other.type === event.type),
  );
  const distance = (other: ListedEvent): number => Math.abs(Date.parse(other.created_at) - Date.parse(at));
  return others
    .toSorted(
      (a, b) =>
        Number(isSameSubject(event, b)) - Number(isSameSubject(event, a)) || distance(a) - distance(b),
    )
    .slice(0, SHOWN)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
}

function isSameSubject(
  { summary: { subject } }: ListedEvent,
  { summary: { subject: other } }: ListedEvent,
): boolean {
  return subject?.id != null && subject.id === other?.id && subject.kind === other.kind;
}
