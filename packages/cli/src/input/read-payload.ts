import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { readInput } from './read-input.ts';

/** The raw bytes of a body. At a terminal, waiting for it to be typed would look like a hang. */
export async function readPayload(ctx: Context, file: string | undefined): Promise<Buffer> {
  if (file === undefined && ctx.io.stdin.isTTY) {
    throw usageError('There is no payload.', 'Name a file, or pipe the body in.');
  }
  return readInput(ctx, file ?? '-', 'The payload');
}
