import type { Context } from '../context.ts';
import { invalid, unprocessable } from '../domain/fault.ts';
import { checkTargetUrl } from '../outbound/target.ts';

/**
 * The normalized form of a URL that somebody names and this server calls: every one passes here before it is stored, and is
 * judged again when it is dialled. Malformed is 400; well-formed and forbidden is 422.
 */
export function allowedUrl({ config }: Pick<Context, 'config'>, field: string, text: string): string {
  const checked = checkTargetUrl(text, { allowHttpLocalhost: config.allowHttpLocalhost });
  if (checked.ok) return checked.url.href;
  throw checked.kind === 'invalid' ? invalid(field, checked.issue) : unprocessable(field, checked.issue);
}
