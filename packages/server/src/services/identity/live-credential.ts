import type { UserContext } from '../../context.ts';
import { findApiKey } from '../../db/identity/api-keys.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findSessionUser } from '../../db/identity/sessions.ts';
import { lockUser } from '../../db/identity/users.ts';
import { Fault } from '../../domain/faults/fault.ts';

/**
 * Refuses a request whose key or session has ended since it was authenticated. Every write that makes or changes access to an
 * account checks this in its transaction: otherwise a running request could outlive a session that was ended because it was stolen.
 */
export async function requireLiveCredential(tx: Tx, context: UserContext): Promise<void> {
  const { actor, now } = context;
  await lockUser(tx, actor.userId);
  const { id, session } = actor.credential;
  const key = id === null ? undefined : await findApiKey(tx, actor.userId, id);
  const live =
    session === null
      ? key?.revoked_at === null
      : (await findSessionUser(tx, session, now.toISOString())) !== undefined;
  if (!live) throw new Fault('unauthorized', 'The API key or the session ended during the request.');
}
