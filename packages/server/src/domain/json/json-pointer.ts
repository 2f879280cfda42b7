const INDEX = /^(?:0|[1-9]\d*)$/;

/** Reports whether a key of a path can be an index of an array. */
export const isIndex = (key: string): boolean => INDEX.test(key);

/** The keys and indexes of a JSON pointer. RFC 6901. */
export function pointerPath(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => (part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part));
}

/** Follows a JSON pointer in JSON of unknown shape; `undefined` for nothing. */
export const readPointer = (value: unknown, pointer: string): unknown =>
  readPath(value, pointerPath(pointer));

/** Follows these keys and indexes; `undefined` for nothing. Never leaves the data: `toString` is nothing. */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) ? !isIndex(key) : !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
