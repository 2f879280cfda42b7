import type { Answer, ResponseInfo } from './call.ts';

/**
 * The data of a response, and what the response tells beside it.
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
  /** What awaiting the call gives. */
  readonly data: T;
  /** Status, headers, request id and rate limit. */
  readonly response: ResponseInfo;
}

/**
 * The promise of a call. The request is under way; await it for the data, or ask for the response as well.
 *
 * @throws {@link APIError} when the server answers with an error, {@link ConnectionError} when no complete answer comes,
 * {@link InvalidResponseError} when something else answers, {@link AbortError} when the signal ends the call, and
 * {@link HublineError} when the call cannot be made as it was written: it rejects, nothing throws at once.
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

  /**
   * The data together with status, headers, request id and rate limit.
   *
   * @example
   * ```ts
   * const { data, response } = await client.workspaces.get(workspaceId).withResponse();
   * console.log(data.name, response.rateLimit?.remaining);
   * ```
   */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this;
    return { data, response: (await this.#answer).info };
  }

  /**
   * The response as a web `Response`, its body complete and not yet parsed. Errors are thrown as ever. To read a body while
   * it arrives, use a streaming method.
   *
   * @example
   * ```ts
   * const response = await client.workspaces.get(workspaceId).asResponse();
   * console.log(response.status, response.headers.get('x-request-id'), await response.text());
   * ```
   */
  async asResponse(): Promise<Response> {
    // Nobody may be waiting for the parsed form, which need not even be valid.
    this.catch(() => {});
    const { info, text } = await this.#answer;
    const { 'content-encoding': _decoded, 'content-length': _encoded, ...headers } = info.headers;
    return new Response(text === '' ? null : text, { status: info.status, headers });
  }
}
