import { usageError } from '../errors/errors.ts';
import type { AnyView } from '../spec/view.ts';

/** The value at a dotted path; `undefined` where the path leads nowhere. */
export function valueAt(item: unknown, path: string): unknown {
  // The name of a field may have a dot in it.
  if (typeof item === 'object' && item !== null && Object.hasOwn(item, path))
    return (item as Record<string, unknown>)[path];
  let value = item;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A value as text on one line: nothing for null, items with commas between them, JSON for what has structure. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  return JSON.stringify(value);
}

/** The fields of `--json=a,b.c`; `undefined` for all. */
export function parseSelection(json: string | undefined, view: AnyView): readonly string[] | undefined {
  if (json === undefined || json === '*') return undefined;
  const fields = json.split(',').map((field) => field.trim());
  const known = `The fields are: ${view.fields.join(', ') || 'not known before the response'}.`;
  if (json.trim() === '') throw usageError('--json= needs the names of fields.', known);
  // Commands with responses of any shape, such as `hubline api`, have no list to check against.
  const unknown =
    view.fields.length > 0 && fields.find((field) => !view.fields.includes(field.split('.')[0] ?? ''));
  if (unknown !== false && unknown !== undefined) throw usageError(`There is no field "${unknown}".`, known);
  return fields;
}

/** The item reduced to the selected fields; what is absent is null, so that every item has the same shape. */
export function selectFields(item: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields) return item;
  return fields.reduce<unknown>(
    (selected, field) => withValue(selected, field.split('.'), valueAt(item, field) ?? null),
    {},
  );
}

/** An object with a value at a path, and the members that it had before. */
function withValue(before: unknown, [key = '', ...rest]: readonly string[], value: unknown): object {
  const members = typeof before === 'object' && before !== null ? before : {};
  const inner = Object.hasOwn(members, key) ? (members as Record<string, unknown>)[key] : undefined;
  return { ...members, [key]: rest.length === 0 ? value : withValue(inner, rest, value) };
}
