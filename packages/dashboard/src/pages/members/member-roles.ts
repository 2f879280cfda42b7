import type { Role } from '@hubline/sdk';

/** Roles from the strongest to the weakest, as the contract ranks them. */
const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

const rank = (role: string): number => (ROLES as readonly string[]).indexOf(role);

/** What somebody with `own` may give: nobody gives a role above their own, and there is another way to make an owner. */
export const rolesToGive = (own: string) =>
  ROLES.filter((role) => role !== 'owner').filter((role) => rank(role) >= rank(own));

/** Whether somebody with `own` may change a member with `role`. */
export const mayChange = (own: string, role: string): boolean => rank(role) >= rank(own);
