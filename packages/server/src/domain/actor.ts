import type { Role } from '@hubline/contract';

/** The key of a request. */
export interface ActorKey {
  id: string;
  /** The workspace that it is bound to; `null` for a personal key. */
  workspaceId: string | null;
  scopes: readonly string[];
  /** Cap on the role of its user. */
  role: Role | null;
}

/** Who is calling: a user, through a key. */
export interface Actor {
  userId: string;
  email: string;
  key: ActorKey;
}

/** The workspace of a request, and the role of the caller in it, already lowered to the cap of the key. */
export interface Tenant {
  workspaceId: string;
  role: Role;
}
