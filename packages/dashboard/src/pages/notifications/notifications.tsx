import { EmptyState } from '../../components/page/empty-state.tsx';
import { Page } from '../../components/page/page.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { NotificationList } from './notification-list.tsx';

export function NotificationsPage() {
  const { href } = useWorkspace();
  return (
    <Page
      title="Notifications"
      actions={
        <a class="btn" href={href('notification-rules')}>
          Notification rules
        </a>
      }
    >
      <NotificationList
        empty={<EmptyState title="Nothing yet">Notification rules decide what appears here.</EmptyState>}
      />
    </Page>
  );
}
