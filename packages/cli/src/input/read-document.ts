import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';
import { readText } from './read-input.ts';

/** One document of a file. */
export interface SourceDocument {
  readonly value: Record<string, unknown>;
  /** The line where it begins, from 1. */
  readonly line: number;
}

/**
 * The documents of a YAML or JSON file, or of stdin for `-`: one object, a list of them, several YAML documents, or one JSON document per
 * line.
 */
export async function readDocuments(ctx: Context, source: string, flag: string): Promise<SourceDocument[]> {
  const text = separated(await readText(ctx, source, flag));
  const { default: yaml } = await import('yaml');
  // JSON is also YAML.
  const lines = new yaml.LineCounter();
  const documents = yaml.parseAllDocuments(text, { uniqueKeys: true, lineCounter: lines });
  const found: { value: unknown; line: number }[] = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const [error] = document.errors;
    if (error)
      throw usageError(
        `${flag} ${source} is not YAML or JSON: ${error.message.split('\n')[0] ?? ''}`,
        'Check the line that it names.',
      );
    // People write few aliases; a file with many may be a YAML bomb.
    const value = plain(() => document.toJS({ maxAliasCount: 100 }) as unknown);
    if (value === undefined)
      throw usageError(
        `${flag} ${source} has an alias (*name) that refers to something it is part of, or more than 100 aliases.`,
        'Write out what the alias stands for.',
      );
    if (hasNoJson(value))
      throw usageError(
        `${flag} ${source} has a number that JSON cannot hold: one beyond 1.7e308, .inf or .nan.`,
        'Write it as a string.',
      );
    const { contents } = document;
    const lineOf = (node: unknown): number =>
      lines.linePos((yaml.isNode(node) ? node.range : contents?.range)?.[0] ?? 0).line;
    if (!Array.isArray(value)) found.push({ value, line: lineOf(contents) });
    else
      for (const [index, item] of (value as unknown[]).entries())
        found.push({ value: item, line: lineOf(yaml.isSeq(contents) ? contents.items[index] : contents) });
  }
  // An empty list is what `export` writes for a workspace that has none. An empty file is more likely a mistake.
  const isEmptyList = !('empty' in documents) && documents.some(({ contents }) => yaml.isSeq(contents));
  if ((found.length > 0 || isEmptyList) && found.every(isDocument)) return found;
  throw holdsNone(source, flag);
}

const holdsNone = (source: string, flag: string): Error =>
  usageError(`${flag} ${source} must hold an object, or a list of them.`, 'Such as name: Critical alerts');

/** Begins a YAML document with each line, if each is a JSON object, as in exports in that format. */
function separated(text: string): string {
  const isEachObject = text.split('\n').every((line) => /^(\{.*\})?\r?$/s.test(line));
  // With the flag `m`, `^` would also match after U+2028, which a text in JSON may contain.
  return isEachObject ? text.replaceAll(/(?<=^|\n)\{/g, '--- {') : text;
}

/** A value that can be written as JSON; `undefined` for one that contains itself, or has too many aliases. */
function plain(read: () => unknown): unknown {
  try {
    const value = read();
    JSON.stringify(value);
    return value ?? null;
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Reports whether there is a number in it that JSON would write as null. */
function hasNoJson(value: unknown): boolean {
  let found = false;
  JSON.stringify(value, (_key, each: unknown) => {
    found ||= typeof each === 'number' && !Number.isFinite(each);
    return each;
  });
  return found;
}

const isDocument = (found: { value: unknown; line: number }): found is SourceDocument =>
  typeof found.value === 'object' && found.value !== null && !Array.isArray(found.value);

/** The only document of a file. */
export async function readDocument(
  ctx: Context,
  source: string,
  flag: string,
): Promise<Record<string, unknown>> {
  const [document, ...others] = await readDocuments(ctx, source, flag);
  if (!document) throw holdsNone(source, flag);
  if (others.length === 0) return document.value;
  throw usageError(
    `${flag} ${source} holds ${others.length + 1} documents, but only one is allowed.`,
    'Use apply for several.',
  );
}
