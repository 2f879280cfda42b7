import { rootOf } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors.ts';
import { probe } from './probe.ts';

/** The pages of the dashboard. */
export const PAGES = {
  home: '/',
  events: '/events',
  deliveries: '/deliveries',
  webhooks: '/webhooks',
  integrations: '/integrations',
  members: '/members',
  keys: '/settings/api-keys',
  audit: '/audit-log',
} as const;

/**
 * The address of a page of the server's dashboard, which is served beside the API. A server may have none: then this is an error
 * that says so, and what does `instead`, not a browser with an error page.
 */
export async function dashboardPage(
  ctx: Context,
  baseURL: string,
  { page, instead }: { page: keyof typeof PAGES; instead: string },
): Promise<string> {
  const root = rootOf(baseURL);
  const answer = await probe(ctx, `${root}/`, 'text/html');
  const html = answer.headers['content-type']?.startsWith('text/html') === true;
  // A page, or the way to its login.
  if (!html && !(answer.status >= 300 && answer.status < 400)) {
    throw new CommandError('not_found', `${root} has no dashboard.`, instead);
  }
  return root + PAGES[page];
}
