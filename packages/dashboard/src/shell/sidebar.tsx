import type { Session } from '../api/session.ts';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { whoMay } from '../api/permissions.ts';
import { Icon } from '../components/controls/icon.tsx';
import { navigation } from './navigation.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';
import { useWorkspace } from '../session/workspace.ts';

/** On a narrow screen a bar with a button that opens the rest. */
export function Sidebar({ me }: { me: Session }) {
  const open = useSignal(false);
  const { href } = useWorkspace();
  return (
    <header class="sidebar" {...(open.value && { 'data-open': '' })}>
      <div class="sidebar-bar">
        <Brand href={href('overview')} />
        <button
          type="button"
          class="icon-button"
          aria-expanded={open.value}
          aria-controls="navigation"
          aria-label={open.value ? 'Close the navigation' : 'Open the navigation'}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          <Icon name={open.value ? 'close' : 'menu'} />
        </button>
      </div>
      <div class="sidebar-body" id="navigation">
        <Brand href={href('overview')} />
        <WorkspaceSwitcher memberships={me.memberships} />
        <Navigation />
        <div class="sidebar-end">
          <UserMenu email={me.user.email} />
        </div>
      </div>
    </header>
  );
}

function Brand({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <Icon name="brand" /> Hubline
    </a>
  );
}

function Navigation() {
  const { path } = useLocation();
  const { can, href } = useWorkspace();
  // The longest match wins: "settings/api-keys" is not "settings".
  const current = navigation
    .filter(({ page }) => path === href(page) || path.startsWith(`${href(page)}/`))
    .toSorted((a, b) => b.page.length - a.page.length)[0];
  return (
    <nav class="nav" aria-label="Pages">
      {navigation.map(({ page, label, icon, permission }) =>
        can(permission) ? (
          <a key={page} href={href(page)} {...(page === current?.page && { 'aria-current': 'page' })}>
            <Icon name={icon} /> {label}
          </a>
        ) : (
          <span key={page} role="link" aria-disabled="true" title={whoMay(permission)}>
            <Icon name={icon} /> {label} <span class="sr-only">{whoMay(permission)}</span>
          </span>
        ),
      )}
    </nav>
  );
}
