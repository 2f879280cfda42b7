import { type Permission, PERMISSIONS, type Role, roleAllows } from '@hubline/contract/constants';
import { formatList } from '../data/formats/format-number.ts';

/** Reports whether `role` has `permission`, to show only controls that work. The server decides. */
export function can(role: string, permission: Permission): boolean {
  return roleAllows(role as Role, permission);
}

/** Reports whether a change of role takes a permission away. */
export function losesPermission(before: string, now: string): boolean {
  return (Object.keys(PERMISSIONS) as Permission[]).some((each) => can(before, each) && !can(now, each));
}

/** The roles that have a permission: `owners and admins`. */
export function rolesWith(permission: Permission): string {
  const roles = PERMISSIONS[permission].map((role) => `${role}s`);
  return formatList(roles);
}

/** Says which roles have a permission: the reason why a control is disabled. */
export const whoMay = (permission: Permission): string => `Only ${rolesWith(permission)} can do this.`;
