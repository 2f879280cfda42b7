import type { Operations } from '@hubline/contract/types';
import { ApiPromise } from './api-promise.ts';
import type { Call } from './call.ts';
import type { Config } from './config.ts';
import { loadRunner, type Runner } from './load-runner.ts';
import { PagePromise } from './page-promise.ts';
import { prepare, type Prepared } from './prepare.ts';
import type { Success } from './round-trip.ts';

/**
 * The name of a method, as middleware and logs see it and `schemas` takes it: that of its group and its own.
 *
 * @example
 * ```ts
 * import { Hubline, type OperationName } from '@hubline/sdk';
 *
 * const refused: readonly string[] = ['workspaces.delete'] satisfies OperationName[];
 * const careful = new Hubline({
 *   middleware: [
 *     (request, next, { operation }) => {
 *       if (refused.includes(operation)) throw new Error(`${operation} is not for scripts.`);
 *       return next(request);
 *     },
 *   ],
 * });
 * ```
 */
export type OperationName = keyof Operations;

/** Makes calls and gives each result its form. What resources are built on. */
export class Requester {
  config: Config;

  constructor(config: Config) {
    this.config = config;
  }

  /** Learns from the calls of another client, and tells it of its own, when the server cannot tell the two apart. */
  share({ config: { apiKey, baseURL, state } }: Requester): void {
    if (apiKey === this.config.apiKey && baseURL === this.config.baseURL)
      this.config = { ...this.config, state };
  }

  /** A call whose response is one JSON value, or nothing. */
  json<T>(call: Call): ApiPromise<T> {
    return new ApiPromise(
      this.#run(call, ({ requestJSON }, prepared) => requestJSON<T>(this.config, prepared)),
    );
  }

  /** A call whose response is a page. */
  page<T>(call: Call): PagePromise<T> {
    const cursor = call.query?.['cursor'];
    const source = {
      cursor: typeof cursor === 'string' ? cursor : null,
      read: (next: string) => this.page<T>({ ...call, query: { ...call.query, cursor: next } }),
    };
    return new PagePromise(
      this.#run(call, ({ requestPage }, prepared) => requestPage(this.config, prepared, source)),
    );
  }

  /** A call whose response is read while it arrives. The caller ends its connection. */
  open(call: Call): Promise<Success> {
    return this.#run(call, ({ open }, prepared) => open(this.config, prepared));
  }

  /** A call whose response is text, in pieces as they arrive. */
  async *text(call: Call): AsyncGenerator<string, void, undefined> {
    yield* await this.#run(call, ({ readPieces }, prepared) => readPieces(this.config, prepared));
  }

  /** Checks a call and makes its request at once, as long as its objects are as they were given. */
  async #run<T>(call: Call, run: (runner: Runner, prepared: Prepared) => T | Promise<T>): Promise<T> {
    const prepared = prepare(this.config, call);
    // What it gives is not awaited: that would be one line less of the caller's in the stack of an error.
    return run(await loadRunner(), prepared);
  }
}
