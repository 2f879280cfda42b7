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
        empty={
          <EmptyState title="Nothing yet" samples={SAMPLES}>
            Notification rules say what comes here. Owners and admins hear of failing webhooks and
            integrations without one.
          </EmptyState>
        }
      />
    </Page>
  );
}

const SAMPLES = {
  'command line': `hubline rule create --file - <<'END'
name: Everything to me
notify_on: [event.created]
destinations: [{ kind: in_app, roles: [owner] }]
END`,
};
