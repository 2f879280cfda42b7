import { LIMITS } from '@hubline/contract';
import type { Context } from '../context.ts';
import type { PageRequest } from '../db/paging.ts';

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

interface Source<Row, Item> {
  rows: (page: PageRequest) => Promise<Row[]>;
  /** The position of a row in the order of the list. */
  position: (row: Row) => string | number;
  item: (row: Row) => Item;
}

/** One page of a list: asks for one row more than it shows, to know whether there is more without counting. */
export async function page<Row, Item>(context: Context, query: PageQuery, source: Source<Row, Item>) {
  const limit = query.limit ?? LIMITS.pageDefault;
  const after = query.cursor === undefined ? null : context.cursors.open(query.cursor);
  const rows = await source.rows({ after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map(source.item),
    pagination: {
      next_cursor: hasMore && last !== undefined ? context.cursors.seal(String(source.position(last))) : null,
      has_more: hasMore,
    },
  };
}
