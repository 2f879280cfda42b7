const INDEX = /^(?:0|[1-9]\d*)$/;

/** Follows a JSON pointer in JSON of unknown shape; `undefined` for nothing. */
export function readPointer(value: unknown, pointer: string): unknown {
  const path = pointer.split('/').slice(1);
  return readPath(
    value,
    path.map((part) => (part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part)),
  );
}

/** Follows these keys and indexes; `undefined` for nothing. Never leaves the data: `toString` is nothing. */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) ? !INDEX.test(key) : !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
