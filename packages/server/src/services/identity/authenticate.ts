import type { Deps } from '../../context.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import { findApiKeyByHash, type HeldApiKeyRow } from '../../db/identity/api-keys.ts';
import type { Actor } from '../../domain/identity/actor.ts';
import { isApiKey } from '../../domain/identity/api-key.ts';
import { Fault } from '../../domain/faults/fault.ts';
import { hashApiKey } from './api-keys.ts';
import { actorOfSession } from './sessions.ts';

const refused = (why: string) => new Fault('unauthorized', why, { wantsApiKey: true });

const hasPassed = (at: string, now: Date) => at <= now.toISOString();

/** The proof that a request carries: the `Authorization` header, or the cookie of the dashboard. */
export interface Proof {
  authorization: string | undefined;
  session: string | undefined;
}

/**
 * Authenticates a request. Throws `unauthorized` for a missing or invalid proof. Specification, "Authentication" 1 and
 * 3.
 */
export function authenticate(
  deps: Pick<Deps, 'store'>,
  { authorization: header, session }: Proof,
  now: Date,
): Awaitable<Actor> {
  if (header === undefined && session !== undefined) return actorOfSession(deps, session, now);
  if (header === undefined) throw refused('Send your API key as `Authorization: Bearer hl_…`.');
  const hash = hashes.get(header) ?? hashOf(header);
  return andThen(findApiKeyByHash(deps.store.read, hash), (row) => {
    const actor = actorOf(row, hash, now);
    remember(header, hash);
    return actor;
  });
}

/** The actor of a key that was looked up by its hash. */
function actorOf(row: HeldApiKeyRow | undefined, hash: string, now: Date): Actor {
  if (!row || row.revoked_at !== null) throw refused('The API key is unknown or revoked.');
  if (row.hash !== hash && (row.previous_until === null || hasPassed(row.previous_until, now))) {
    throw refused('The API key was rotated, and its overlap has ended.');
  }
  if (row.expires_at !== null && hasPassed(row.expires_at, now)) throw refused('The API key has expired.');
  // A key acts with its creator's role. Without one, it can do nothing.
  if (row.workspace_id !== null && row.maker_role === null) {
    throw refused('The user who created the API key has left its workspace.');
  }
  return {
    userId: row.user_id,
    email: row.email,
    credential: {
      kind: 'api_key',
      id: row.id,
      session: null,
      workspaceId: row.workspace_id,
      scopes: scopesOf(row),
      role: row.role,
      expiresAt: row.expires_at,
      overlapEndsAt: row.hash === hash ? null : row.previous_until,
    },
  };
}

// Checking and hashing a key takes as long as everything else here (measured). Only hashes of accepted keys are kept:
// nobody can fill the map with made-up keys.
const HASHES_MAX = 1_000;
/** The hashes of keys by their header. The rights of a key are looked up for each request. */
const hashes = new Map<string, string>();

function remember(header: string, hash: string): void {
  if (hashes.has(header)) return;
  if (hashes.size >= HASHES_MAX) hashes.clear();
  hashes.set(header, hash);
}

function hashOf(header: string): string {
  const key = /^bearer ([^\s]+)$/i.exec(header)?.[1];
  if (key === undefined) throw refused('Authorization must be `Bearer`, one space and the API key.');
  // Mistyped and made-up keys end here, without a query.
  if (!isApiKey(key)) throw refused('The API key is mistyped: its check characters do not match.');
  return hashApiKey(key);
}

const scopes = new WeakMap<HeldApiKeyRow, readonly string[]>();

/** The scopes of a key. Its row is the same object for every request until it changes. */
function scopesOf(row: HeldApiKeyRow): readonly string[] {
  let known = scopes.get(row);
  if (!known) scopes.set(row, (known = JSON.parse(row.scopes) as string[]));
  return known;
}
