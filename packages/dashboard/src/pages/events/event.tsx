import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import { Button } from '../../components/controls/button.tsx';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { Id } from '../../components/text/id.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EventContent } from './event-content.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { readEvent } from './read-event.ts';

/** One event on its own page, for links. */
export function EventPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery((signal) => readEvent(workspace.id, id, signal), ['events', workspace.id, id]);
  const publishing = useSignal(false);
  const read = query.data;
  return (
    <Page
      title={read?.event.type ?? 'Event'}
      parent={{ label: 'Events', href: workspace.href('events') }}
      mark={read && <ProviderIcon provider={read.event.source} size="m" label={read.event.source} />}
      meta={read && <Id value={read.event.event_id} />}
      actions={
        read && (
          <Button
            icon="retry"
            blocked={workspace.refusal('publish_events')}
            onClick={() => (publishing.value = true)}
          >
            Publish again
          </Button>
        )
      }
    >
      <QueryState of={query} />
      {read && <EventContent read={read} />}
      <PublishDialog open={publishing.value} from={read} onClose={() => (publishing.value = false)} />
    </Page>
  );
}
