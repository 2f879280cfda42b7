import { HublineError } from '../core/errors.ts';

/** Values of a query string; `undefined` and `null` are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Whole segments `.` and `..`, encoded or not: URL parsers resolve them, and a path would leave the base URL. */
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** `base` + `path` + `query`; refuses a path that could name anything outside of `base`. */
export function buildURL(base: string, path: string, query: Query = {}): string {
  if (!/^\/(?!\/)[!-~]*$/.test(path) || /[\\#]/.test(path) || DOT_SEGMENT.test(path)) {
    throw new HublineError(
      'path must start with one "/" and have no "#", "\\" or ".." segment: encode its parts with encodeURIComponent.',
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
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new HublineError(
      'baseURL must be an http(s) URL without user name, query or fragment: https://hub.example.com/v1.',
    );
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new HublineError(
      `baseURL would send the key over plain HTTP to ${url.hostname}: use https://, or set allowInsecureHttp.`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

const isLoopback = (host: string) => /^(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:.+\.)?localhost)$/.test(host);
