import type { Transferable, Worker } from 'node:worker_threads';
import type { Resolve } from '../../outbound/http-client.ts';
import { startThread } from '../../system/start-thread.ts';
import { TransientMap } from '../../collections/transient.ts';
import { type Call, type CallResult, notMade, type Sender } from './call.ts';
import type { SenderSettings } from './local-sender.ts';
import {
  type CallRow,
  type FromSender,
  type ResultRow,
  type ThreadSettings,
  toCallRow,
  toResult,
  type ToSender,
} from './messages.ts';

interface ThreadOptions extends SenderSettings {
  /** The program of the thread. Default: `sender-thread`. */
  program?: URL | undefined;
  /** Called once, when the thread has ended by itself. */
  onDeath: (reason: Error) => void;
}

interface Running {
  resolve: (result: CallResult | 'interrupted') => void;
  /** The time by which it should have ended, on the monotonic clock. */
  deadline: number;
}

// A thread that has not reported a call this long after its deadline is hanging.
const HANGING_MS = 10_000;
// The time that a thread has to end its calls when the server stops: a few milliseconds, unless it hangs.
const DESTROY_MS = 5_000;

/** A sender in its own thread. */
export class ThreadSender implements Sender {
  /** Settles when the thread has loaded its program, or failed to. */
  readonly ready: Promise<void>;
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #running = new TransientMap<number, Running>();
  #calls: CallRow[] = [];
  #started = 0;
  #isReady = false;
  #ended = false;
  readonly #destroyed = Promise.withResolvers<void>();

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { userAgent, allowHttpLocalhost, resolve, ca } = options;
    const workerData: ThreadSettings = { userAgent, allowHttpLocalhost, ca };
    this.#worker = startThread(options.program ?? 'sender-thread', { workerData, name: 'sender' });
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ready.catch(() => undefined);
    this.#worker.on('message', (message: FromSender) => {
      if (message === 'ready') {
        this.#isReady = true;
        ready.resolve();
      } else if (message === 'destroyed') this.#destroyed.resolve();
      else if ('results' in message) this.#finish(message.results);
      else void this.#resolveName(message.lookUp, resolve);
    });
    let reason = new Error('the thread ended');
    this.#worker.on('error', (error) => (reason = error as Error));
    this.#worker.once('exit', () => {
      ready.reject(reason);
      this.#end(reason);
    });
  }

  /** Calls under way. */
  get running(): number {
    return this.#running.size;
  }

  /** The time for which the thread has worked since its start, in milliseconds. */
  get busyMs(): number {
    return this.#ended ? 0 : this.#worker.performance.eventLoopUtilization().active;
  }

  send(call: Call): Promise<CallResult | 'interrupted'> {
    if (this.#ended) return Promise.resolve(notMade('the sender has ended'));
    const id = (this.#started += 1);
    return new Promise((resolve) => {
      this.#running.set(id, { resolve, deadline: performance.now() + call.timeoutMs });
      // Those of the same turn of the event loop travel together.
      if (this.#calls.push(toCallRow(id, call)) === 1) setImmediate(() => this.#flush());
    });
  }

  /** Ends the thread if it has stopped reporting results. */
  endIfHanging(): void {
    // Calls begin in order and mostly have the same deadline: the first is the one that should have ended first.
    const { first } = this.#running;
    if (first && performance.now() > first.deadline + HANGING_MS) void this.#worker.terminate();
  }

  async destroy(): Promise<void> {
    if (!this.#ended) {
      this.#flush();
      this.#post('destroy');
      this.#worker.once('exit', () => this.#destroyed.resolve());
      const late = setTimeout(() => this.#destroyed.resolve(), DESTROY_MS);
      await this.#destroyed.promise;
      clearTimeout(late);
      this.#ended = true;
    }
    await this.#worker.terminate();
  }

  #flush(): void {
    if (this.#calls.length === 0) return;
    const calls = this.#calls.splice(0);
    if (this.#ended) return;
    // A large body has memory of its own, which is transferred instead of copied.
    this.#post(
      { calls },
      calls.flatMap(([, , , , , body]) => ownMemory(body)),
    );
  }

  #post(message: ToSender, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #finish(results: readonly ResultRow[]): void {
    for (const row of results) {
      const [id] = row;
      this.#running.get(id)?.resolve(toResult(row));
      this.#running.delete(id);
    }
  }

  async #resolveName(name: string, resolve: Resolve): Promise<void> {
    try {
      this.#post({ name, addresses: await resolve(name) });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.#post({ name, code, message });
    }
  }

  #end(reason: Error): void {
    const wasDestroyed = this.#ended;
    this.#ended = true;
    // A thread that never ran has sent nothing.
    const result = this.#isReady ? 'interrupted' : notMade('the sender did not start');
    for (const { resolve } of this.#running.values()) resolve(result);
    this.#running.clear();
    if (!wasDestroyed) this.#options.onDeath(reason);
  }
}

/** The memory of a body that no other buffer shares. */
function ownMemory(body: Call['body']): ArrayBuffer[] {
  if (typeof body === 'string' || body.byteLength !== body.buffer.byteLength) return [];
  return body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
}
