import type { Worker } from 'node:worker_threads';
import { startThread } from '../../system/start-thread.ts';
import type { CallToRead, FromReader } from './messages.ts';
import type { CallReading } from './read-call.ts';

interface ThreadOptions {
  /** The program of the thread. Default: `call-thread`. */
  program: URL | undefined;
  /** Called once, if the thread has ended by itself. The calls that it had are rejected with the same reason. */
  onDeath: (reason: Error) => void;
}

/** A thread that reads calls. */
export class ReadingThread {
  readonly #worker: Worker;
  readonly #reading = new Map<number, PromiseWithResolvers<CallReading>>();
  #calls = 0;
  #ended = false;

  constructor({ program, onDeath }: ThreadOptions) {
    this.#worker = startThread(program ?? 'call-thread', { name: 'calls' });
    this.#worker.on('message', (message: FromReader) => this.#finish(message));
    let reason = new Error('the thread ended');
    this.#worker.on('error', (error) => (reason = error as Error));
    this.#worker.once('exit', () => {
      if (!this.#ended) onDeath(reason);
      for (const { reject } of this.#reading.values()) reject(reason);
    });
  }

  /** Reads a call. Its body belongs to the thread from now on. */
  read(call: Omit<CallToRead, 'id'>): Promise<CallReading> {
    const id = (this.#calls += 1);
    const reading = Promise.withResolvers<CallReading>();
    this.#reading.set(id, reading);
    this.#worker.postMessage({ ...call, id } satisfies CallToRead, [call.body.buffer]);
    return reading.promise;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #finish(message: FromReader): void {
    const of = this.#reading.get(message.id);
    this.#reading.delete(message.id);
    if ('error' in message) of?.reject(message.error);
    else of?.resolve(withPayload(message.reading, message.payload));
  }
}

/** Puts the payload back, which is transferred on its own instead of being copied. */
function withPayload(reading: CallReading, payload: Uint8Array<ArrayBuffer> | null): CallReading {
  if (payload === null || !reading.ok || reading.received.kind !== 'event') return reading;
  return { ...reading, received: { ...reading.received, payload: Buffer.from(payload.buffer) } };
}
