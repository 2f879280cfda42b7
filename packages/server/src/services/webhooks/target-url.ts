import type { Context } from '../../context.ts';
import { invalid, unprocessable } from '../../domain/faults/fault.ts';
import { checkTargetUrl } from '../../outbound/target.ts';

/**
 * Refuses a URL that this server must not call. Every URL from a user is checked here before it is stored. It is stored
 * as written, and checked in its normalized form, here and again when it is dialed. A malformed URL is
 * `invalid_request`, a forbidden one `unprocessable_entity`.
 */
export function requireAllowedUrl({ config }: Pick<Context, 'config'>, field: string, text: string): void {
  const checked = checkTargetUrl(text, { allowHttpLocalhost: config.allowHttpLocalhost });
  if (checked.ok) return;
  throw checked.kind === 'invalid' ? invalid(field, checked.issue) : unprocessable(field, checked.issue);
}
