import type { Event } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { commandSample } from '../../components/code/command-samples.ts';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { ExternalLink } from '../../components/text/external-link.tsx';
import { Face } from '../../components/text/face.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { JsonViewer } from '../../components/code/json-viewer.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { shellSamples } from '../../components/code/shell-samples.ts';
import { Status, statusWord, type Tone } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { EventDeliveries } from './event-deliveries.tsx';
import { EventRelated } from './event-related.tsx';
import type { ReadEvent } from './read-event.ts';

const SEVERITIES: Readonly<Record<string, Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'info',
};

const VIEWS = { payload: 'Payload', related: 'Related', code: 'Code' } as const;

/** Everything about one event: in the panel beside the list, and on its own page. */
export function EventContent({ read: { event, payload } }: { read: ReadEvent }) {
  const workspace = useWorkspace();
  const view = useSignal<string>('payload');
  const { text, actor } = event.summary;
  const who = actor?.name ?? actor?.id;
  const tabs = <Tabs label="View" tabs={VIEWS} value={view.value} onChange={(next) => (view.value = next)} />;
  return (
    <>
      {(text !== null || who != null) && (
        <div>
          {text !== null && (
            <h2 class="lead">
              <Foreign text={text} />
            </h2>
          )}
          {who != null && (
            <p class="by">
              <Face name={who} small />
              <span>
                <b>
                  <Foreign text={who} />
                </b>
                {event.summary.container && (
                  <>
                    {' in '}
                    <Entity entity={event.summary.container} />
                  </>
                )}
              </span>
            </p>
          )}
        </div>
      )}
      <Facts event={event} />
      <EventDeliveries eventId={event.event_id} />
      {view.value === 'payload' && <JsonViewer text={payload} label="Payload of the event" bar={tabs} />}
      {view.value !== 'payload' && (
        <div class="stack" data-gap="s">
          {tabs}
          {view.value === 'related' ? (
            <EventRelated event={event} />
          ) : (
            <CodeSnippet samples={samplesOf(event, workspace.slug)} />
          )}
        </div>
      )}
    </>
  );
}

/** The known facts; what the provider did not say is left out. */
function Facts({ event }: { event: Event }) {
  const { href } = useWorkspace();
  const { subject, severity, action, occurred_at } = event.summary;
  return (
    <dl class="facts one">
      <dt>Received</dt>
      <dd>
        <Time value={event.created_at} />
      </dd>
      {occurred_at !== null && occurred_at !== event.created_at && (
        <>
          <dt>Occurred</dt>
          <dd>
            <Time value={occurred_at} />
          </dd>
        </>
      )}
      <dt>Source</dt>
      <dd>
        {event.integration_id === null ? (
          <>
            <Foreign text={event.source} /> <span class="faint">published through the API</span>
          </>
        ) : (
          <a class="link" href={href(`integrations/${event.integration_id}`)}>
            <Foreign text={event.source} />
          </a>
        )}
      </dd>
      {action !== null && (
        <>
          <dt>Action</dt>
          <dd>
            <Foreign text={action} />
          </dd>
        </>
      )}
      {subject !== null && (
        <>
          <dt>Subject</dt>
          <dd>
            <Entity entity={subject} />
          </dd>
        </>
      )}
      {severity !== 'none' && (
        <>
          <dt>Severity</dt>
          <dd>
            <Status status={severity} tone={SEVERITIES[severity] ?? 'neutral'} label={statusWord(severity)} />
          </dd>
        </>
      )}
    </dl>
  );
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
    ...shellSamples({ url: `${location.origin}/v1/workspaces/${workspaceId}/events/${id}` }),
    TypeScript: `import { Hubline } from '@hubline/sdk';

const client = new Hubline({ baseURL: '${location.origin}/v1' });
const event = await client.events.get('${workspaceId}', '${id}');`,
    ...commandSample(slug, `event get ${id}`),
  };
}
