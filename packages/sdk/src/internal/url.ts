import { HublineError } from '../core/errors.ts';
import type { Method } from '../core/transport.ts';

/** The base URL without its trailing slash. Throws for a URL to which a key must not be sent. */
export function parseBaseURL(text: string, allowInsecureHttp: boolean | undefined): string {
  const url = URL.parse(text);
  const plain = url?.protocol === 'http:' && (isLoopback(url.hostname) || allowInsecureHttp);
  if (!url || !(url.protocol === 'https:' || plain) || url.username + url.password + url.search + url.hash) {
    throw new HublineError(
      'baseURL must be an https URL without user, query or fragment; http is only for this machine, or with allowInsecureHttp.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

const isLoopback = (host: string) => /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(host);

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
 * Matches a path that could leave the base URL: one that does not start with exactly one slash; one with `#`, `\` or a character
 * that is not visible ASCII; and one with a segment `.` or `..`, encoded or not, which URL parsers resolve.
 */
const UNSAFE_PATH = /^(?!\/(?!\/))|[^!-~]|[#\\]|\/(\.|%2e){1,2}([/?]|$)/i;

/** `base` + `path` + `query`; refuses a path that could name anything outside of `base`. */
export function buildURL(base: string, path: string, query: Query | null | undefined): string {
  if (UNSAFE_PATH.test(path)) {
    throw new HublineError(
      'path must start with one "/" and stay below baseURL. Encode its parts with encodeURIComponent.',
    );
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value != null) search.append(name, String(value));
  const text = search.toString();
  return base + path + (text && (path.includes('?') ? '&' : '?') + text);
}

/** The target of a call. */
export interface Endpoint {
  readonly method: Method;
  /** The path below the base URL. A function, so that a bad ID rejects the call, as every other mistake does. */
  readonly path: () => string;
}

/**
 * A tag for endpoints as the documentation writes them: `` get`/workspaces/${workspaceId}` ``. Every `${id}` is exactly one segment
 * of the path: encoded, never empty, and without a slash or a dot segment, so that an ID such as `../admin` cannot reach another endpoint.
 */
const tag =
  (method: Method) =>
  (strings: TemplateStringsArray, ...ids: string[]): Endpoint => ({
    method,
    path: () => strings.reduce((done, next, index) => done + segment(ids[index - 1], strings) + next),
  });

export const get = tag('GET');
export const post = tag('POST');
export const patch = tag('PATCH');
export const del = tag('DELETE');

function segment(id: unknown, strings: TemplateStringsArray): string {
  if (typeof id === 'string' && !/^\.{0,2}$|\//.test(id) && id.isWellFormed()) return encodeURIComponent(id);
  const given = typeof id === 'string' ? JSON.stringify(id) : typeof id;
  throw new HublineError(`${strings.join('{id}')} needs valid IDs without a slash; got ${given}.`);
}
