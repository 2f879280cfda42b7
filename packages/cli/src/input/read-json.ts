import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { parseJSON } from './parse-json.ts';
import { readInput } from './read-input.ts';

/** JSON as text, as `@file`, or from stdin as `-` (or `@-`). */
export async function readJson(ctx: Context, text: string, flag: string): Promise<unknown> {
  const source = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined;
  const json = source === undefined ? text : (await readInput(ctx, source, flag)).toString('utf8');
  try {
    return parseJSON(json);
  } catch (error) {
    throw usageError(
      `${flag} is not JSON: ${(error as Error).message}.`,
      'Give JSON, @file, or - for stdin.',
    );
  }
}

/** The same, for an object. */
export async function readJsonObject(
  ctx: Context,
  text: string,
  flag: string,
): Promise<Record<string, unknown>> {
  const value = await readJson(ctx, text, flag);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usageError(`${flag} must be a JSON object.`, 'Such as {"name": "value"}.');
}
