import type { Context } from '../../context.ts';
import { invalid, unprocessable } from '../../domain/faults/fault.ts';
import { checkTargetUrl } from '../../outbound/target.ts';

/**
 * Refuses a URL that this server must not call. Every URL that somebody names passes here before it is stored. It is
 * stored as it was written, and judged in its normalized form, here and again when it is dialed. Malformed is
 * `invalid_request`; well-formed and forbidden is `unprocessable_entity`.
 */
export function requireAllowedUrl({ config }: Pick<Context, 'config'>, field: string, text: string): void {
  const checked = checkTargetUrl(text, { allowHttpLocalhost: config.allowHttpLocalhost });
  if (checked.ok) return;
  throw checked.kind === 'invalid' ? invalid(field, checked.issue) : unprocessable(field, checked.issue);
}
