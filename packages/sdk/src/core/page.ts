import type { Page as WirePage, Pagination } from '@hubline/contract/types';
import { checked } from './config.ts';
import type { InvalidResponseError } from './errors.ts';
import type { RateLimit } from './response.ts';

/** Empty pages in a row after which a list counts as broken. A search that finds nothing has one for each thousand events at least. */
const MOST_EMPTY_PAGES = 10_000;

/**
 * Limits of {@link Page.toArray}.
 *
 * @example
 * ```ts
 * // Three requests at most; only half of the last page is used.
 * const newest = await client.events.list(workspaceId, { limit: 100 }).toArray({ limit: 250 });
 * ```
 */
export interface ToArrayOptions {
  /**
   * The maximum number of items to collect, from 0. No further page is read once it is reached.
   *
   * @default Infinity
   */
  limit?: number | undefined;
}

const ENDLESS = ': the list would never end';

/** The origin of a page, and the function that reads the next one. */
interface PageSource<Item> {
  /** The cursor that this page was read with. */
  readonly cursor: string | null;
  readonly rateLimit: RateLimit | null;
  /** Makes the error for a response that is not a page, or for a list that would never end. */
  readonly invalid: (what: string) => InvalidResponseError;
  readonly read: (cursor: string) => Promise<Page<Item>>;
}

/**
 * One page of a list, from which the rest can be read. Specification, "Pagination object".
 *
 * @example
 * ```ts
 * const page = await client.events.list(workspaceId, { limit: 100 });
 * for (const event of page.data) console.log(event.type);
 * console.log(page.nextCursor ?? 'That is all.');
 * ```
 */
export class Page<Item> implements WirePage<Item>, AsyncIterable<Item> {
  /** The items of this page. */
  readonly data: Item[];
  /** The next cursor, as the server gave it. */
  readonly pagination: Pagination;
  /** The cursor that this page was read with; `null` for the first. */
  readonly cursor: string | null;
  readonly #source: PageSource<Item>;

  /** @internal */
  constructor(data: unknown, source: PageSource<Item>) {
    // Lists that the specification shows without `pagination` are one page.
    const { data: items, pagination } = data as Partial<WirePage<Item>>;
    const next = pagination?.next_cursor ?? null;
    const more = pagination?.has_more ?? next !== null;
    this.cursor = source.cursor;
    this.#source = source;
    if (!Array.isArray(items) || (more && typeof next !== 'string'))
      throw source.invalid('without data and pagination.next_cursor');
    this.data = items;
    this.pagination = { next_cursor: next, has_more: more };
  }

  /** The cursor to continue with, now or later; `null` on the last page. */
  get nextCursor(): string | null {
    return this.pagination.has_more ? this.pagination.next_cursor : null;
  }

  /** The rate limit after this page was read; `null` if the response did not report it. */
  get rateLimit(): RateLimit | null {
    return this.#source.rateLimit;
  }

  /**
   * Reads the next page; `null` after the last.
   *
   * @example
   * ```ts
   * const first = await client.workspaces.list();
   * const second = await first.nextPage();
   * ```
   */
  async nextPage(): Promise<Page<Item> | null> {
    return this.nextCursor === null ? null : this.#source.read(this.nextCursor);
  }

  /**
   * This page and all that follow, read one by one as they are asked for. An empty page is not always the last.
   *
   * @throws {@link InvalidResponseError} when the list would never end: a cursor repeats, or 10,000 pages in a row are empty.
   *
   * @example
   * ```ts
   * const first = await client.events.list(workspaceId, { limit: 100 });
   * for await (const { data, rateLimit } of first.pages()) console.log(data.length, rateLimit?.remaining);
   * ```
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield this;
    const followed = new Set([this.cursor]);
    let empty = this.data.length === 0 ? 1 : 0;
    for (let cursor = this.nextCursor; cursor !== null;) {
      if (followed.has(cursor)) throw this.#source.invalid(`and a cursor that it gave before${ENDLESS}`);
      if (empty === MOST_EMPTY_PAGES)
        throw this.#source.invalid(`and ${empty} empty pages in a row${ENDLESS}`);
      followed.add(cursor);
      const page = await this.#source.read(cursor);
      yield page;
      empty = page.data.length === 0 ? empty + 1 : 0;
      cursor = page.nextCursor;
    }
  }

  /** The items of this page and of all that follow. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /**
   * Collects the items of this page and of those that follow, up to `limit`.
   *
   * @throws {@link InvalidResponseError} when the list would never end: a cursor repeats, or 10,000 pages in a row are empty.
   *
   * @example
   * ```ts
   * const first = await client.members.list(workspaceId);
   * const all = first.nextCursor === null ? first.data : await first.toArray();
   * ```
   */
  async toArray({ limit = Infinity }: ToArrayOptions = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (checked('limit', limit, 0)) for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
