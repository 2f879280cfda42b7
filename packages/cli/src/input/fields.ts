import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { parseJSON } from './parse-json.ts';
import { assertOneStdin, readInput } from './read-input.ts';

/** Fields of a request from `-f name=text` and `-F name=value`; a name given several times becomes a list. */
export async function parseFields(
  ctx: Context,
  { raw, typed }: { raw: readonly string[]; typed: readonly string[] },
): Promise<Record<string, unknown>> {
  const pairs = typed.map(split);
  assertOneStdin(Object.fromEntries(pairs.map(([name, text]) => [`-F ${name}`, text.replace(/^@/, '')])));
  const fields = new Map<string, unknown[]>();
  const add = (name: string, value: unknown): unknown =>
    fields.set(name, [...(fields.get(name) ?? []), value]);
  for (const [name, text] of raw.map(split)) add(name, text);
  for (const [name, text] of pairs) add(name, await typedValue(ctx, name, text));
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usageError(`A field is name=value; not "${pair}".`, 'For example: -f type=push');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function typedValue(ctx: Context, name: string, text: string): Promise<unknown> {
  const source = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined;
  if (source !== undefined) return (await readInput(ctx, source, `-F ${name}`)).toString('utf8');
  try {
    return parseJSON(text);
  } catch {
    return text;
  }
}
