import type { Operations, Page as WirePage } from '@hubline/contract/types';
import type { ApiPromise } from './api-promise.ts';
import type { Call } from './call.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import type { PagePromise } from './page-promise.ts';
import type { OperationName, Requester } from './requester.ts';

/** Query of a method. */
export type QueryOf<Name extends OperationName> = NonNullable<Operations[Name]['query']>;

type ResponseOf<Name extends OperationName> = Operations[Name]['response'];
type ItemOf<Name extends OperationName> = ResponseOf<Name> extends WirePage<infer Item> ? Item : never;

/** A call without its name, with the query and body of that operation. */
interface CallOf<Name extends OperationName> extends Omit<Call, 'operation' | 'query' | 'body'> {
  readonly query?: Operations[Name]['query'];
  readonly body?: Operations[Name]['body'];
}

type ReadOf<Name extends OperationName> = Omit<CallOf<Name>, 'method' | 'body'>;

/** A noun of the API. Its methods are one call each. */
export abstract class Resource {
  readonly #requester: Requester;

  /** @internal */
  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** @internal */
  protected call<Name extends OperationName>(
    operation: Name,
    call: CallOf<Name>,
  ): ApiPromise<ResponseOf<Name>> {
    return this.#requester.json({ operation, ...call });
  }

  /** @internal */
  protected page<Name extends OperationName>(operation: Name, read: ReadOf<Name>): PagePromise<ItemOf<Name>> {
    return this.#requester.page({ operation, ...read });
  }

  /** @internal */
  protected text<Name extends OperationName>(
    operation: Name,
    read: ReadOf<Name>,
  ): AsyncGenerator<string, void, undefined> {
    return this.#requester.text({ operation, ...read });
  }

  /** @internal */
  protected follow<Name extends OperationName>(
    operation: Name,
    { options, ...read }: Omit<ReadOf<Name>, 'options'> & { options?: StreamOptions | undefined },
  ): EventStream<ResponseOf<Name>> {
    return new EventStream(this.#requester, { operation, ...read }, options);
  }
}
