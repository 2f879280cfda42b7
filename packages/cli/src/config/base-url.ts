import { usageError } from '../errors/errors.ts';

/** The address at which `hubline server start` listens by default. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8787/v1';

/**
 * Checks a base URL. It may be given as people type it: `127.0.0.1:8787`, `hub.example.com`, with or without the path of the API.
 * Without a scheme, this machine is reached by `http://` and every other by `https://`.
 */
export function parseBaseUrl(text: string, source: string): string {
  const url = parseAddress(text);
  if (!url) {
    throw usageError(
      `${source} is not the address of a server: "${text}".`,
      'Write it as 127.0.0.1:8787, or as https://hub.example.com/v1.',
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError(
      `${source} must have no user name, password, query or fragment.`,
      'Keep the host, the port and the path only.',
    );
  }
  // Specification, "Conventions" 1: plain HTTP would show the key to everybody on the way.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageError(
      `${source} would send the key unencrypted to ${url.host}.`,
      'Use https://; http:// is for this machine only.',
    );
  }
  return url.pathname === '/' ? `${url.origin}/v1` : url.href.replace(/\/+$/, '');
}

/** Parses an `http:` or `https:` URL, or a host or `host:port` alone; `null` for anything else. */
export function parseAddress(text: string): URL | null {
  if (/^https?:\/\//i.test(text)) return URL.parse(text);
  // Any other scheme. `localhost:8787` looks like one to a URL parser, so the slashes decide.
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /[\s@]/.test(text)) return null;
  const plain = URL.parse(`http://${text}`);
  return plain && !isLoopback(plain.hostname) ? URL.parse(`https://${text}`) : plain;
}

/** Reports whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** The scheme, host and port of a base URL: the server that a saved key belongs to. */
export function originOf(baseURL: string): string {
  return new URL(baseURL).origin;
}

/** The root URL of the server: the dashboard and the health checks are below it, as the API is. */
export function rootOf(baseURL: string): string {
  return baseURL.replace(/\/v\d+$/, '');
}

/** An address as messages show it: without its user and password. */
export const shownAddress = (address: string | URL): string =>
  String(address).replace(/\/\/[^/?#]*@/, '//…@');
