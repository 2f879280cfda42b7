import { LIMITS } from '@hubline/contract/constants';
import type { RequestOptions } from '@hubline/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { describeError } from '../errors/describe-error.ts';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { paged, type Pages } from './lists.ts';
import { outageNotes } from './outage.ts';

/** The pauses of a follower between two polls, which grow while nothing happens. Both stay far below 1,000 requests a minute. */
const FASTEST_MS = 2_000;
const SLOWEST_MS = 10_000;

/** Waits between two polls: briefly while things happen, longer when it is quiet, and never longer than `mostMs`. */
export function pollPause(
  signal: AbortSignal,
  fastest = FASTEST_MS,
): (busy: boolean, mostMs?: number) => Promise<void> {
  let pause = fastest;
  return async (busy, mostMs = SLOWEST_MS) => {
    pause = busy ? fastest : Math.min(pause * 1.5, SLOWEST_MS);
    await sleep(Math.min(pause, mostMs), undefined, { signal });
  };
}

/** An item of a list that is polled. */
interface Listed {
  readonly id: string;
  readonly created_at: string;
}

interface Following<Item extends Listed> {
  /** The time to begin at; `undefined` for now. */
  readonly since: string | undefined;
  list(
    query: { readonly since: string | undefined; readonly limit: number },
    options: RequestOptions,
  ): Pages<Item>;
  /** The state of an item: the item is yielded again when it changes. */
  stateOf(item: Item): string;
  /** Reports whether its state may still change. */
  isOpen(item: Item): boolean;
}

/**
 * Yields the items of a list as they appear and change, oldest first, for lists that have no stream. Only the server's own times are
 * compared, so that a wrong clock here misses nothing. Once the list has been read, an outage of the server is waited out.
 */
export async function* followList<Item extends Listed>(
  ctx: Context,
  { since, list, stateOf, isOpen }: Following<Item>,
): AsyncGenerator<Item> {
  const pause = pollPause(ctx.signal);
  const first = since === undefined ? await newest() : [];
  // Newest first: the last one is the oldest.
  let from = since ?? justBefore(first.findLast(isOpen) ?? first.at(0));
  let seen = new Map(first.map((item) => [item.id, stateOf(item)]));
  // A batch may have more items of one millisecond than a page. Those beyond the first page are as old as its newest.
  let known = (first.length === LIMITS.pageMax && first.at(0)?.created_at) || '';
  for (let responded = since === undefined; ; responded = true) {
    const found = responded ? await outlasting(ctx, () => read(from, 0)) : await read(from);
    const changed = found.filter((item) =>
      seen.has(item.id) ? seen.get(item.id) !== stateOf(item) : item.created_at > known,
    );
    known = '';
    seen = new Map(found.map((item) => [item.id, stateOf(item)]));
    yield* changed;
    // Items before the oldest open one do not change anymore.
    from = justBefore(found.find(isOpen) ?? found.at(-1)) ?? from;
    await pause(changed.length > 0);
  }

  async function newest(): Promise<readonly Item[]> {
    for await (const page of list({ since: undefined, limit: LIMITS.pageMax }, ctx.request).pages())
      return page.data;
    return [];
  }

  /** Everything since `start`, oldest first. */
  async function read(start: string | undefined, maxRetries?: number): Promise<Item[]> {
    const found: Item[] = [];
    const options = { ...ctx.request, maxRetries };
    for await (const item of paged(ctx, { limit: 0, all: true }, ({ limit }) =>
      list({ since: start, limit }, options),
    )) {
      found.unshift(item);
    }
    return found;
  }
}

/** The `since` that lists an item and those of the same millisecond: `since` is exclusive. */
function justBefore(item: Listed | undefined): string | undefined {
  return item && new Date(Date.parse(item.created_at) - 1).toISOString();
}

/** Reads from a server, and waits out an outage of any length. */
async function outlasting<Result>(ctx: Context, read: () => Promise<Result>): Promise<Result> {
  const pause = pollPause(ctx.signal);
  const notes = outageNotes(ctx);
  for (;;) {
    try {
      const result = await read();
      await notes.ends();
      return result;
    } catch (error) {
      if (ctx.signal.aborted || !(await isOutage(error))) throw error;
      await notes.begins((await describeError(error)).message);
      await pause(false);
    }
  }
}

/** Reports whether an error says that the server is away, overloaded or being restarted, so that it may answer later. */
export async function isOutage(error: unknown): Promise<boolean> {
  const { exit_code: code } = await describeError(error);
  return code === EXIT_CODES.unavailable.code || code === EXIT_CODES.rate_limited.code;
}
