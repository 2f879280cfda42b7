import type { Notification } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Mark, type MarkName } from '../../components/icons/mark.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { toastError } from '../../components/dialogs/toast.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Time } from '../../components/text/time.tsx';
import { cache } from '../../data/queries/query-cache.ts';
import { usePages } from '../../data/queries/use-pages.ts';
import { inbox } from '../../shell/navigation/inbox.ts';
import { useWorkspace } from '../../session/workspace.ts';

const MARKS: Readonly<Record<string, MarkName>> = {
  critical: 'fail',
  high: 'fail',
  medium: 'warn',
  low: 'ok',
};

const PAGES: Readonly<Record<string, string>> = { whk: 'webhooks', int: 'integrations', aut: 'automations' };

/** The page of the thing that a notification is about. */
function placeOf({ event_id: event, resource_id: id }: Notification): string | undefined {
  if (event !== null) return `events/${event}`;
  const page = PAGES[id?.slice(0, 3) ?? ''];
  return page && `${page}/${id}`;
}

/** The notifications of a person in this workspace, newest first; new ones appear by themselves. */
export function NotificationList({ empty }: { empty: preact.ComponentChildren }) {
  const workspace = useWorkspace();
  const unread = useSignal(false);
  const list = usePages(
    (signal) =>
      client.notifications.list(
        { workspace_id: workspace.id, limit: 30, ...(unread.value && { unread: 'true' as const }) },
        { signal },
      ),
    ['notifications', workspace.id, unread.value],
  );
  const { changes } = inbox.value;
  const seen = useRef(changes);
  useEffect(() => {
    // All loaded pages: one who has scrolled to older notifications stays there.
    if (seen.current !== changes) cache.invalidate('notifications');
    seen.current = changes;
  }, [changes]);

  async function read(notification?: Notification): Promise<void> {
    try {
      if (notification)
        await client.notifications.update(notification.id, { read: notification.read_at === null });
      else await client.notifications.readAll({ workspace_id: workspace.id });
    } catch (error) {
      toastError(error);
    }
  }
  return (
    <>
      <div class="section-head inbox-head">
        <span class="grow faint num">{inbox.value.unread > 0 && `${inbox.value.unread} new`}</span>
        <div class="seg xs" role="group" aria-label="Show">
          <button type="button" aria-pressed={!unread.value} onClick={() => (unread.value = false)}>
            All
          </button>
          <button type="button" aria-pressed={unread.value} onClick={() => (unread.value = true)}>
            New
          </button>
        </div>
        <Button
          kind="quiet"
          size="small"
          icon="check"
          disabled={inbox.value.unread === 0}
          onClick={() => void read()}
        >
          Mark all read
        </Button>
      </div>
      {list.items?.length === 0 && (unread.value ? <p class="faint pad">Nothing new.</p> : empty)}
      <ul>
        {list.items?.map((each) => {
          const isNew = each.read_at === null;
          const title = <Foreign text={each.title} />;
          const place = placeOf(each);
          return (
            <li key={each.id} class={isNew ? 'bit-n new' : 'bit-n'}>
              <Mark name={MARKS[each.severity] ?? 'off'} />
              <span class="grow">
                {place === undefined ? (
                  <b>{title}</b>
                ) : (
                  <a
                    class="strong"
                    href={workspace.href(place)}
                    onClick={() => {
                      if (isNew) void read(each);
                    }}
                  >
                    <b>{title}</b>
                  </a>
                )}
                <span class="d">
                  <Foreign text={each.text} />
                </span>
              </span>
              <span class="when">
                <Time value={each.created_at} />
                <button type="button" class="link small" onClick={() => void read(each)}>
                  {isNew ? 'Mark read' : 'Mark unread'}
                  <span class="sr"> {each.title}</span>
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      <LoadMore pages={list} />
    </>
  );
}
