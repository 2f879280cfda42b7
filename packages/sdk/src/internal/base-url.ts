import { HublineError } from '../core/hubline-error.ts';

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
