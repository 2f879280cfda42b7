import type { Permission } from '@hubline/contract/constants';
import type { IconName } from '../../components/icons/icon.tsx';

export interface NavigationItem {
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
  /** The letter after `g`. */
  readonly letter: string;
  readonly permission: Permission;
}

/** The pages of the sidebar in their groups, and the letters that go there. The first group has no heading. */
export const navigationGroups: readonly {
  readonly title: string;
  readonly items: readonly NavigationItem[];
}[] = [
  {
    title: '',
    items: [
      { page: 'overview', label: 'Overview', icon: 'overview', letter: 'o', permission: 'view' },
      { page: 'events', label: 'Events', icon: 'events', letter: 'e', permission: 'view' },
      { page: 'deliveries', label: 'Deliveries', icon: 'deliveries', letter: 'd', permission: 'view' },
    ],
  },
  {
    title: 'Connect',
    items: [
      { page: 'integrations', label: 'Integrations', icon: 'integrations', letter: 'i', permission: 'view' },
      { page: 'webhooks', label: 'Webhooks', icon: 'webhooks', letter: 'w', permission: 'view' },
    ],
  },
  {
    title: 'Automate',
    items: [
      { page: 'automations', label: 'Automations', icon: 'automation', letter: 'a', permission: 'view' },
      {
        page: 'notification-rules',
        label: 'Notification rules',
        icon: 'bell',
        letter: 'n',
        permission: 'view',
      },
      { page: 'templates', label: 'Templates', icon: 'code', letter: 't', permission: 'view' },
    ],
  },
  {
    title: 'Workspace',
    items: [
      { page: 'members', label: 'Members', icon: 'members', letter: 'm', permission: 'view' },
      {
        page: 'settings/api-keys',
        label: 'API keys',
        icon: 'key',
        letter: 'k',
        permission: 'manage_api_keys',
      },
      { page: 'audit-log', label: 'Audit log', icon: 'audit', letter: 'l', permission: 'view_audit_log' },
      { page: 'health', label: 'Health', icon: 'server', letter: 'h', permission: 'manage_workspace' },
      { page: 'settings', label: 'Settings', icon: 'settings', letter: 's', permission: 'view' },
    ],
  },
];

/** All of them, without the groups. */
export const navigation: readonly NavigationItem[] = navigationGroups.flatMap(({ items }) => items);

/** The item that a path belongs to. The longest match wins: "settings/api-keys" is not "settings". */
export function currentItem(path: string, href: (page: string) => string): NavigationItem | undefined {
  return navigation
    .filter(({ page }) => path === href(page) || path.startsWith(`${href(page)}/`))
    .toSorted((a, b) => b.page.length - a.page.length)[0];
}
