import type { Answer, ResponseInfo } from './call.ts';

/** The data of a response, and what the response tells beside it. */
export interface WithResponse<T> {
  /** What awaiting the call gives. */
  readonly data: T;
  /** Status, headers, request id and rate limit. */
  readonly response: ResponseInfo;
}

/**
 * The promise of a call. The request is under way; await it for the data, or ask for the response as well.
 *
 * @example
 * ```ts
 * const me = await client.me.get();
 * const { data, response } = await client.me.get().withResponse();
 * console.log(data.user.email, response.requestId, response.rateLimit?.remaining);
 * ```
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>;

  /** @internal */
  constructor(answer: Promise<Answer<T>>) {
    super((resolve, reject) => {
      answer.then(({ parse }) => parse()).then(resolve, reject);
    });
    this.#answer = answer;
  }

  /** What `then` makes is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The data together with status, headers, request id and rate limit. */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this;
    return { data, response: (await this.#answer).info };
  }

  /**
   * The response as a web `Response`, its body complete and not yet parsed. Errors are thrown as ever. To read a body
   * while it arrives, use a streaming method.
   */
  async asResponse(): Promise<Response> {
    // Nobody may be waiting for the parsed form, which need not even be valid.
    this.catch(() => {});
    const { info, text } = await this.#answer;
    const { 'content-encoding': _decoded, 'content-length': _encoded, ...headers } = info.headers;
    return new Response(text === '' ? null : text, { status: info.status, headers });
  }
}
