import type { Page, ToArrayOptions } from './page.ts';
import type { RawResponse, ResponseInfo } from './response.ts';

/**
 * The data of a response, with its metadata.
 *
 * @example
 * ```ts
 * import type { Webhook, WithResponse } from '@hubline/sdk';
 *
 * const log = ({ data, response }: WithResponse<Webhook>) => console.log(data.status, response.requestId);
 * log(await client.webhooks.get('whk_…').withResponse());
 * ```
 */
export interface WithResponse<T> {
  /** The same data that awaiting the call gives. */
  readonly data: T;
  /** Status, headers, request ID and rate limit. */
  readonly response: ResponseInfo;
}

/**
 * The promise of a call. The request is already under way. Await the promise for the data, or ask for the response as well.
 *
 * @throws {@link APIError} when the server responds with an error, {@link ConnectionError} when no complete response comes,
 * {@link InvalidResponseError} when something else responds, {@link AbortError} when the signal ends the call, and
 * {@link HublineError} when the call itself is invalid. The promise rejects; the method never throws.
 *
 * @example
 * ```ts
 * const me = await client.me.get();
 * const { data, response } = await client.me.get().withResponse();
 * console.log(data.user.email, response.requestId, response.rateLimit?.remaining);
 * ```
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #raw: Promise<RawResponse<T>>;

  /** @internal */
  constructor(raw: Promise<RawResponse<T>>) {
    super((resolve, reject) => {
      raw.then(({ parse }) => parse()).then(resolve, reject);
    });
    this.#raw = raw;
  }

  /** Makes `then` return an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * The data together with status, headers, request ID and rate limit.
   *
   * @example
   * ```ts
   * const { data, response } = await client.workspaces.get(workspaceId).withResponse();
   * console.log(data.name, response.rateLimit?.remaining);
   * ```
   */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this;
    return { data, response: (await this.#raw).info };
  }

  /**
   * The response as a web `Response`, its body complete and not yet parsed. Errors are thrown as always. To read a body while
   * it arrives, use a streaming method.
   *
   * @example
   * ```ts
   * const response = await client.workspaces.get(workspaceId).asResponse();
   * console.log(response.status, response.headers.get('x-request-id'), await response.text());
   * ```
   */
  async asResponse(): Promise<Response> {
    // The parsed form may be invalid, and nobody may be waiting for it: its rejection must not go unhandled.
    this.catch(() => {});
    const { info, text } = await this.#raw;
    // As with fetch, the headers describe the body as it was sent, although it is decoded here.
    return new Response(text || null, { status: info.status, headers: info.headers });
  }
}

/**
 * The promise of a page that is also the whole list: await it for the first page, or iterate it for every item. Whoever
 * does so gets the error, now or later; if nobody does, it is dropped.
 * Specification, "Pagination (list endpoints)" 1 to 3.
 *
 * @example
 * ```ts
 * for await (const member of client.members.list(workspaceId)) console.log(member.email);
 * ```
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /** @internal */
  constructor(raw: Promise<RawResponse<Page<Item>>>) {
    super(raw);
    // Otherwise a list that is iterated later, or never, would end the process of Node if its first page fails.
    this.catch(() => {});
  }

  /**
   * All pages, read one by one as they are asked for.
   *
   * @throws {@link InvalidResponseError} when the list would never end: a cursor repeats, or 10,000 pages in a row are empty.
   *
   * @example
   * ```ts
   * for await (const page of client.events.list(workspaceId, { limit: 100 }).pages())
   *   console.log(page.data.length, page.nextCursor); // keep the cursor to continue there later
   * ```
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* (await this).pages();
  }

  /** The items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }

  /**
   * Collects the items of all pages, up to `limit`.
   *
   * @throws {@link InvalidResponseError} when the list would never end: a cursor repeats, or 10,000 pages in a row are empty.
   *
   * @example
   * ```ts
   * const latest = await client.events.list(workspaceId).toArray({ limit: 50 });
   * ```
   */
  async toArray(options?: ToArrayOptions): Promise<Item[]> {
    return (await this).toArray(options);
  }
}
