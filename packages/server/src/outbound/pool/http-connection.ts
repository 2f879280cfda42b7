import type { Socket } from 'node:net';
import { chaos } from '#chaos';
import { ResponseParser, type ResponseSink } from '../http1/response-parser.ts';
import { TransportError } from '../failures/transport-error.ts';
import type { SocketUser } from './dial.ts';

/** A request, and who gets its response. */
export interface PendingExchange extends ResponseSink {
  readonly method: string;
  readonly bytes: readonly Buffer[];
  /** It has ended already, such as by its deadline, and need not begin. */
  readonly isOver: boolean;
  /** It takes no connection that has had a call before: the last one was dead. */
  readonly needsNew: boolean;
  /** Called just before it is written. `isReused`: the connection was made before, and may be dead. */
  onStart(connection: Pick<HttpConnection, 'drop'>, isReused: boolean): void;
  /** Called at most once, and nothing after it. `hasBegun`: a byte of the response had come. */
  onError(error: Error, hasBegun: boolean): void;
}

/** The owner of a connection. */
export interface ConnectionOwner {
  /** Called once, when it can take its first call. */
  onOpen(): void;
  /** Called after a call, when it can take the next one. */
  onFree(): void;
  /** Called once. `error`: the reason why it could not be made; `null` if it was open. */
  onClosed(error: Error | null): void;
}

// Long enough to be reused by a busy receiver, short enough that ten thousand receivers called once do not pile up
// sockets.
const IDLE_MS = 10_000;
// A receiver's `Keep-Alive: timeout` may lengthen that up to this. A connection is closed one second before, because
// the receiver's time starts earlier.
const IDLE_MAX_MS = 60_000;
const IDLE_MARGIN_MS = 1_000;
// A connection is pinned to one address: this is how long a changed DNS record can go unnoticed.
const MAX_AGE_MS = 5 * 60_000;

/** A connection to a receiver: one call at a time, no pipelining. */
export class HttpConnection {
  readonly #owner: ConnectionOwner;
  readonly #parser: ResponseParser;
  readonly #socket: Socket | null;
  readonly #expiresAt = performance.now() + MAX_AGE_MS;
  #exchange: PendingExchange | null = null;
  #isOpen = false;
  #isClosed = false;
  #isNew = true;
  #keptUntil = 0;

  constructor(dial: (user: SocketUser) => Socket | null, responseBytes: number, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#parser = new ResponseParser(responseBytes, {
      onHead: (head) => this.#exchange?.onHead(head),
      onBody: (part) => this.#exchange?.onBody(part),
      onEnd: () => this.#endCall(),
    });
    this.#socket = dial({
      onRead: (bytes) => this.#read(bytes),
      onOpen: () => this.#open(),
      onError: (error) => this.#close(error),
    });
  }

  /** Reports whether it has had no call yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Reports whether it is safe to reuse. */
  get isFresh(): boolean {
    const now = performance.now();
    return !this.#isClosed && now < this.#keptUntil && now < this.#expiresAt;
  }

  /** Begins a call. `isReused`: the connection has had a call before, or was idle. */
  begin(exchange: PendingExchange, isReused: boolean): void {
    this.#isNew = false;
    this.#exchange = exchange;
    this.#parser.expect(exchange.method);
    exchange.onStart(this, isReused);
    // It may have ended meanwhile.
    if (this.#isClosed) return;
    const [head, body] = exchange.bytes;
    if (body) this.#socket?.cork();
    this.#socket?.write(head ?? '');
    if (body) {
      this.#socket?.write(body);
      this.#socket?.uncork();
    }
    chaos.reach('attempt.sent');
  }

  /** Closes the connection, without a word to its call. */
  drop(): void {
    this.#exchange = null;
    this.#close(new TransportError('ERR_CLOSED'));
  }

  /** Closes the connection because the pool ends. Its call fails. */
  destroy(): void {
    this.#close(new TransportError('ERR_POOL_DESTROYED'));
  }

  #open(): void {
    if (this.#isClosed) return;
    this.#isOpen = true;
    this.#keepFor(IDLE_MS);
    this.#socket?.once('end', () => this.#end());
    this.#socket?.once('close', () => this.#close(new TransportError('ERR_CLOSED')));
    this.#owner.onOpen();
  }

  #read(bytes: Buffer): void {
    // Bytes without a call answer nothing.
    if (!this.#exchange) return this.#close(new TransportError('ERR_CLOSED'));
    try {
      this.#parser.read(bytes);
    } catch (error) {
      this.#close(error as Error);
    }
  }

  #end(): void {
    try {
      if (this.#exchange) this.#parser.close();
    } catch (error) {
      this.#close(error as Error);
    }
    this.#close(new TransportError('ERR_CLOSED'));
  }

  #endCall(): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    const { isReusable, keepAliveMs } = this.#parser;
    this.#keepFor(keepAliveMs === null ? IDLE_MS : Math.min(keepAliveMs - IDLE_MARGIN_MS, IDLE_MAX_MS));
    // A response that came before the end of its request leaves the rest of the request in the way.
    if (isReusable && this.#socket?.writableLength === 0 && this.isFresh) this.#owner.onFree();
    else this.#close(new TransportError('ERR_CLOSED'));
    exchange?.onEnd();
  }

  #keepFor(ms: number): void {
    this.#keptUntil = performance.now() + ms;
  }

  #close(error: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parser.drop();
    this.#socket?.destroy();
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#owner.onClosed(this.#isOpen ? null : error);
    exchange?.onError(error, this.#parser.hasBegun);
  }
}
