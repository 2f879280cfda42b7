import type { Operations } from '@hubline/contract/types';
import { decodeText, readText } from '../internal/read-text.ts';
import { ApiPromise } from './api-promise.ts';
import type { Answer, Call } from './call.ts';
import type { Config } from './config.ts';
import { InvalidResponseError } from './errors.ts';
import { exchange } from './exchange.ts';
import { Page, PagePromise } from './page.ts';
import { parseAnswer, parsePage } from './parse-answer.ts';
import { readLive } from './read-live.ts';
import type { Success } from './round-trip.ts';

/** The name of a method. */
export type OperationName = keyof Operations;

/** Makes calls and gives each result its form. What resources are built on. */
export class Requester {
  #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  get config(): Config {
    return this.#config;
  }

  /** Learns from the calls of another client, and tells it of its own, when the server cannot tell the two apart. */
  share({ config: { apiKey, baseURL, state } }: Requester): void {
    if (apiKey === this.#config.apiKey && baseURL === this.#config.baseURL)
      this.#config = { ...this.#config, state };
  }

  /** A call whose response is one JSON value, or nothing. */
  json<T>(call: Call): ApiPromise<T> {
    const schema = this.#schema(call);
    return new ApiPromise(this.#answer(call), async (answer) => (await parseAnswer(answer, schema)) as T);
  }

  /** A call whose response is a page. */
  page<T>(call: Call): PagePromise<T> {
    const schema = this.#schema(call);
    return new PagePromise(this.#answer(call), async (answer) => {
      const wire = parsePage<T>(answer, await parseAnswer(answer, schema));
      const cursor = call.query?.['cursor'];
      return new Page(wire, {
        cursor: typeof cursor === 'string' ? cursor : null,
        response: answer.info,
        read: (next) => this.page<T>({ ...call, query: { ...call.query, cursor: next } }),
      });
    });
  }

  /** A call whose response is read while it arrives. The caller ends its connection. */
  open(call: Call): Promise<Success> {
    return exchange(this.config, call, (success) => Promise.resolve(success));
  }

  /** A call whose response is text, in pieces as they arrive. */
  async *text(call: Call): AsyncGenerator<string, void, undefined> {
    const idleMs = call.options?.timeout ?? this.config.limits.timeout;
    yield* decodeText(readLive(await this.open(call), idleMs));
  }

  #answer(call: Call): Promise<Answer> {
    const { maxResponseBytes } = this.config;
    return exchange(this.config, call, async ({ info, body, connection, lost }) => {
      const { text, complete } = await readText(body, maxResponseBytes).catch((cause: unknown) => {
        throw lost(cause);
      });
      connection.release();
      if (complete) return { info, text };
      throw new InvalidResponseError(
        `The response is larger than ${maxResponseBytes} bytes: ask for smaller pages, or raise maxResponseBytes.`,
        info,
      );
    });
  }

  #schema({ operation, options }: Call) {
    return options?.schema ?? this.config.schemas[operation as OperationName];
  }
}
