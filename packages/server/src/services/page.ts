import { LIMITS } from '@hubline/contract';
import type { Context } from '../context.ts';
import type { Found, PageRequest } from '../db/paging.ts';
import { Encoded, stringify } from '../domain/encoded.ts';

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

interface Source<Row, Item> {
  rows: (page: PageRequest) => Promise<Row[] | Found<Row>>;
  /** The position of a row in the order of the list. */
  position: (row: Row) => string | number;
  item: (row: Row) => Item | Encoded<Item>;
}

interface Page<Item> {
  data: Item[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/** One page of a list: asks for one row more than it shows, to know whether there is more without counting. */
export async function page<Row, Item>(
  context: Context,
  query: PageQuery,
  source: Source<Row, Item>,
): Promise<Encoded<Page<Item>>> {
  const limit = query.limit ?? LIMITS.pageDefault;
  const after = query.cursor === undefined ? null : context.cursors.open(query.cursor);
  const found = await source.rows({ after, limit: limit + 1 });
  const { rows, resume } = Array.isArray(found) ? { rows: found, resume: null } : found;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const position = rows.length > limit && last !== undefined ? source.position(last) : resume;
  const pagination = {
    next_cursor: position === null ? null : context.cursors.seal(String(position)),
    has_more: position !== null,
  };
  // Appended, not joined: the text is then copied once, when it is complete.
  let data = '';
  for (const row of shown) data += `${data === '' ? '' : ','}${stringify(source.item(row))}`;
  return new Encoded(`{"data":[${data}],"pagination":${JSON.stringify(pagination)}}`);
}
