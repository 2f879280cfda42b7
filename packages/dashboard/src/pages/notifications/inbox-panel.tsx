import { useWorkspace } from '../../session/workspace.ts';
import { NotificationList } from './notification-list.tsx';

/** The notifications below the bell. */
export function InboxPanel() {
  const { href } = useWorkspace();
  return (
    <section class="inbox" aria-label="Notifications">
      <div class="scroll" tabIndex={-1}>
        <NotificationList
          empty={<p class="faint pad">Nothing yet. Notification rules decide what appears here.</p>}
        />
      </div>
      <div class="pop-foot">
        <a class="link" href={href('notifications')}>
          All notifications
        </a>
        <a class="btn s quiet" href={href('notification-rules')}>
          Notification rules
        </a>
      </div>
    </section>
  );
}
