import type { ListedEvent } from '@hubline/sdk';
import { useLocation } from 'preact-iso/router';
import { useMemo } from 'preact/hooks';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { formatClock } from '../../components/text/time.tsx';
import { formatAbsolute } from '../../components/text/time-ago.tsx';
import { DeliveryTrack } from './delivery-track.tsx';
import { hasModifier } from '../../shell/shortcuts.ts';
import { EventLine } from './event-cells.tsx';

interface EventRowProps {
  readonly event: ListedEvent;
  readonly href: string;
  /** True for the event in the panel. */
  readonly current: boolean;
  /** True if the minute differs from that of the row above. */
  readonly bright: boolean;
  /** True for a moment after the event has arrived. */
  readonly fresh: boolean;
  /** True while a panel is open: a click changes the event in it. */
  readonly inPanel: boolean;
}

/** A row of the timeline. It is drawn again only when one of its properties changes: in a flood, hundreds of rows come above it. */
export function EventRow({ event, href, current, bright, fresh, inPanel }: EventRowProps) {
  const { route } = useLocation();
  return useMemo(() => {
    const clock = formatClock(new Date(event.created_at));
    const minute = clock.slice(0, 5);
    return (
      <div class="ev-row" role="listitem">
        <a
          class={fresh ? 'ev new' : 'ev'}
          href={href}
          aria-current={current ? 'true' : undefined}
          onClick={(click) => {
            // Replaces the address, because a panel is not a page: Back leaves the list.
            if (!inPanel || hasModifier(click)) return;
            click.preventDefault();
            route(href, true);
          }}
        >
          <time dateTime={event.created_at} title={formatAbsolute(event.created_at)}>
            {bright ? <b>{minute}</b> : <span>{minute}</span>}
            <span>:</span>
            {clock.slice(6)}
          </time>
          <ProviderIcon provider={event.source} size="bare" label={event.source} />
          <span class="type clip">
            <Foreign text={event.type} />
          </span>
          <span class="sum clip">
            <EventLine event={event} />
          </span>
          <DeliveryTrack counts={event.deliveries} />
        </a>
      </div>
    );
  }, [event, href, current, bright, fresh, inPanel]);
}
