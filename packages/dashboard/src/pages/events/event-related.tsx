import type { ListedEvent } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Time } from '../../components/text/time.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EventLine } from './event-cells.tsx';
import { QueryState } from '../../components/page/loading.tsx';

const NEAR_MS = 3_600_000;
const LOOKED_AT = 30;
const SHOWN = 6;

/** Events about the same thing, or of the same type, around the same time. */
export function EventRelated({ event }: { event: ListedEvent }) {
  const workspace = useWorkspace();
  const related = useQuery(
    (signal) => readRelated(event, signal),
    ['events', event.workspace_id, event.event_id, 'related'],
  );
  const { data } = related;
  if (related.error !== undefined || data === undefined) return <QueryState of={related} rows={3} />;
  if (data.length === 0) return <p class="faint">No related events within an hour.</p>;
  return (
    <div class="rows" role="group" aria-label="Related events">
      {data.map((other) => (
        <a key={other.event_id} href={workspace.href(`events/${other.event_id}`)}>
          <ProviderIcon provider={other.source} size="bare" label={other.source} />
          <span class="mono">{other.type}</span>
          <span class="clip grow">
            <EventLine event={other} />
          </span>
          <span class="r-end">
            {isSameSubject(event, other) ? 'same subject' : 'same type'}
            <Time value={other.created_at} />
          </span>
        </a>
      ))}
    </div>
  );
}

async function readRelated(event: ListedEvent, signal: AbortSignal): Promise<readonly ListedEvent[]> {
  const { workspace_id: workspaceId, source, created_at: at } = event;
  const hourLater = new Date(Date.parse(at) + NEAR_MS).toISOString();
  const list = (range: { since?: string; until: string }) =>
    client.events.list(workspaceId, { source, ...range, omit: 'payload', limit: LOOKED_AT }, { signal });
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
