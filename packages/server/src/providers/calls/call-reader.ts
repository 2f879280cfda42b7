import { Fault } from '../../domain/faults/fault.ts';
import type { Credentials, IngestRequest, Provider } from '../provider.ts';
import { ownBytes } from './messages.ts';
import { type CallFormat, type CallReading, readCall, verifierOf } from './read-call.ts';
import { ReadingThread } from './reading-thread.ts';

/** The rules by which a call is verified and read. */
export interface CallRules {
  provider: Provider;
  /** The JSON text of the definition that made the provider; `null` for a built-in one. */
  definition: string | null;
  format: CallFormat;
}

interface ReaderOptions {
  /** The program of the thread for long calls. Default: `call-thread`. */
  program?: URL | undefined;
  /** Called if the thread has ended by itself. The next long call starts another. */
  onDeath: (reason: Error) => void;
}

// Checking a megabyte of JSON can take 30 ms, and a call has up to 25.
const LONG_BYTES = 256 * 1024;
// The thread takes about 30 MB, so it does not stay for a call that comes once a day.
const IDLE_MS = 30_000;
const RETRY_SECONDS = 5;

/** Verifies and reads the calls of providers: short ones at once, long ones in a thread. */
export class CallReader {
  readonly #options: ReaderOptions;
  #thread: ReadingThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Verifies a call, and reads it if it is authentic. The body of a long call is gone afterward. Throws a `Fault` 503 if the thread died. */
  async read(rules: CallRules, request: IngestRequest, credentials: Credentials): Promise<CallReading> {
    const { provider, definition, format } = rules;
    const verifier = verifierOf(provider, format);
    if (!verifier) throw new TypeError(`${provider.key} takes no calls of the format "${format}".`);
    if (request.body.length <= LONG_BYTES) return readCall(verifier, request, credentials);
    const { headers, query, now, body } = request;
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    try {
      return await thread.read({
        provider: provider.key,
        definition,
        format,
        credentials,
        headers,
        query,
        now,
        body: ownBytes(body),
      });
    } catch (error) {
      if (thread === this.#thread) throw error;
      throw new Fault('service_unavailable', 'The call could not be read. Repeat it.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    } finally {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  /**
   * Does the work for a call. Long calls take turns, because each takes several times its size: as text, as a value, and in
   * the copies that the database makes.
   */
  async inTurn<Result>(body: Buffer, work: () => Promise<Result>): Promise<Result> {
    if (body.length <= LONG_BYTES) return work();
    const before = this.#lastTurn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastTurn = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  /** Ends the thread, if there is one. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }

  #start(): ReadingThread {
    const thread = new ReadingThread({
      program: this.#options.program,
      onDeath: (reason) => {
        if (thread === this.#thread) this.#thread = undefined;
        this.#options.onDeath(reason);
      },
    });
    return thread;
  }
}
