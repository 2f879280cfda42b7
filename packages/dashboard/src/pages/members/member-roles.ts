import { outranks, type Role, ROLES } from '@hubline/contract/constants';

/** The roles that somebody with `own` may give: none above their own. Ownership is transferred, not given. */
export const rolesToGive = (own: string) =>
  ROLES.filter((role) => role !== 'owner').filter((role) => mayChange(own, role));

/** A line about each role that can be given. */
export const ROLE_WORDS = {
  admin: 'Also manages webhooks, integrations, members and API keys, and reads the audit log.',
  member: 'Also edits automations and rules, and publishes events.',
  viewer: 'Sees events, deliveries and charts.',
} as const;

/** Reports whether somebody with `own` may change a member with `role`. */
export const mayChange = (own: string, role: string): boolean => !outranks(role as Role, own as Role);
