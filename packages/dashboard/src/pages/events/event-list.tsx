import type { ListedEvent } from '@hubline/sdk';
import { Fragment } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useRef } from 'preact/hooks';
import { formatDay } from '../../components/text/time.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { EventRow } from './event-row.tsx';

interface EventListProps {
  /** `undefined` while the first ones load. */
  readonly items: readonly ListedEvent[] | undefined;
  /** The event in the panel. */
  readonly selected: string | undefined;
  readonly hrefOf: (eventId: string) => string;
  readonly fresh: (event: ListedEvent) => boolean;
}

const SKELETONS = Array.from({ length: 12 }, (_, row) => row);

/**
 * Events as a timeline: the minute is bright where it changes, and each day except today has its own line. `j` and `k` move through
 * it.
 */
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
        return (
          <Fragment key={event.event_id}>
            {(before ?? new Date()).toDateString() !== at.toDateString() && (
              <div class="day" role="presentation">
                {formatDay(at)}
              </div>
            )}
            <EventRow
              event={event}
              href={hrefOf(event.event_id)}
              current={event.event_id === selected}
              bright={before === undefined || minuteOf(before) !== minuteOf(at)}
              fresh={fresh(event)}
              inPanel={selected !== undefined}
            />
          </Fragment>
        );
      })}
    </div>
  );
}

/** The minute of a time, in any time zone: they differ from UTC by whole minutes. */
const minuteOf = (at: Date): number => Math.floor(at.getTime() / 60_000);
