import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { readInput } from './read-input.ts';

/** A secret from a file, or from stdin for `-`: never from the command line, which `ps` and the shell's history show. */
export async function readSecret(ctx: Context, source: string, flag: string): Promise<string> {
  // Editors and `echo` end a file with a line break, which is not part of the secret.
  const secret = (await readInput(ctx, source, flag)).toString('utf8').replace(/\r?\n$/, '');
  if (secret === '')
    throw usageError(
      `${flag} ${source === '-' ? 'from stdin' : source} is empty.`,
      'Put the secret there, as one line.',
    );
  return secret;
}
