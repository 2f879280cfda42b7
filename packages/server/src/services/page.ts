import { LIMITS } from '@hubline/contract';
import type { Context } from '../context.ts';
import type { FoundRows, PageRequest } from '../db/core/queries/paging.ts';
import { encode, Encoded, type JsonPiece } from '../domain/json/encoded.ts';

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

interface Source<Row, Item> {
  rows: (page: PageRequest) => Promise<Row[] | FoundRows<Row>>;
  /** The position of a row in the order of the list. */
  position: (row: Row) => string | number;
  item: (row: Row) => Item | Encoded<Item> | Promise<Encoded<Item>>;
  /** The most bytes that are read with a row. Default: 8 KiB. */
  rowBytes?: number;
  /** The number of further bytes that are read to make its item. Default: none. */
  moreBytes?: (row: Row) => number;
}

interface Page<Item> {
  data: Item[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

// Names, settings, filters.
const ROW_BYTES = 8 * 1024;

/**
 * One page of a list. Asks for one row more than it shows, to know whether there is more without counting. The page
 * ends early if the next item would exceed its limit in bytes, or if the memory for responses is used up: the cursor
 * continues there.
 */
export async function page<Row, Item>(
  context: Context,
  query: PageQuery,
  source: Source<Row, Item>,
): Promise<Encoded<Page<Item>>> {
  const limit = query.limit ?? LIMITS.pageDefault;
  const after = query.cursor === undefined ? null : context.cursors.open(query.cursor);
  const memory = await context.reserveResponse(limit * (source.rowBytes ?? ROW_BYTES));
  const found = await source.rows({ after, limit: limit + 1 });
  const { rows, resume } = Array.isArray(found) ? { rows: found, resume: null } : found;
  const text = new PageText();
  let shown = 0;
  for (const row of rows.slice(0, limit)) {
    const more = source.moreBytes?.(row) ?? 0;
    const wanted = text.bytes + more;
    if (shown === 0) memory.require(Math.max(wanted, memory.bytes));
    else if (wanted > LIMITS.pageBytes || (wanted > memory.bytes && !memory.resize(wanted))) break;
    const item = source.item(row);
    if (!text.add(encode(item instanceof Promise ? await item : item))) break;
    shown += 1;
  }
  memory.require(text.bytes);
  const last = rows[shown - 1];
  const position = shown < rows.length && last !== undefined ? source.position(last) : resume;
  const pagination = {
    next_cursor: position === null ? null : context.cursors.seal(String(position)),
    has_more: position !== null,
  };
  return text.end(pagination);
}

/** A list in memory, whose positions are the keys of its rows. */
export const inMemory = <Row>(all: readonly Row[], position: (row: Row) => string) => ({
  async rows({ after, limit }: PageRequest): Promise<Row[]> {
    const start = after === null ? 0 : all.findIndex((row) => position(row) === after) + 1;
    return all.slice(start, start + limit);
  },
  position,
});

/** A page that is being written, of up to `LIMITS.pageBytes`. */
class PageText {
  readonly #pieces: JsonPiece[] = [];
  // Appended rather than joined: the text is copied only once, when it is sent.
  #text = '{"data":[';
  #items = 0;
  #bytes = this.#text.length;

  /** The bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds an item, unless the page would become too large. The first one always fits. */
  add({ pieces, bytes }: Encoded<unknown>): boolean {
    if (this.#items > 0) {
      if (this.#bytes + bytes > LIMITS.pageBytes) return false;
      this.#append(',');
    }
    this.#items += 1;
    this.#bytes += bytes;
    for (const piece of pieces) {
      if (typeof piece === 'string') this.#text += piece;
      else {
        this.#pieces.push(this.#text, piece);
        this.#text = '';
      }
    }
    return true;
  }

  end(pagination: Page<unknown>['pagination']): Encoded<Page<never>> {
    this.#append(`],"pagination":${JSON.stringify(pagination)}}`);
    return new Encoded([...this.#pieces, this.#text], this.#bytes);
  }

  /** Adds text of ASCII. */
  #append(text: string): void {
    this.#text += text;
    this.#bytes += text.length;
  }
}
