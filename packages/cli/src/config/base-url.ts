import { usageError } from '../errors.ts';

/** Where `hubline server start` listens unless it is told otherwise. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8787/v1';

/** Checks a base URL. A bare origin, as `server start` prints it, gets the path of the API. */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(`${source} must be a URL such as https://hub.example.com/v1; not "${text}".`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError(`${source} must have no user name, password, query or fragment.`);
  }
  // Specification, "Authentication" 3: plain HTTP would show the key to everybody on the way.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageError(
      `${source} would send the key unencrypted to ${url.host}.`,
      'Use https://; http:// is for this machine only.',
    );
  }
  return url.pathname === '/' ? `${url.origin}/v1` : url.href.replace(/\/+$/, '');
}

/** Whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
