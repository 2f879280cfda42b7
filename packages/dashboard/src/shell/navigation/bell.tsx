import { useLocation } from 'preact-iso/router';
import { Popover } from '../../components/controls/popover.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { loadPages } from '../../pages/load-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { inbox } from './inbox.ts';
import { lazyPage } from '../lazy-page.tsx';

const Panel = lazyPage(async () => (await loadPages()).InboxPanel);

/** A bell with the number of unread notifications. A wide screen shows them below the bell, a narrow one on their own page. */
export function Bell({ narrow = false }: { narrow?: boolean }) {
  const { path } = useLocation();
  const { href } = useWorkspace();
  const { unread } = inbox.value;
  const name = unread > 0 ? `Notifications, ${unread} new` : 'Notifications';
  const label = (
    <>
      <Icon name="bell" />
      {unread > 0 && <span>{unread > 99 ? '99+' : unread}</span>}
    </>
  );
  if (narrow)
    return (
      <a class="bell" href={href('notifications')} aria-label={name}>
        {label}
      </a>
    );
  return (
    // The key closes it when another page opens.
    <Popover key={path} class="bell" role="dialog" name={name} label={label}>
      {() => <Panel />}
    </Popover>
  );
}
