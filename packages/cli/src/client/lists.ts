import { LIMITS } from '@hubline/contract/constants';
import type { Context } from '../context.ts';
import { NotDone } from '../dry-run/steps.ts';
import { describeError } from '../errors/describe-error.ts';
import { Interrupted } from '../errors/errors.ts';
import { Failure } from '../output/items.ts';
import { refuseSharedKey } from '../input/shared-key.ts';

/** A page as the SDK returns it. */
interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly has_more: boolean };
}

/** The part of the SDK's list methods that is needed here. */
export interface Pages<Item> {
  pages(): AsyncIterable<PageOf<Item>>;
}

/** The flags of a list. */
interface ListFlags {
  readonly limit: number;
  readonly all: boolean;
}

/**
 * The items of a list up to `--limit`, or `--all`. A list that was cut says so, because a reader must not take the first page for
 * everything.
 */
export async function* paged<Item>(
  ctx: Context,
  { limit, all }: ListFlags,
  fetch: (query: { limit: number }) => Pages<Item>,
): AsyncGenerator<Item> {
  const wanted = all ? Infinity : limit;
  let count = 0;
  for await (const page of fetch({ limit: Math.min(wanted, LIMITS.pageMax) }).pages()) {
    const items = page.data.slice(0, wanted - count);
    yield* items;
    count += items.length;
    if (count < wanted) continue;
    if (page.pagination.has_more || items.length < page.data.length) {
      const more = `There are more than ${count}: add --all, or a larger --limit.`;
      // A pipe of IDs that stops at a limit that nobody chose must not look like all of them.
      if (limit === LIMITS.pageDefault) ctx.reportBelow(more);
      else ctx.noteBelow(more);
    }
    return;
  }
}

/**
 * Handles one ID, or each of several. One ID gives one value or its own error. Several give a line each, even if others fail.
 */
export async function eachId<Item>(
  ctx: Context,
  ids: readonly string[],
  act: (id: string) => Promise<Item>,
): Promise<Item | AsyncIterable<Item>> {
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return act(only);
  refuseSharedKey(ctx, ids.length, 'Leave it out, or name one ID.');
  return (async function* () {
    ctx.progress.start('Working', ids.length);
    for (const id of ids) {
      try {
        yield await act(id);
      } catch (error) {
        if (error instanceof Interrupted || ctx.signal.aborted) throw error;
        if (error instanceof NotDone) continue;
        // A failure is printed among the items; see output/printer.ts.
        yield new Failure(id, await describeError(error)) as Item;
      }
      ctx.progress.tick();
    }
  })();
}
