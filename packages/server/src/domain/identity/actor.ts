import { type Role, weakerRole } from '@hubline/contract';

/** The proof that a request carries: an API key, a session of the dashboard, or an invitation. */
export interface Credential {
  kind: 'api_key' | 'session' | 'invitation';
  /** The ID of the key; the other proofs have none that may be shown. */
  id: string | null;
  /** The hash of a session's token. */
  session: string | null;
  /** The workspace that it is bound to; `null` for a personal key and a session. */
  workspaceId: string | null;
  scopes: readonly string[];
  /** The highest role that it gives its user. */
  role: Role | null;
  /** The expiry of an API key; `null` for none. */
  expiresAt: string | null;
  /** The end of the overlap, if the request carries the old secret of a rotated key. */
  overlapEndsAt: string | null;
}

/** The caller: a user, through a key or a session. */
export interface Actor {
  userId: string;
  email: string;
  credential: Credential;
}

/** The workspace of a request, and the role of the caller in it, already lowered to the cap of its key. */
export interface Access {
  workspaceId: string;
  role: Role;
}

/** The time at which the secret of a request stops working; `null` for none. */
export function endOf({ expiresAt, overlapEndsAt }: Credential): string | null {
  if (expiresAt === null || overlapEndsAt === null) return expiresAt ?? overlapEndsAt;
  return expiresAt < overlapEndsAt ? expiresAt : overlapEndsAt;
}

/** The role of a key whose user has `role`: the cap of the key can only lower it. */
export const actingRole = ({ role: cap }: Pick<Credential, 'role'>, role: Role): Role =>
  cap === null ? role : weakerRole(role, cap);
