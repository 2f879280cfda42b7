import type { ListedEvent } from '@hubline/sdk';
import { Fragment } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useRef } from 'preact/hooks';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { formatClock, formatDay } from '../../components/text/time.tsx';
import { formatAbsolute } from '../../components/text/time-ago.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { DeliveryTrack } from './delivery-track.tsx';
import { EventLine } from './event-cells.tsx';

interface EventListProps {
  /** `undefined` while the first ones load. */
  readonly items: readonly ListedEvent[] | undefined;
  /** The event in the panel. */
  readonly selected: string | undefined;
  readonly hrefOf: (eventId: string) => string;
  readonly fresh: (event: ListedEvent) => boolean;
}

const SKELETONS = Array.from({ length: 12 }, (_, row) => row);

/** Events as a timeline: the minute is bright where it changes, a day has a line of its own. `j` and `k` walk through it. */
export function EventList({ items, selected, hrefOf, fresh }: EventListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { route } = useLocation();
  function move(step: 1 | -1): void {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.ev') ?? [])];
    const focused = links.findIndex((link) => link === document.activeElement);
    const at = focused === -1 ? links.findIndex((link) => link.hasAttribute('aria-current')) : focused;
    const next = links[at === -1 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
    next?.focus();
    // With an open panel the next event opens at once.
    if (selected !== undefined && next) route(next.getAttribute('href') ?? '', true);
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return (
    <div ref={list} role="list" aria-label="Events" aria-busy={items === undefined}>
      {items === undefined &&
        SKELETONS.map((row) => (
          <div key={row} class="ev" role="listitem">
            <span class="skel w1" />
            <span />
            <span class="skel w2" />
            <span class="skel w4" />
            <span class="skel w1" />
          </div>
        ))}
      {items?.map((event, index) => {
        const at = new Date(event.created_at);
        const above = items[index - 1];
        const before = above && new Date(above.created_at);
        const newDay = before !== undefined && before.toDateString() !== at.toDateString();
        const minute = formatClock(at).slice(0, 5);
        const changes = before === undefined || formatClock(before).slice(0, 5) !== minute;
        return (
          <Fragment key={event.event_id}>
            {newDay && (
              <div class="day" role="presentation">
                {formatDay(at)}
              </div>
            )}
            <div role="listitem">
              <a
                class={fresh(event) ? 'ev new' : 'ev'}
                href={hrefOf(event.event_id)}
                {...(event.event_id === selected && { 'aria-current': 'true' as const })}
                onClick={(click) => {
                  // A panel is no page: Back leaves the list.
                  if (selected === undefined || isOwnClickOf(click)) return;
                  click.preventDefault();
                  route(hrefOf(event.event_id), true);
                }}
              >
                <time dateTime={event.created_at} title={formatAbsolute(event.created_at)}>
                  {changes ? <b>{minute}</b> : <span>{minute}</span>}
                  <span>:</span>
                  {formatClock(at).slice(6)}
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
          </Fragment>
        );
      })}
    </div>
  );
}

/** Combinations of keys are the browser's. */
const isOwnClickOf = (click: MouseEvent): boolean =>
  click.ctrlKey || click.metaKey || click.shiftKey || click.altKey;
