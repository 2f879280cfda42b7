import type { Me } from '@hubline/contract/types';
import type { LoginStatus } from '../views/connection.ts';

/** Who is logged in, and how. */
export function loginStatus(
  { user, key }: Me,
  where: Pick<LoginStatus, 'context' | 'base_url' | 'key_source'> & { workspace: string | undefined },
): LoginStatus {
  return {
    context: where.context,
    base_url: where.base_url,
    email: user.email,
    user_id: user.id,
    key_id: key.id,
    key_prefix: key.prefix,
    key_source: where.key_source,
    expires_at: key.expires_at,
    workspace: where.workspace ?? null,
  };
}
