import { LIMITS } from '@hubline/contract/constants';
import type { Page } from '@hubline/contract/types';
import type { Hubline, RequestInput } from '@hubline/sdk';
import { usageError } from '../../errors/errors.ts';

/** Every item of a list endpoint, page by page. */
export async function* allItems<Item>(client: Hubline, request: RequestInput): AsyncGenerator<Item> {
  if (request.method !== 'GET')
    throw usageError('--all is for lists, which are read with GET.', 'Leave out --all.');
  const followed = new Set<string>();
  // A query in the path counts like fields, so that each page has it once, with its own cursor.
  const [path = '', search] = request.path.split('?');
  const typed = Object.fromEntries(new URLSearchParams(search));
  let query: NonNullable<RequestInput['query']> = { limit: LIMITS.pageMax, ...typed, ...request.query };
  for (;;) {
    const page = await client.request<Partial<Page<Item>>>({ ...request, path, query });
    if (!Array.isArray(page.data)) throw usageError(`${path} is not a list.`, 'Leave out --all.');
    yield* page.data;
    const cursor = page.pagination?.next_cursor;
    // A server that sends the same cursor again would keep this going forever.
    if (!cursor || followed.has(cursor)) return;
    followed.add(cursor);
    query = { ...query, cursor };
  }
}
