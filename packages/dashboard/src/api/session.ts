import type { Me } from '@hubline/sdk';
import { effect, signal } from '@preact/signals';
import { covered } from '../data/live/use-visible.ts';
import { cache } from '../data/queries/query-cache.ts';

/** The user who is logged in, and their workspaces. */
export interface Session {
  readonly user: { readonly id: string; readonly email: string };
  readonly memberships: Me['memberships'];
  /** The command line of the server's machine; `null` unless the user is its operator. */
  readonly command_line: {
    /** The words that start the program from any folder, as a shell reads them. */
    readonly program: string;
    /** The data directory; `null` on PostgreSQL. */
    readonly data: string | null;
    /** The flags that the server was started with, except those of its storage. */
    readonly flags: string;
  } | null;
  /** Changes whenever anything above changes. */
  readonly version: string;
}

/** `unknown` until the server has responded; `null` when nobody is logged in. */
export const session = signal<Session | null | 'unknown'>('unknown');

/** Everything that decides what a person may see. When it changes, nobody may see the cached data of the earlier user or role. */
function viewer(): string {
  const { value } = session;
  if (value === null || value === 'unknown') return '';
  return JSON.stringify([
    value.user.id,
    value.memberships.map(({ workspace_id, role }) => [workspace_id, role]),
  ]);
}
let before = viewer();
effect(() => {
  covered.value = session.value === null;
  const now = viewer();
  if (now === before) return;
  before = now;
  if (now === '') cache.forget();
  else cache.clear();
});

/** Called for every 401 of the API: the session has expired, or was ended elsewhere. */
export function sessionEnded(): void {
  session.value = null;
}

/** Changes the user's workspaces after one was renamed, created or left. */
export function setMemberships(
  change: (memberships: Session['memberships']) => Session['memberships'],
): void {
  const { value } = session;
  if (value !== null && value !== 'unknown')
    session.value = { ...value, memberships: change(value.memberships) };
}
