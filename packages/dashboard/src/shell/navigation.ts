import type { Permission } from '@hubline/contract/constants';
import type { IconName } from '../components/controls/icon.tsx';

export interface NavigationItem {
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
  /** The letter after `g`. */
  readonly letter: string;
  readonly permission: Permission;
}

/** The pages of the sidebar, and the letters that go there. */
export const navigation: readonly NavigationItem[] = [
  { page: 'overview', label: 'Overview', icon: 'overview', letter: 'o', permission: 'view' },
  { page: 'events', label: 'Events', icon: 'events', letter: 'e', permission: 'view' },
  { page: 'deliveries', label: 'Deliveries', icon: 'deliveries', letter: 'd', permission: 'view' },
  { page: 'webhooks', label: 'Webhooks', icon: 'webhooks', letter: 'w', permission: 'view' },
  { page: 'integrations', label: 'Integrations', icon: 'integrations', letter: 'i', permission: 'view' },
  { page: 'members', label: 'Members', icon: 'members', letter: 'm', permission: 'view' },
  { page: 'settings/api-keys', label: 'API keys', icon: 'key', letter: 'k', permission: 'manage_api_keys' },
  { page: 'audit-log', label: 'Audit log', icon: 'audit', letter: 'l', permission: 'view_audit_log' },
  { page: 'settings', label: 'Settings', icon: 'settings', letter: 's', permission: 'view' },
];
