import { useSignal } from '@preact/signals';
import { Button } from '../../components/controls/button.tsx';
import { IconButton } from '../../components/controls/icon-button.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EventContent } from './event-content.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { readEvent } from './read-event.ts';
import { QueryState } from '../../components/page/loading.tsx';

interface EventPanelProps {
  readonly id: string;
  /** The neighbors in the list. */
  readonly newer: (() => void) | undefined;
  readonly older: (() => void) | undefined;
  readonly onClose: () => void;
}

/** An event beside the live list, which stays in view. */
export function EventPanel({ id, newer, older, onClose }: EventPanelProps) {
  const workspace = useWorkspace();
  const query = useQuery((signal) => readEvent(workspace.id, id, signal), ['events', workspace.id, id]);
  const publishing = useSignal(false);
  useShortcuts({ Escape: onClose });
  const event = query.data?.event;
  return (
    <aside class="panel" aria-label="Event">
      <div class="panel-head">
        {event && <ProviderIcon provider={event.source} size="m" label={event.source} />}
        <div class="grow">
          <div class="t clip">{event ? <Foreign text={event.type} /> : 'Event'}</div>
          <div class="id">
            <span class="clip">{id}</span>
            <CopyButton text={id} label="Copy the event ID" />
          </div>
        </div>
        <div class="btn-group only-wide">
          <IconButton
            kind="framed"
            icon="up"
            label="Newer event (k)"
            disabled={!newer}
            onClick={() => newer?.()}
          />
          <IconButton
            kind="framed"
            icon="down"
            label="Older event (j)"
            disabled={!older}
            onClick={() => older?.()}
          />
        </div>
        <a
          class="btn icon s quiet"
          href={workspace.href(`events/${id}`)}
          aria-label="Open as a page"
          title="Open as a page"
        >
          <Icon name="expand" size="s" />
        </a>
        <IconButton icon="x" label="Close the panel" onClick={onClose} />
      </div>
      <div class="scroll" tabIndex={-1}>
        <div class="panel-body">
          <QueryState of={query} />
          {query.data && (
            <>
              <EventContent key={id} read={query.data} />
              <div class="line">
                <Button
                  icon="retry"
                  size="small"
                  blocked={workspace.refusal('publish_events')}
                  onClick={() => (publishing.value = true)}
                >
                  Publish again
                </Button>
              </div>
              <PublishDialog
                open={publishing.value}
                from={query.data}
                onClose={() => (publishing.value = false)}
              />
            </>
          )}
        </div>
      </div>
    </aside>
  );
}
