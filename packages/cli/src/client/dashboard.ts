import { spawn } from 'node:child_process';
import { rootOf } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
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
 * The address of a page of the dashboard, which the server has next to the API. If it has none, this throws an error with an
 * alternative, so that no browser opens an error page.
 */
export async function dashboardPage(
  ctx: Context,
  baseURL: string,
  { page, instead }: { page: keyof typeof PAGES; instead: string },
): Promise<string> {
  const root = rootOf(baseURL);
  const response = await probe(ctx, `${root}/`, 'text/html');
  const html = response.headers['content-type']?.startsWith('text/html') === true;
  // A page, or the redirect to its login.
  if (!html && !(response.status >= 300 && response.status < 400)) {
    throw new CommandError(
      'not_found',
      `${root} has no dashboard.`,
      `If it runs from a clone, npx -y pnpm@12 start there builds one. ${instead}`,
    );
  }
  return root + PAGES[page];
}

type Opener = readonly [program: string, ...args: string[]];

const OPENERS: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** An opener passes the address to the browser and ends. If it is still running after this time, it is the browser itself. */
const HANDED_OVER_MS = 2_000;

/**
 * Opens a web address in the user's browser. Returns the problem, or `null` if a browser has opened it. No shell sees the address. It may come
 * from the server, and an opener would also start a program at a path, or read a flag.
 */
export function openBrowser(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return Promise.resolve('it opens only http:// and https:// addresses');
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true, env: { ...env } });
    const end = (problem: string | null): void => {
      clearTimeout(timer);
      // The browser outlives this command.
      child.unref();
      resolve(problem);
    };
    const timer = setTimeout(() => end(null), HANDED_OVER_MS);
    child.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ENOENT' ? `${program} is not installed` : error.message),
    );
    child.once('exit', (code) =>
      end(code === 0 ? null : `${program} ended with ${code === null ? 'a signal' : `exit code ${code}`}`),
    );
  });
}
