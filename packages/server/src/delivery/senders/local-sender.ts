import { createHttpClient, type HttpClient, type Resolve } from '../../outbound/http-client.ts';
import type { Call, CallResult, Sender } from './call.ts';
import { makeCall } from './make-call.ts';

/** Settings that all senders of a server share. */
export interface SenderSettings {
  userAgent: string;
  /** For development: allows calls to this machine, with `http://` too. */
  allowHttpLocalhost: boolean;
  /** Resolves host names. */
  resolve: Resolve;
  /** Certificate authorities of receivers instead of Node's own, in PEM. */
  ca?: string | undefined;
}

// 64 KiB of body are read. The rest is room for headers and hints, and for bodies in tiny chunks.
const RESPONSE_BYTES = 256 * 1024;

/** A sender that works in the thread that made it. Every sender thread runs one; with `--senders 0` the main thread has the only one. */
export class LocalSender implements Sender {
  readonly #client: HttpClient;
  readonly #userAgent: string;

  constructor({ userAgent, allowHttpLocalhost, resolve, ca }: SenderSettings) {
    this.#userAgent = userAgent;
    this.#client = createHttpClient({
      policy: { allowHttpLocalhost },
      responseBytes: RESPONSE_BYTES,
      resolve,
      ...(ca === undefined ? {} : { ca }),
    });
  }

  send(call: Call): Promise<CallResult> {
    return makeCall(this.#client, call, this.#userAgent);
  }

  destroy(): Promise<void> {
    this.#client.destroy();
    return Promise.resolve();
  }
}
