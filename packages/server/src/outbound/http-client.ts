import { memoize } from './memoize.ts';
import { ConnectionPool, type PoolOptions } from './pool/connection-pool.ts';
import { checkTargetUrl, type TargetCheck } from './target.ts';

export type { Resolve, ResolvedAddress } from './pool/name-lookups.ts';

/** Calls only the targets that its policy allows. */
export interface HttpClient {
  /** Checks a URL; the result's `url` is the one to call. */
  check(url: string): TargetCheck;
  readonly pool: Pick<ConnectionPool, 'send'>;
  /** Ends running calls, and closes all connections. */
  destroy(): void;
}

/** Makes a client. It opens no connection before its first call. */
export function createHttpClient(options: PoolOptions): HttpClient {
  const { policy } = options;
  const pool = new ConnectionPool(options);
  return {
    // A webhook is called many times, and checking its URL takes longer than signing its body.
    check: memoize((url) => (policy ? checkTargetUrl(url, policy) : checkTrustedUrl(url))),
    pool,
    destroy: () => pool.destroy(),
  };
}

function checkTrustedUrl(text: string): TargetCheck {
  const url = URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:')
    ? { ok: true, url }
    : { ok: false, kind: 'invalid', issue: 'must be an absolute http:// or https:// URL' };
}
