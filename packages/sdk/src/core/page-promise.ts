import { ApiPromise } from './api-promise.ts';
import type { Page, ToArrayOptions } from './page.ts';

/**
 * The promise of a page that is also the whole list: await it for the first page, or iterate it for every item.
 * Specification, "Pagination (list endpoints)".
 *
 * @example
 * ```ts
 * for await (const member of client.members.list(workspaceId)) console.log(member.email);
 * ```
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /**
   * All pages, read one by one as they are asked for.
   *
   * @throws {@link InvalidResponseError} when a cursor comes back that was followed before: the list would never end.
   *
   * @example
   * ```ts
   * for await (const page of client.events.list(workspaceId, { limit: 100 }).pages())
   *   console.log(page.data.length, page.nextCursor); // keep the cursor to go on there later
   * ```
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* (await this).pages();
  }

  /** All items, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }

  /**
   * Collects the items of all pages, up to `limit`.
   *
   * @throws {@link InvalidResponseError} when a cursor comes back that was followed before: the list would never end.
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
