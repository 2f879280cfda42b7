import type { Context } from '../../context.ts';
import { type Fault, invalid, unprocessable } from '../../domain/faults/fault.ts';
import { checkTargetUrl } from '../../outbound/target.ts';

/**
 * The fault of a URL that this server must not call; `null` for one that it may. Every URL from a user is checked here before it is
 * stored. It is stored as written, and checked in its normalized form, here and again when it is dialed. A malformed URL is
 * `invalid_request`, a forbidden one `unprocessable_entity`.
 */
export function urlFault({ config }: Pick<Context, 'config'>, field: string, text: string): Fault | null {
  const checked = checkTargetUrl(text, { allowHttpLocalhost: config.allowHttpLocalhost });
  if (checked.ok) return null;
  return checked.kind === 'invalid' ? invalid(field, checked.issue) : unprocessable(field, checked.issue);
}

/** Throws the fault of a URL that this server must not call. */
export function requireAllowedUrl(context: Pick<Context, 'config'>, field: string, text: string): void {
  const fault = urlFault(context, field, text);
  if (fault) throw fault;
}
