import { TransportError } from '../failures/transport-error.ts';
import type { Dial } from './dial.ts';
import { HttpConnection, type PendingExchange } from './http-connection.ts';

/** The settings of the connections to one origin. */
export interface OriginOptions {
  dial: Dial;
  /** The most connections. */
  connections: number;
  /** The most that is read for one response, in bytes. */
  responseBytes: number;
  /** Reports whether another idle connection may be kept. */
  mayKeep: () => boolean;
  /** Called with 1 for a connection that is idle from now on, and -1 for one that no longer is. */
  onIdle: (difference: 1 | -1) => void;
}

/** A call that waits for a connection. */
interface WaitingCall {
  readonly exchange: PendingExchange;
  readonly since: number;
}

/** A call that has waited this long for a connection gets another, in milliseconds. */
const PATIENCE_MS = 50;
/**
 * A connection that is not made within this time no longer keeps calls from making another, in milliseconds: one dead
 * machine behind a name must not hold up the calls that the others would take. Much longer than a handshake, so that a
 * busy server or receiver does not get more of them.
 */
const LATE_MS = 5_000;

/**
 * The connections to one origin. Over TLS, a call first waits for a connection that is being made or will soon be free:
 * if each call that finds none free made its own, a burst would make eight for each receiver, and the handshakes would
 * take more time than all the calls. Calls that have waited too long get more connections, at most as many at a time as
 * are open already, so that a slow receiver soon has enough.
 */
export class OriginPool {
  readonly #origin: URL;
  readonly #options: OriginOptions;
  readonly #isPatient: boolean;
  /** Connections that are being made, and since when. */
  readonly #dialing = new Map<HttpConnection, number>();
  readonly #open = new Set<HttpConnection>();
  /** Open connections without a call. The one that was used last is used next, so that the others end. */
  readonly #free: HttpConnection[] = [];
  readonly #waiting: WaitingCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(origin: URL, options: OriginOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#isPatient = origin.protocol === 'https:';
  }

  /** Reports whether it has no connection, and no call for one. */
  get isEmpty(): boolean {
    return this.#open.size + this.#dialing.size + this.#waiting.length === 0;
  }

  /** Makes a call as soon as there is a connection for it. */
  send(exchange: PendingExchange): void {
    const free = this.#takeFree();
    if (free && !exchange.needsNew) return free.begin(exchange, true);
    const call = { exchange, since: performance.now() };
    if (exchange.needsNew) this.#waiting.unshift(call);
    else this.#waiting.push(call);
    // Makes room for a new one.
    free?.drop();
    this.#dialForWaiting();
  }

  /** Closes the idle connections whose time is over. */
  closeStale(): void {
    // A copy: dropped ones leave the list.
    for (const connection of this.#free.filter(({ isFresh }) => !isFresh)) connection.drop();
  }

  /** Ends everything, calls too. */
  destroy(): void {
    clearTimeout(this.#timer);
    const waiting = this.#waiting.splice(0);
    for (const connection of [...this.#dialing.keys(), ...this.#open]) connection.destroy();
    for (const { exchange } of waiting) exchange.onError(new TransportError('ERR_POOL_DESTROYED'), false);
  }

  #takeFree(): HttpConnection | undefined {
    for (let connection = this.#free.pop(); connection; connection = this.#free.pop()) {
      this.#options.onIdle(-1);
      if (connection.isFresh) return connection;
      connection.drop();
    }
    return undefined;
  }

  /** Makes connections for the calls that need not wait any longer. */
  #dialForWaiting(): void {
    const now = performance.now();
    let expected = this.#expectedAt(now);
    // Each connection that is being made is for one of the first.
    for (let next = this.#waiting[expected]; next !== undefined; next = this.#waiting[expected]) {
      if (next.exchange.isOver) {
        this.#waiting.splice(expected, 1);
        continue;
      }
      if (!this.#mayDial(next.exchange.needsNew ? PATIENCE_MS : now - next.since, expected)) break;
      this.#dial(now);
      expected += 1;
    }
    if (this.#waiting.length > 0 && this.#isPatient) this.#lookAgain();
  }

  /** Connections that are being made and are not late. */
  #expectedAt(now: number): number {
    return [...this.#dialing.values()].filter((since) => now - since < LATE_MS).length;
  }

  #mayDial(waitedMs: number, expected: number): boolean {
    const open = this.#open.size;
    if (open + this.#dialing.size >= this.#options.connections) return false;
    return !this.#isPatient || open + expected === 0 || (waitedMs >= PATIENCE_MS && expected < open);
  }

  #dial(now: number): void {
    const { dial, responseBytes } = this.#options;
    const connection = new HttpConnection((user) => dial(this.#origin, user), responseBytes, {
      onOpen: () => {
        this.#dialing.delete(connection);
        this.#open.add(connection);
        this.#use(connection);
      },
      onFree: () => this.#use(connection),
      onClosed: (error) => {
        if (this.#dialing.delete(connection) && error) this.#fail(error, now);
        this.#open.delete(connection);
        this.#forgetFree(connection);
        this.#dialForWaiting();
      },
    });
    this.#dialing.set(connection, now);
  }

  /** Fails the first call that has waited for a connection since it was begun. */
  #fail(error: Error, begunAt: number): void {
    const index = this.#waiting.findIndex(({ exchange, since }) => since <= begunAt && !exchange.isOver);
    if (index >= 0) this.#waiting.splice(index, 1)[0]?.exchange.onError(error, false);
  }

  /** Begins the next call on a connection, or keeps it for one. */
  #use(connection: HttpConnection): void {
    const { isNew } = connection;
    const exchange = this.#next(isNew);
    if (exchange) connection.begin(exchange, !isNew);
    // Calls that still wait need a new connection, and this one may be in its way.
    else if (this.#waiting.length === 0 && this.#options.mayKeep()) {
      this.#free.push(connection);
      this.#options.onIdle(1);
    } else connection.drop();
  }

  #forgetFree(connection: HttpConnection): void {
    const index = this.#free.indexOf(connection);
    if (index < 0) return;
    this.#free.splice(index, 1);
    this.#options.onIdle(-1);
  }

  /** Takes the first call that waits for a connection, new or not. */
  #next(isNew: boolean): PendingExchange | undefined {
    while (this.#waiting[0]?.exchange.isOver) this.#waiting.shift();
    const index = isNew
      ? 0
      : this.#waiting.findIndex(({ exchange }) => !exchange.needsNew && !exchange.isOver);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0]?.exchange;
  }

  #lookAgain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#dialForWaiting();
    }, PATIENCE_MS).unref();
  }
}
