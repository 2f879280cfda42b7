import type { Middleware } from '@hubline/sdk';
import { Hubline } from '@hubline/sdk/fetch';
import { signal } from '@preact/signals';
import { parseExact } from '../data/formats/exact-json.ts';
import { cache } from '../data/queries/query-cache.ts';
import { session, sessionEnded } from './session.ts';

/** The server takes the session's cookie only with this header, which no other site can send. */
const DASHBOARD_HEADER = { 'x-hubline-dashboard': '1' } as const;

/** False while requests do not reach the server: it is restarting, or the network is down. */
export const reachable = signal(true);

/** True while the browser leaves the page: Firefox ends its requests before that, although the server can be reached. */
let leaving = false;
const LEAVING_MS = 5_000;
addEventListener('beforeunload', () => {
  leaving = true;
  // Nothing tells that somebody stays, after a question or a download.
  setTimeout(() => (leaving = false), LEAVING_MS);
});

/** Tracks whether the server can be reached. When it is back, everything is loaded again, because it may have changed. */
export const watchServer: Middleware = async (request, next) => {
  try {
    const response = await next(request);
    if (!reachable.peek()) {
      reachable.value = true;
      cache.invalidateAll();
    }
    return response;
  } catch (reason) {
    if (!request.signal.aborted && !leaving) reachable.value = false;
    throw reason;
  }
};

/** Notices the end of the session, and refreshes what was written, wherever the page shows it. */
const watchResponses: Middleware = async (request, next) => {
  const before = session.peek();
  const response = await next(request);
  // A late refusal of the session before must not end one that has begun since.
  if (response.status === 401 && session.peek() === before) sessionEnded();
  if (request.method !== 'GET' && response.status < 300) cache.written(new URL(request.url).pathname);
  return response;
};

/** The middleware of every request of the dashboard. */
export const middleware: readonly Middleware[] = [watchServer, watchResponses];

/** The API of the server that this page comes from, with the session's cookie in place of a key. */
export const client = new Hubline({
  baseURL: `${location.origin}/v1`,
  apiKey: null,
  // There is no key that could be read or sent unencrypted: the page itself came over the same connection.
  dangerouslyAllowBrowser: true,
  allowInsecureHttp: true,
  headers: DASHBOARD_HEADER,
  middleware,
  parseJSON: parseExact,
  // A person is waiting: after three attempts, they can try again themselves.
  maxRetries: 2,
  logLevel: 'error',
});
