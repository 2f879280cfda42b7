import type { Dispatcher } from 'undici';
import { remember } from '../remember.ts';
import { checkTargetUrl, type TargetCheck, type TargetPolicy } from './target.ts';

/** An address that DNS gave for a name. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The way of a pool to dial and to read. */
export interface DispatcherOptions {
  /** Which targets may be called; `null` for URLs of the operator's own configuration. */
  policy: TargetPolicy | null;
  /** Answers names. Default: the system's resolver, so that `/etc/hosts` and search domains count. */
  resolve?: Resolve;
  /** Certificate authorities instead of Node's own, in PEM. */
  ca?: string;
  /** Concurrent connections to one scheme, host and port. Default 256. */
  connectionsPerOrigin?: number;
  /** Connections that are kept for reuse, over all origins. Default 1,024. */
  keptConnections?: number;
  /** How much is read for one answer, with hints, headers and framing, in bytes. Default 4 MiB. */
  answerBytes?: number;
}

/** A pool of connections that dials only what its policy allows. */
export interface OutboundDispatcher {
  /** Judges a URL; the answer's `url` is the one to dispatch. */
  check(url: string): TargetCheck;
  dispatch: Dispatcher['dispatch'];
  /** Reports whether the request that starts now is the first on its connection. Valid inside `onRequestStart` only. */
  readonly dialled: boolean;
  /** Waits for running requests. */
  close(): Promise<void>;
  /** Ends running requests. */
  destroy(): Promise<void>;
}

type ConnectionPool = Omit<OutboundDispatcher, 'check'>;

/** Makes a pool that is opened by its first request: the HTTP client takes some 15 MB, which a server that calls nobody need not have. */
export function createDispatcher(options: DispatcherOptions): OutboundDispatcher {
  const { policy } = options;
  let pool: ConnectionPool | undefined;
  let opening: Promise<ConnectionPool> | undefined;
  const open = async (): Promise<ConnectionPool> => {
    try {
      const { openPool } = await import('./connection-pool.ts');
      return (pool = openPool(options));
    } catch (error) {
      // A failure, such as too many open files, may pass: the next request tries again.
      opening = undefined;
      throw error;
    }
  };
  return {
    // A webhook is called again and again, and judging its URL takes longer than signing its body.
    check: remember((url) => (policy ? checkTargetUrl(url, policy) : checkTrustedUrl(url))),
    dispatch(request, handler) {
      if (pool) return pool.dispatch(request, handler);
      opening ??= open();
      opening.then(
        (opened) => opened.dispatch(request, handler),
        (error: Error) => handler.onResponseError?.(null as never, error),
      );
      return true;
    },
    get dialled() {
      return pool?.dialled ?? false;
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
