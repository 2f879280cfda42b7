import type { Session } from '../../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { Icon } from '../../components/icons/icon.tsx';
import { Logo } from '../../components/icons/logo.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { Bell } from './bell.tsx';
import { currentItem, navigation } from './navigation.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

interface NarrowBarProps {
  readonly me: Session;
  readonly open: boolean;
  readonly onOpen: () => void;
  readonly onSearch: () => void;
}

/** The top of a narrow screen: the workspace, and the button that opens the navigation. */
export function NarrowBar({ me, open, onOpen, onSearch }: NarrowBarProps) {
  return (
    <div class="bar only-narrow">
      <Logo />
      <WorkspaceSwitcher memberships={me.memberships} />
      <span class="grow" />
      <Bell narrow />
      <button type="button" class="btn icon quiet" aria-label="Search or jump to" onClick={onSearch}>
        <Icon name="search" />
      </button>
      <button
        type="button"
        class="btn icon quiet"
        aria-expanded={open}
        aria-controls="navigation"
        aria-label="Open the navigation"
        onClick={onOpen}
      >
        <Icon name="menu" />
      </button>
    </div>
  );
}

/** The pages of the bottom bar, within reach of a thumb. */
const NEAR: readonly string[] = ['overview', 'events', 'deliveries', 'webhooks', 'integrations'];

export function BottomBar() {
  const { path } = useLocation();
  const { href } = useWorkspace();
  const current = currentItem(path, href);
  return (
    <nav class="bottom" aria-label="Main pages">
      {navigation
        .filter(({ page }) => NEAR.includes(page))
        .map(({ page, label, icon }) => (
          <a key={page} href={href(page)} aria-current={page === current?.page ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
    </nav>
  );
}
