import type { HttpClient } from './http-client.ts';
import { type Failure, failureOf, refusal } from './failures/failure.ts';
import { requestBytes } from './http1/request-bytes.ts';
import type { ResponseHead } from './http1/response-head.ts';
import type { HttpConnection, PendingExchange } from './pool/http-connection.ts';

/** A request to send. */
export interface ExchangeRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  /** Deadline for DNS, connect, TLS, headers and body together, in milliseconds. */
  timeoutMs: number;
  /** Bytes of the body after which reading stops and the connection is dropped. */
  readBytes: number;
  /** The part of the body to keep, in bytes. */
  keepBytes: number;
}

/** The result of an exchange. */
export type ExchangeResult = { response: ExchangeResponse } | { failure: Failure };

/** A response whose status line and headers arrived in time. */
export interface ExchangeResponse extends Pick<ResponseHead, 'status' | 'headers'> {
  body: Buffer;
  /** True if the whole body arrived and was kept. */
  complete: boolean;
}

// `deadReuse`: the connection came from the pool, and was closed before a byte of the response and too soon for the receiver to have read the request.
type SendResult = { response: ExchangeResponse } | { failure: Failure; deadReuse: boolean };

/**
 * One HTTP request on a pooled connection: no redirect, no decoding. Always resolves, and never later than its deadline.
 * It is sent a second time, without delay, only if the pooled connection turns out to be dead: the other side had closed it before the request
 * arrived. We learn that within one round trip. A receiver that breaks off later did get the request, and has failed. The second time has a new
 * connection, because a receiver that restarts leaves many dead ones.
 */
export async function exchange(client: HttpClient, request: ExchangeRequest): Promise<ExchangeResult> {
  const target = client.check(request.url);
  if (!target.ok) return { failure: refusal(target.kind) };
  const { url } = target;
  const started = performance.now();
  let bytes: readonly Buffer[];
  try {
    bytes = requestBytes({ ...request, url });
  } catch (error) {
    return { failure: failureOf(error as Error, false) };
  }
  const send = (needsNew: boolean) =>
    new Promise<SendResult>((resolve) => {
      const leftMs = Math.max(1, request.timeoutMs - (performance.now() - started));
      client.pool.send(url, new SentRequest({ ...request, leftMs, needsNew }, bytes, resolve));
    });
  let result = await send(false);
  if ('failure' in result && result.deadReuse) result = await send(true);
  return 'failure' in result ? { failure: result.failure } : result;
}

// Enough for a round trip to the other side of the world with one lost packet.
const DEAD_REUSE_MS = 1_000;

const EMPTY = Buffer.alloc(0);

interface SentSettings extends ExchangeRequest, Pick<PendingExchange, 'needsNew'> {
  /** The time until the deadline, in milliseconds. */
  leftMs: number;
}

/** A request that is sent once, and what has arrived of its response. */
class SentRequest implements PendingExchange {
  readonly method: string;
  readonly bytes: readonly Buffer[];
  readonly needsNew: boolean;
  readonly #request: ExchangeRequest;
  readonly #resolve: (result: SendResult) => void;
  readonly #deadline: NodeJS.Timeout;
  /** The kept part of the body, with room for more. */
  #kept = EMPTY;
  #keptBytes = 0;
  #readBytes = 0;
  #connection: Pick<HttpConnection, 'drop'> | null = null;
  #head: ResponseHead | null = null;
  /** The time at which a connection from the pool took it; `null` for a new connection. */
  #reusedAt: number | null = null;
  #settled = false;

  constructor(request: SentSettings, bytes: readonly Buffer[], resolve: (result: SendResult) => void) {
    this.method = request.method;
    this.bytes = bytes;
    this.needsNew = request.needsNew;
    this.#request = request;
    this.#resolve = resolve;
    this.#deadline = setTimeout(() => this.#expire(), request.leftMs);
  }

  get isOver(): boolean {
    return this.#settled;
  }

  onStart(connection: Pick<HttpConnection, 'drop'>, isReused: boolean): void {
    this.#connection = connection;
    if (isReused) this.#reusedAt = performance.now();
  }

  onHead(head: ResponseHead): void {
    this.#head = head;
  }

  onBody(part: Buffer): void {
    this.#readBytes += part.length;
    this.#keep(part);
    if (this.#readBytes > this.#request.readBytes) {
      this.#respond(false);
      this.#drop();
    }
  }

  onEnd(): void {
    this.#respond(true);
  }

  onError(error: Error, hasBegun: boolean): void {
    // The status line and headers stand, however the body ends.
    if (this.#respond(false)) return;
    const failure = failureOf(error, this.#connection !== null);
    const isDead = failure.kind === 'reset' && this.#reusedAt !== null && !hasBegun;
    this.#settle({
      failure,
      deadReuse: isDead && performance.now() - (this.#reusedAt ?? 0) <= DEAD_REUSE_MS,
    });
  }

  // One growing copy: chunks of one byte each, kept one by one, would take a hundred times their size.
  #keep(part: Buffer): void {
    const { keepBytes } = this.#request;
    const end = Math.min(this.#keptBytes + part.length, keepBytes);
    if (end > this.#kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(end, this.#kept.length * 2), keepBytes));
      this.#kept.copy(larger, 0, 0, this.#keptBytes);
      this.#kept = larger;
    }
    this.#keptBytes += part.copy(this.#kept, this.#keptBytes, 0, end - this.#keptBytes);
  }

  #expire(): void {
    if (!this.#respond(false)) {
      const missing = this.#connection ? 'no response' : 'no connection';
      const message = `${missing} within ${Math.round(this.#request.timeoutMs) / 1000} s`;
      this.#settle({ failure: { kind: 'timeout', message, localFailure: false }, deadReuse: false });
    }
    this.#drop();
  }

  /** Settles with the response, as far as it has arrived; `false` if not even its headers have. */
  #respond(ended: boolean): boolean {
    if (!this.#head) return false;
    const complete = ended && this.#keptBytes === this.#readBytes;
    const { status, headers } = this.#head;
    const body = this.#kept.subarray(0, this.#keptBytes);
    this.#settle({ response: { status, headers, body, complete } });
    return true;
  }

  #settle(result: SendResult): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#resolve(result);
  }

  // Closes the connection, so that nothing reads the rest as another response.
  #drop(): void {
    this.#connection?.drop();
  }
}
