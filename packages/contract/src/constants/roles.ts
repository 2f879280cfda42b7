/** Roles from the strongest to the weakest. Specification, "Role permissions" 1 to 8. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

/** The role of a member, or the cap of an API key. */
export type Role = (typeof ROLES)[number];

const managers = ['owner', 'admin'] as const;
const contributors = ['owner', 'admin', 'member'] as const;

/**
 * Specification, "Role permissions" 1 to 8, row by row. Then come permissions that endpoints need but the table does not name, such
 * as ownership (rule 11), settings (Specification, "Authentication" 4) and webhooks, which follow "Manage integrations". "Authentication" 4
 * also gives billing to admins; the table does not, and the table wins. See docs/decisions/roles-and-keys.md.
 */
export const PERMISSIONS = {
  manage_billing: ['owner'],
  delete_workspace: ['owner'],
  manage_integrations: managers,
  manage_members: managers,
  manage_api_keys: managers,
  edit_automations: contributors,
  view: ROLES,
  receive_notifications: ROLES,

  transfer_ownership: ['owner'],
  manage_workspace: managers,
  manage_webhooks: managers,
  view_audit_log: managers,
  publish_events: contributors,
} as const satisfies Record<string, readonly Role[]>;

/** A right that roles have or lack. */
export type Permission = keyof typeof PERMISSIONS;

/** Reports whether `role` has `permission`. */
export function roleAllows(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

/** The weaker of two roles. A key acts with its creator's role, lowered to the key's cap. */
export function weakerRole(a: Role, b: Role): Role {
  return ROLES.indexOf(a) > ROLES.indexOf(b) ? a : b;
}

/** Reports whether `role` is stronger than `other`. Nobody assigns a role above their own. */
export function outranks(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(other);
}
