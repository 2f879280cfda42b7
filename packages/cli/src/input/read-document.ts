import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';
import { readInput } from './read-input.ts';

/** The documents of a YAML or JSON file, or of stdin for `-`: one object, a list of them, or several YAML documents. */
export async function readDocuments(
  ctx: Context,
  source: string,
  flag: string,
): Promise<Record<string, unknown>[]> {
  const text = (await readInput(ctx, source, flag)).toString('utf8');
  const { default: yaml } = await import('yaml');
  // JSON is also YAML. People write few aliases; many of them are a bomb.
  const documents = yaml.parseAllDocuments(text, { uniqueKeys: true });
  const values: unknown[] = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const [error] = document.errors;
    if (error)
      throw usageError(
        `${flag} ${source} is not YAML or JSON: ${error.message.split('\n')[0] ?? ''}`,
        'Check the line that it names.',
      );
    const value = plain(() => document.toJS({ maxAliasCount: 100 }) as unknown);
    if (value === undefined)
      throw usageError(
        `${flag} ${source} has an alias (*name) that refers to something it is part of, or more than 100 aliases.`,
        'Write out what the alias stands for.',
      );
    values.push(...(Array.isArray(value) ? (value as unknown[]) : [value]));
  }
  if (values.length > 0 && values.every(isObject)) return values;
  throw usageError(
    `${flag} ${source} must hold an object, or a list of them.`,
    'Such as name: Critical alerts',
  );
}

/** A value that can be written as JSON; `undefined` for one that contains itself, or unfolds to a bomb. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The only document of a file. */
export async function readDocument(
  ctx: Context,
  source: string,
  flag: string,
): Promise<Record<string, unknown>> {
  const [document, ...others] = await readDocuments(ctx, source, flag);
  if (document && others.length === 0) return document;
  throw usageError(
    `${flag} ${source} holds ${others.length + 1} documents, but only one is allowed.`,
    'Use apply for several.',
  );
}
