import { Client, type Dispatcher, Pool } from 'undici';

/** A handler that may have ended before its request begins, such as by its deadline. */
export interface PatientHandler extends Dispatcher.DispatchHandler {
  readonly isOver?: boolean;
}

interface WaitingRequest {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: PatientHandler;
  readonly since: number;
}

type Connector = Extract<NonNullable<Pool.Options['connect']>, (...given: never[]) => unknown>;

/** Options of a pool whose connections are made by a function. */
export type PatientOptions = Pool.Options & { connect: Connector };

/** A request that has waited this long for a connection gets another, in milliseconds. */
const PATIENCE_MS = 50;

/**
 * The connections to one HTTPS origin. undici's own pool makes another as soon as none is free: in a burst, each
 * receiver got eight, and the handshakes took more time than all the calls. Here a request first waits for a connection
 * that is being made or will soon be free. Requests that have waited too long get more connections, at most as many at
 * a time as are open already, so that a slow receiver soon has enough.
 */
export class PatientPool extends Pool {
  readonly #waiting: WaitingRequest[] = [];
  #dialing = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(origin: string | URL, { connect, ...options }: PatientOptions) {
    super(origin, {
      ...options,
      connect: (target, callback) => {
        this.#dialing += 1;
        connect(target, (...result) => {
          this.#dialing -= 1;
          callback(...result);
          // Not at once: the first request on the new connection is just beginning.
          queueMicrotask(() => this.#serve());
        });
      },
      factory: (url, settings) => {
        const client = new Client(url, settings);
        // The pool's own listener runs after this one, and only then is the connection free.
        return client.on('drain', () => queueMicrotask(() => this.#serve()));
      },
    });
    this.on('disconnect', () => this.#serve());
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: PatientHandler): boolean {
    if (this.#waiting.length === 0 && this.#hasRoom(0)) return super.dispatch(options, handler);
    this.#waiting.push({ options, handler, since: performance.now() });
    this.#serveLater();
    return false;
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(...given: unknown[]): unknown {
    // Sent before the connections are closed, as undici does with its own queue.
    this.#begin(this.#waiting.length);
    return Reflect.apply(super.close, this, given);
  }

  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(...given: unknown[]): unknown {
    const destroyed: unknown = Reflect.apply(super.destroy, this, given);
    // undici now refuses them and calls their handlers.
    this.#begin(this.#waiting.length);
    return destroyed;
  }

  #hasRoom(waitedMs: number): boolean {
    const { connected, free } = this.stats;
    if (free > 0 || connected + this.#dialing === 0) return true;
    return waitedMs >= PATIENCE_MS && this.#dialing < connected;
  }

  /** Begins the requests that need not wait any longer, in order. */
  #serve(): void {
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      if (!first.handler.isOver && !this.#hasRoom(performance.now() - first.since)) break;
      this.#begin(1);
    }
    if (this.#waiting.length > 0) this.#serveLater();
  }

  #begin(count: number): void {
    for (const { options, handler } of this.#waiting.splice(0, count))
      if (!handler.isOver) super.dispatch(options, handler);
  }

  #serveLater(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#serve();
    }, PATIENCE_MS).unref();
  }
}
