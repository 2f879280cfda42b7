import { LIMITS } from '@hubline/contract';
import type { Context } from '../context.ts';
import type { Found, PageRequest } from '../db/core/queries/paging.ts';
import { bytesOf, encode, Encoded, type JsonPiece } from '../domain/json/encoded.ts';

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

interface Source<Row, Item> {
  rows: (page: PageRequest) => Promise<Row[] | Found<Row>>;
  /** The position of a row in the order of the list. */
  position: (row: Row) => string | number;
  item: (row: Row) => Item | Encoded<Item> | Promise<Encoded<Item>>;
  /** The most bytes that are read with a row. Default: a few kilobytes. */
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
 * One page of a list. Asks for one row more than it shows, to know whether there is more without counting. The page ends early
 * where the next item would exceed its bound in bytes, or where the memory for answers is used up: the cursor goes on there.
 */
export async function page<Row, Item>(
  context: Context,
  query: PageQuery,
  source: Source<Row, Item>,
): Promise<Encoded<Page<Item>>> {
  const limit = query.limit ?? LIMITS.pageDefault;
  const after = query.cursor === undefined ? null : context.cursors.open(query.cursor);
  const memory = await context.reserveAnswer(limit * (source.rowBytes ?? ROW_BYTES));
  const found = await source.rows({ after, limit: limit + 1 });
  const { rows, resume } = Array.isArray(found) ? { rows: found, resume: null } : found;
  const pieces: JsonPiece[] = [];
  // Appended rather than joined: the text is copied only once, when it is complete.
  let text = '{"data":[';
  let bytes = 0;
  let shown = 0;
  for (const row of rows.slice(0, limit)) {
    const wanted = bytes + (source.moreBytes?.(row) ?? 0);
    if (shown === 0) memory.require(Math.max(wanted, memory.bytes));
    else if (wanted > LIMITS.pageBytes || (wanted > memory.bytes && !memory.resize(wanted))) break;
    const item = source.item(row);
    const encoded = encode(item instanceof Promise ? await item : item);
    const size = bytesOf(encoded);
    if (shown > 0 && bytes + size > LIMITS.pageBytes) break;
    bytes += size;
    text += shown === 0 ? '' : ',';
    for (const piece of encoded) {
      if (typeof piece === 'string') text += piece;
      else {
        pieces.push(text, piece);
        text = '';
      }
    }
    shown += 1;
  }
  memory.require(bytes);
  const last = rows[shown - 1];
  const position = shown < rows.length && last !== undefined ? source.position(last) : resume;
  const pagination = {
    next_cursor: position === null ? null : context.cursors.seal(String(position)),
    has_more: position !== null,
  };
  return new Encoded(...pieces, `${text}],"pagination":${JSON.stringify(pagination)}}`);
}
