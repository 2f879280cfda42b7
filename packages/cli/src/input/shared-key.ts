import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';

/** Refuses `--idempotency-key` for several writes: the server takes the second one for another request with the key of the first. */
export function refuseSharedKey(
  { globals }: Pick<Context, 'globals'>,
  writes: number,
  cure = 'Leave it out.',
): void {
  if (writes > 1 && globals.idempotencyKey !== undefined)
    throw usageError('--idempotency-key names one write, not several.', cure);
}
