// `promises` is made when it is first used; importing `node:fs/promises` would make it at the start.
import { promises } from 'node:fs';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { fileReason } from '../file-error.ts';

/** The bytes of a file, or of stdin for `-`. `flag` is named when they cannot be had. */
export async function readInput(ctx: Context, source: string, flag: string): Promise<Buffer> {
  if (source === '-') return ctx.io.stdin.bytes();
  try {
    return await promises.readFile(source);
  } catch (error) {
    throw usageError(`${flag} ${source} cannot be read: ${fileReason(error)}.`, 'Check the path.');
  }
}

/** stdin has one content: two inputs that both want it would get half of nothing. */
export function assertOneStdin(sources: Readonly<Record<string, string | undefined>>): void {
  const wanting = Object.entries(sources).filter(([, source]) => source === '-');
  if (wanting.length > 1) {
    throw usageError(
      `${wanting.map(([name]) => name).join(' and ')} cannot both read stdin.`,
      'Put one of them into a file.',
    );
  }
}
