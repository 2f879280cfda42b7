// `promises` is loaded when it is first used; an import of `node:fs/promises` would load it at the start.

import { isUtf8 } from 'node:buffer';
import { promises } from 'node:fs';
import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';
import { unreadable } from '../errors/file-error.ts';
import { isUtf16, textOf } from './text-of.ts';

/** The bytes of a file, or of stdin for `-`. An error names `flag`. */
export async function readInput(ctx: Context, source: string, flag: string): Promise<Buffer> {
  if (source === '-') return ctx.io.stdin.bytes();
  try {
    return await promises.readFile(source);
  } catch (error) {
    throw unreadable(`${flag} ${source}`, error);
  }
}

/** The text of a file, or of stdin for `-`. */
export async function readText(ctx: Context, source: string, flag: string): Promise<string> {
  const bytes = await readInput(ctx, source, flag);
  const text = textOf(bytes);
  // Bytes of another encoding would become U+FFFD: a secret would be stored that no receiver has.
  if (text.includes('\uFFFD') && !isUtf8(bytes) && !isUtf16(bytes))
    throw usageError(
      `${flag} ${source === '-' ? 'from stdin' : source} is not UTF-8.`,
      'Convert it, such as with: iconv -f latin1 -t utf-8',
    );
  return text;
}

type Sources =
  | Readonly<Record<string, string | undefined>>
  | Iterable<readonly [name: string, source: string]>;

/** Refuses two inputs from stdin, which can be read only once. */
export function assertOneStdin(sources: Sources): void {
  const all = Symbol.iterator in sources ? [...sources] : Object.entries(sources);
  const wanting = all.filter(([, source]) => source === '-');
  if (wanting.length > 1) {
    throw usageError(
      `${wanting.map(([name]) => name).join(' and ')} cannot both read stdin.`,
      'Put one of them into a file.',
    );
  }
}

/**
 * `JSON.parse`, except for numbers that would not be printed again as they are written, such as `1.0` and integers beyond 2^53: values
 * that pass through keep their digits.
 */
export function parseJSON(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}

/** JSON as text, as `@file`, or from stdin as `-` (or `@-`). */
export async function readJson(ctx: Context, text: string, flag: string): Promise<unknown> {
  const source = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined;
  const json = source === undefined ? text : await readText(ctx, source, flag);
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

/** A secret from a file, or from stdin for `-`: never from the command line, which `ps` and the shell's history show. */
export async function readSecret(ctx: Context, source: string, flag: string): Promise<string> {
  // Editors and `echo` end a file with a line break, which is not part of the secret.
  const secret = (await readText(ctx, source, flag)).replace(/\r?\n$/, '');
  if (secret === '')
    throw usageError(
      `${flag} ${source === '-' ? 'from stdin' : source} is empty.`,
      'Put the secret there, as one line.',
    );
  return secret;
}
