import { HublineError } from '../core/errors.ts';

/** Values of a query string; `undefined` and `null` are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * What could leave the base URL: no slash or two at the start; anything that is not visible ASCII, `#` and `\`; and the
 * segments `.` and `..`, encoded or not, which URL parsers resolve.
 */
const UNSAFE_PATH = /^(?!\/)|^\/\/|[^!-~]|[#\\]|\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** `base` + `path` + `query`; refuses a path that could name anything outside of `base`. */
export function buildURL(base: string, path: string, query: Query = {}): string {
  if (UNSAFE_PATH.test(path)) {
    throw new HublineError(
      'path must start with one "/" and have no "#", "\\" or "..": encode its parts with encodeURIComponent.',
    );
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
  if (search.size === 0) return base + path;
  return `${base}${path}${path.includes('?') ? '&' : '?'}${search.toString()}`;
}

/** The base URL without its trailing slash; throws where a key must not be sent. */
export function parseBaseURL(text: string, allowInsecureHttp: boolean): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash) {
    throw new HublineError('baseURL must be an http(s) URL without user name, query or fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new HublineError(
      `baseURL would send the key over plain HTTP to ${url.hostname}: use HTTPS, or set allowInsecureHttp.`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

const isLoopback = (host: string) => /^(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:.+\.)?localhost)$/.test(host);
