import { HublineError } from '../core/errors.ts';

/**
 * Values of a query string; `undefined` and `null` are left out.
 *
 * @example
 * ```ts
 * const query = { source: 'ci', type: process.env.EVENT_TYPE, limit: 10 }; // without `type` if it is not set
 * await client.request({ method: 'GET', path: '/events', query });
 * ```
 */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * What could leave the base URL: no slash or two at the start; anything that is not visible ASCII, `#` and `\`; and the
 * segments `.` and `..`, encoded or not, which URL parsers resolve.
 */
const UNSAFE_PATH = /^(?!\/(?!\/))|[^!-~]|[#\\]|\/(\.|%2e){1,2}([/?]|$)/i;

/** `base` + `path` + `query`; refuses a path that could name anything outside of `base`. */
export function buildURL(base: string, path: string, query: Query | null | undefined): string {
  if (UNSAFE_PATH.test(path)) {
    throw new HublineError('path must start with one "/": encode its parts with encodeURIComponent.');
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value != null) search.append(name, String(value));
  const text = search.toString();
  return base + path + (text && (path.includes('?') ? '&' : '?') + text);
}
