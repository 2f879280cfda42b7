import type { Me } from '@hubline/sdk';
import { signal } from '@preact/signals';

/** The user who is logged in, and their workspaces. */
export interface Session {
  readonly user: { readonly id: string; readonly email: string };
  readonly memberships: Me['memberships'];
  /** Changes with any of it. */
  readonly version: string;
}

/** `unknown` until the server has said who this is; `null` when it is nobody. */
export const session = signal<Session | null | 'unknown'>('unknown');

/** Called for every 401 of the API: the session has expired, or was ended elsewhere. */
export function sessionEnded(): void {
  session.value = null;
}

/** The workspaces of the user have changed: one was renamed, made or left. */
export function setMemberships(
  change: (memberships: Session['memberships']) => Session['memberships'],
): void {
  const { value } = session;
  if (value !== null && value !== 'unknown')
    session.value = { ...value, memberships: change(value.memberships) };
}
