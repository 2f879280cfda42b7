import { memoize } from './memoize.ts';
import type { ConnectionPool, PoolOptions } from './pool/connection-pool.ts';
import { checkTargetUrl, type TargetCheck } from './target.ts';

export type { Resolve, ResolvedAddress } from './pool/name-lookups.ts';

/** A pool of connections that dials only what its policy allows. */
export interface OutboundDispatcher extends ConnectionPool {
  /** Checks a URL; the result's `url` is the one to dispatch. */
  check(url: string): TargetCheck;
}

/**
 * Makes a pool that the first request opens: the HTTP client takes some 15 MB, which a server without outbound calls
 * saves.
 */
export function createDispatcher(options: PoolOptions): OutboundDispatcher {
  const { policy } = options;
  let pool: ConnectionPool | undefined;
  let opening: Promise<ConnectionPool> | undefined;
  const open = async (): Promise<ConnectionPool> => {
    try {
      const { openPool } = await import('./pool/connection-pool.ts');
      return (pool = openPool(options));
    } catch (error) {
      // A failure, such as too many open files, may pass: the next request opens the pool again.
      opening = undefined;
      throw error;
    }
  };
  return {
    // A webhook is called many times, and checking its URL takes longer than signing its body.
    check: memoize((url) => (policy ? checkTargetUrl(url, policy) : checkTrustedUrl(url))),
    dispatch(request, handler) {
      if (pool) return pool.dispatch(request, handler);
      opening ??= open();
      opening.then(
        (opened) => opened.dispatch(request, handler),
        (error: Error) => handler.onResponseError?.(null as never, error),
      );
      return true;
    },
    get dialed() {
      return pool?.dialed ?? false;
    },
    close: async () => (await opening)?.close(),
    destroy: async () => (await opening)?.destroy(),
  };
}

function checkTrustedUrl(text: string): TargetCheck {
  const url = URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:')
    ? { ok: true, url }
    : { ok: false, kind: 'invalid', issue: 'must be an absolute http:// or https:// URL' };
}
