import { usageError } from '../../errors/errors.ts';
import { parseJSON } from '../../input/read-input.ts';

/** Sets `path=value` pairs in a document: `data.user.name=Li`, `commits.0.id=x`. A value is JSON, or text if it is not JSON. */
export function setPaths(
  document: Readonly<Record<string, unknown>>,
  pairs: readonly string[],
): Record<string, unknown> {
  const changed = parseJSON(JSON.stringify(document)) as Record<string, unknown>;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw usageError(`--set takes path=value, not "${pair}".`, 'For example: --set payload.ref=main');
    setPath(changed, pair.slice(0, at).split('.'), parse(pair.slice(at + 1)));
  }
  return changed;
}

function parse(text: string): unknown {
  try {
    return parseJSON(text);
  } catch {
    return text;
  }
}

function setPath(root: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let place: Record<string, unknown> = root;
  for (const [index, key] of keys.entries()) {
    const last = index === keys.length - 1;
    const inner = last ? value : Object.hasOwn(place, key) ? place[key] : undefined;
    const next = last || isContainer(inner) ? inner : {};
    // Not an assignment: `__proto__` is a name like any other here.
    Object.defineProperty(place, key, { value: next, enumerable: true, writable: true, configurable: true });
    place = next as Record<string, unknown>;
  }
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
