import { TransportError } from '../failures/transport-error.ts';
import type { PendingExchange } from './http-connection.ts';
import { createDial, type DialOptions } from './dial.ts';
import { OriginPool, type OriginOptions } from './origin-pool.ts';

/** The settings by which a pool dials and reads. */
export interface PoolOptions extends DialOptions {
  /** Concurrent connections to one scheme, host and port. Default 256. */
  connectionsPerOrigin?: number;
  /** The most idle connections, over all origins. Default 1,024. */
  keptConnections?: number;
  /** The most that is read for one response, with hints, headers and framing, in bytes. Default 4 MiB. */
  responseBytes?: number;
}

const CONNECTIONS_PER_ORIGIN = 256;
// Ten thousand receivers, each called once, must not hold a socket each.
const KEPT_CONNECTIONS = 1_024;
// Calls to providers keep up to 1 MiB of body, which may come in small chunks.
const RESPONSE_BYTES = 4 * 1024 * 1024;
const SWEEP_MS = 1_000;

/**
 * Connections to all origins. It speaks HTTP/1.1 without pipelining, reads no proxy variable, and always verifies
 * certificates.
 */
export class ConnectionPool {
  readonly #origins = new Map<string, OriginPool>();
  readonly #settings: OriginOptions;
  readonly #sweep: NodeJS.Timeout;
  #idle = 0;
  #isDestroyed = false;

  constructor(options: PoolOptions) {
    const kept = options.keptConnections ?? KEPT_CONNECTIONS;
    this.#settings = {
      dial: createDial(options),
      connections: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
      responseBytes: options.responseBytes ?? RESPONSE_BYTES,
      mayKeep: () => this.#idle < kept,
      onIdle: (difference) => (this.#idle += difference),
    };
    this.#sweep = setInterval(() => this.#closeStale(), SWEEP_MS).unref();
  }

  /** Makes a call to a checked URL. */
  send(url: URL, exchange: PendingExchange): void {
    if (this.#isDestroyed) return exchange.onError(new TransportError('ERR_POOL_DESTROYED'), false);
    const origin = originOf(url);
    let pool = this.#origins.get(origin);
    if (!pool) this.#origins.set(origin, (pool = new OriginPool(url, this.#settings)));
    pool.send(exchange);
  }

  /** Ends running calls, and closes all connections. */
  destroy(): void {
    this.#isDestroyed = true;
    clearInterval(this.#sweep);
    for (const pool of this.#origins.values()) pool.destroy();
  }

  #closeStale(): void {
    for (const [origin, pool] of this.#origins) {
      pool.closeStale();
      if (pool.isEmpty) this.#origins.delete(origin);
    }
  }
}

const origins = new WeakMap<URL, string>();

/** The origin of a URL, made once for all calls of a webhook: a `URL` builds it on every access. */
function originOf(url: URL): string {
  let origin = origins.get(url);
  if (origin === undefined) origins.set(url, (origin = url.origin));
  return origin;
}
