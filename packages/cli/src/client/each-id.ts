import type { Context } from '../context.ts';
import { NotDone } from '../dry-run/steps.ts';
import { Interrupted, usageError } from '../errors.ts';
import { Failure } from '../output/failure.ts';
import { describeError } from '../report-error.ts';

/**
 * Does something with one id, or with each of several. One id gives one value and its own error; several give a line each, whatever
 * happens to the others.
 */
export async function eachId<Item>(
  ctx: Context,
  ids: readonly string[],
  act: (id: string) => Promise<Item>,
): Promise<Item | AsyncIterable<Item>> {
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return act(only);
  if (ctx.globals.idempotencyKey !== undefined) {
    throw usageError('--idempotency-key names one write, not several.', 'Leave it out, or name one id.');
  }
  return (async function* () {
    ctx.progress.start('Working', ids.length);
    for (const id of ids) {
      try {
        yield await act(id);
      } catch (error) {
        if (error instanceof Interrupted || ctx.signal.aborted) throw error;
        if (error instanceof NotDone) continue;
        const { code, message } = await describeError(error);
        // A failure is printed beside the items; see output/printer.ts.
        yield new Failure(id, { code, message }) as Item;
      }
      ctx.progress.tick();
    }
  })();
}
