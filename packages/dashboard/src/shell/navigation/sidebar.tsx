import type { Session } from '../../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { whoMay } from '../../api/permissions.ts';
import { Icon } from '../../components/icons/icon.tsx';
import { Logo } from '../../components/icons/logo.tsx';
import { IconButton } from '../../components/controls/icon-button.tsx';
import { currentItem, navigationGroups } from './navigation.ts';
import { PALETTE_KEYS } from '../palette/use-palette-key.ts';
import { Bell } from './bell.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';
import { useWorkspace } from '../../session/workspace.ts';

interface SidebarProps {
  readonly me: Session;
  /** True if it covers a narrow screen. */
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSearch: () => void;
}

/** The navigation, on the canvas beside the page. A narrow screen shows it on request. */
export function Sidebar({ me, open, onClose, onSearch }: SidebarProps) {
  const { href } = useWorkspace();
  return (
    <header class="side" id="navigation" data-open={open ? '' : undefined}>
      <div class="brand-row">
        <a class="brand" href={href('overview')}>
          <Logo /> Hubline
        </a>
        {open ? <IconButton icon="x" label="Close the navigation" onClick={onClose} /> : <Bell />}
      </div>
      <WorkspaceSwitcher memberships={me.memberships} />
      <button type="button" class="jump" onClick={onSearch}>
        <Icon name="search" size="s" />
        <span>Search or jump to</span>
        <kbd>{PALETTE_KEYS}</kbd>
      </button>
      <Navigation />
      <div class="side-end">
        <UserMenu email={me.user.email} />
      </div>
    </header>
  );
}

function Navigation() {
  const { path } = useLocation();
  const { can, href } = useWorkspace();
  const current = currentItem(path, href);
  return (
    <nav aria-label="Pages">
      {navigationGroups.map(({ title, items }) => (
        <div key={title} class="nav">
          {title && <p class="nav-head">{title}</p>}
          {items.map(({ page, label, icon, permission }) =>
            can(permission) ? (
              <a key={page} href={href(page)} aria-current={page === current?.page ? 'page' : undefined}>
                <Icon name={icon} /> {label}
              </a>
            ) : (
              <span key={page} role="link" aria-disabled="true" title={whoMay(permission)}>
                <Icon name={icon} /> {label} <span class="sr">{whoMay(permission)}</span>
              </span>
            ),
          )}
        </div>
      ))}
    </nav>
  );
}
