import type { Permission, PERMISSIONS } from '@hubline/contract';

/**
 * The permissions of each role, to show only controls that work. A copy, since the contract's module brings zod along; its type is
 * the contract's own, value by value, so that a copy that differs does not compile. The server decides.
 */
const permissions: { readonly [Name in Permission]: (typeof PERMISSIONS)[Name] } = {
  manage_billing: ['owner'],
  delete_workspace: ['owner'],
  manage_integrations: ['owner', 'admin'],
  manage_members: ['owner', 'admin'],
  manage_api_keys: ['owner', 'admin'],
  edit_automations: ['owner', 'admin', 'member'],
  view: ['owner', 'admin', 'member', 'viewer'],
  receive_notifications: ['owner', 'admin', 'member', 'viewer'],
  manage_workspace: ['owner', 'admin'],
  manage_webhooks: ['owner', 'admin'],
  view_audit_log: ['owner', 'admin'],
  publish_events: ['owner', 'admin', 'member'],
};

export type { Permission } from '@hubline/contract';

/** Reports whether `role` has `permission`. */
export function can(role: string, permission: Permission): boolean {
  return (permissions[permission] as readonly string[]).includes(role);
}

/** Reports whether a change of role takes a permission away. */
export function mayLess(before: string, now: string): boolean {
  return (Object.keys(permissions) as Permission[]).some((each) => can(before, each) && !can(now, each));
}

/** Says which roles have a permission: the reason why a control is disabled. */
export function whoMay(permission: Permission): string {
  const roles = permissions[permission].map((role) => `${role}s`);
  return `Only ${new Intl.ListFormat('en', { type: 'conjunction' }).format(roles)} can do this.`;
}
