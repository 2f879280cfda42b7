import type { Event } from '@hubline/sdk';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { CodeSnippet } from '../../components/text/code-snippet.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { ExternalLink } from '../../components/text/external-link.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Id } from '../../components/text/id.tsx';
import { JsonViewer } from '../../components/text/json-viewer.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { Page } from '../../components/page/page.tsx';
import { Section } from '../../components/page/section.tsx';
import { Status, type Tone } from '../../components/text/status.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { useQuery } from '../../data/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EventDeliveries } from './event-deliveries.tsx';
import { EventRelated } from './event-related.tsx';

const SEVERITIES: Readonly<Record<string, Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'info',
};

export function EventPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery((signal) => client.events.get(workspace.id, id, { signal }), [workspace.id, id]);
  const event = query.data;
  return (
    <Page title={event?.type ?? 'Event'}>
      {query.error !== undefined && <ErrorPanel error={query.error} retry={query.reload} />}
      {query.error === undefined && !event && <Loading />}
      {event && (
        <>
          <KeyValue rows={factsOf(event, workspace.href)} />
          <EventDeliveries eventId={event.event_id} />
          <Section title="Payload">
            <JsonViewer text={JSON.stringify(event.payload)} label="Payload of the event" />
          </Section>
          <EventRelated event={event} />
          <Section title="Read it from a program">
            <CodeSnippet samples={samplesOf(event, workspace.slug)} />
          </Section>
        </>
      )}
    </Page>
  );
}

type Row = Parameters<typeof KeyValue>[0]['rows'][number];

/** The known facts; what the provider did not say is left out. */
function factsOf(event: Event, href: (page: string) => string): readonly Row[] {
  const { actor, subject, container, severity, action, occurred_at } = event.summary;
  const rows: (Row | false)[] = [
    ['Event', <Id value={event.event_id} />],
    ['Received', <TimeAgo value={event.created_at} />],
    occurred_at !== null && ['Occurred', <TimeAgo value={occurred_at} />],
    [
      'Source',
      event.integration_id === null ? (
        <>
          <Foreign text={event.source} /> <span class="faint">(published by the API)</span>
        </>
      ) : (
        <a href={href(`integrations/${event.integration_id}`)}>
          <Foreign text={event.source} />
        </a>
      ),
    ],
    action !== null && ['Action', <Foreign text={action} />],
    actor !== null && ['Actor', <Foreign text={actor.name ?? actor.id ?? 'unknown'} />],
    subject !== null && ['Subject', <Entity entity={subject} />],
    container !== null && ['In', <Entity entity={container} />],
    severity !== 'none' && [
      'Severity',
      <Status status={severity} tone={SEVERITIES[severity] ?? 'neutral'} />,
    ],
  ];
  return rows.filter((row) => row !== false);
}

function Entity({ entity }: { entity: NonNullable<Event['summary']['subject']> }) {
  const { kind, id, name, url } = entity;
  return (
    <>
      <ExternalLink href={url}>
        <Foreign text={name ?? id ?? url ?? 'unknown'} />
      </ExternalLink>
      {kind !== null && <span class="faint"> {kind.replaceAll('_', ' ')}</span>}
    </>
  );
}

function samplesOf({ event_id: id, workspace_id: workspaceId }: Event, slug: string) {
  return {
    curl: `curl ${location.origin}/v1/workspaces/${workspaceId}/events/${id} \\
  -H "Authorization: Bearer $HUBLINE_API_KEY"`,
    TypeScript: `import { Hubline } from '@hubline/sdk';

const client = new Hubline();
const event = await client.events.get('${workspaceId}', '${id}');`,
    CLI: `hubline event get ${id} --workspace ${slug}`,
  };
}
