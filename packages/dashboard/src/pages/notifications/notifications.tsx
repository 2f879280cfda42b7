import { EmptyState } from '../../components/page/empty-state.tsx';
import { Page } from '../../components/page/page.tsx';
import { commandSample } from '../../components/text/command-samples.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { NotificationList } from './notification-list.tsx';

export function NotificationsPage() {
  const { href, slug } = useWorkspace();
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
          <EmptyState title="Nothing yet" samples={commandSample(slug, 'rule create', SAMPLE)}>
            Notification rules say what comes here. Owners and admins hear of failing webhooks and
            integrations without one.
          </EmptyState>
        }
      />
    </Page>
  );
}

const SAMPLE = `name: Everything to me
notify_on: [event.created]
destinations: [{ kind: in_app, roles: [owner] }]`;
