import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLive } from '../../data/live/use-live.ts';

/** The number of unread notifications in the workspace of the page, and how often it has changed. */
export const inbox = signal({ unread: 0, changes: 0 });

/** Follows the notifications of a workspace while the page is visible. */
export function useInbox(workspaceId: string): void {
  useLive((client, from) => client.notifications.stream({ workspace_id: workspaceId }, from), {
    inputs: [workspaceId],
    onItem: ({ unread }) => (inbox.value = { unread, changes: inbox.value.changes + 1 }),
  });
  useEffect(() => () => void (inbox.value = { unread: 0, changes: 0 }), [workspaceId]);
}
