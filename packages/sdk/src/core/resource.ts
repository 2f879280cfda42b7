import type { Operations, Page as WirePage } from '@hubline/contract/types';
import type { Endpoint, Query } from '../internal/url.ts';
import { ApiPromise, PagePromise } from './api-promise.ts';
import type { Call, OperationName } from './call.ts';
import { invalidResponse } from './errors.ts';
import { EventStream } from './event-stream.ts';
import type { RequestOptions, StreamOptions } from './options.ts';
import { Page } from './page.ts';
import type { Requester } from './requester.ts';
import type { RawResponse } from './response.ts';

/** Query of a method. */
export type QueryOf<Name extends OperationName> = NonNullable<Operations[Name]['query']>;

/** The methods of a noun. */
type VerbOf<Noun extends string> = OperationName extends infer Name
  ? Name extends `${Noun}.${infer Verb}`
    ? Verb
    : never
  : never;
type Operation<Noun extends string, Verb extends string> = Operations[Extract<
  OperationName,
  `${Noun}.${Verb}`
>];
type Response<Noun extends string, Verb extends string> = Operation<Noun, Verb>['response'];
type Item<Of> = Of extends WirePage<infer Each> ? Each : never;

/** The body of a write, or the query of a read. */
type Input<Of extends { query: unknown; body: unknown }> = Of['query'] | Of['body'];

/** A resource of the API, named by a noun such as `members`. Each of its methods makes one call. */
export abstract class Resource<Noun extends string> {
  readonly #requester: Requester;
  readonly #noun: Noun;

  /** @internal */
  constructor(requester: Requester, noun: Noun) {
    this.#requester = requester;
    this.#noun = noun;
  }

  /** @internal */
  protected call<Verb extends VerbOf<Noun>>(
    verb: Verb,
    endpoint: Endpoint,
    options: RequestOptions | undefined,
    input?: Input<Operation<Noun, Verb>>,
  ): ApiPromise<Response<Noun, Verb>> {
    const call = this.#callOf(verb, endpoint, options, input);
    return new ApiPromise(this.#requester.run(call, 'request') as Promise<RawResponse<Response<Noun, Verb>>>);
  }

  /** @internal */
  protected page<Verb extends VerbOf<Noun>>(
    verb: Verb,
    endpoint: Endpoint,
    options: RequestOptions | undefined,
    query: Operation<Noun, Verb>['query'] | undefined,
  ): PagePromise<Item<Response<Noun, Verb>>> {
    return pageOf(this.#requester, this.#callOf(verb, endpoint, options, query));
  }

  /** @internal */
  protected async *csv<Verb extends VerbOf<Noun>>(
    verb: Verb,
    endpoint: Endpoint,
    options: RequestOptions | undefined,
    query: Operation<Noun, Verb>['query'],
  ): AsyncGenerator<string, void, undefined> {
    yield* await this.#requester.run(this.#callOf(verb, endpoint, options, query), 'readCsv');
  }

  /** @internal */
  protected follow<Verb extends VerbOf<Noun>>(
    verb: Verb,
    endpoint: Endpoint,
    options: StreamOptions | undefined,
    query: Operation<Noun, Verb>['query'] | undefined,
  ): EventStream<Response<Noun, Verb>> {
    return new EventStream(this.#requester, this.#callOf(verb, endpoint, undefined, query), options);
  }

  #callOf(verb: string, endpoint: Endpoint, options: RequestOptions | undefined, input: unknown): Call {
    const operation = `${this.#noun}.${verb}`;
    const place = endpoint.method === 'GET' ? 'query' : 'body';
    // A query is copied, since it is sent again for later pages and connections. A body is sent by one call only.
    return { operation, ...endpoint, options, [place]: place === 'query' ? { ...(input as Query) } : input };
  }
}

/** Reads a page, from which those that follow can be read. */
function pageOf<Each>(requester: Requester, call: Call): PagePromise<Each> {
  const cursor = call.query?.['cursor'];
  const source = {
    cursor: typeof cursor === 'string' ? cursor : null,
    read: (next: string): Promise<Page<Each>> =>
      pageOf(requester, { ...call, query: { ...call.query, cursor: next } }),
  };
  const page = requester.run(call, 'request').then((raw) => ({
    ...raw,
    parse: async () =>
      new Page<Each>(await raw.parse(), {
        ...source,
        rateLimit: raw.info.rateLimit,
        invalid: (what) => invalidResponse(raw.name, raw.info, what),
      }),
  }));
  return new PagePromise(page);
}
