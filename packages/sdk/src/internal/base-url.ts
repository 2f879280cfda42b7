import { HublineError } from '../core/errors.ts';

/** The base URL without its trailing slash; throws where a key must not be sent. */
export function parseBaseURL(text: string, allowInsecureHttp: boolean): string {
  const url = URL.parse(text);
  const plain = url?.protocol === 'http:' && (allowInsecureHttp || isLoopback(url.hostname));
  if (!url || !(plain || url.protocol === 'https:') || url.username + url.password + url.search + url.hash) {
    throw new HublineError(
      'baseURL must be an https URL without user, query or fragment; plain http is for this machine, or with allowInsecureHttp.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

const isLoopback = (host: string) => /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(host);
