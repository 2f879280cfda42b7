import { readPointer } from '../../../domain/json/json-pointer.ts';

/**
 * Names what a payload tells of by the id of the thing, by which a search finds it again; `null` for all but its creation. Unlike the
 * id of the call, it is signed.
 */
export function linearKey(payload: unknown): string | null {
  const type = readPointer(payload, '/type');
  const id = readPointer(payload, '/data/id');
  const isNamed = typeof type === 'string' && typeof id === 'string' && /^[\w-]{1,100}$/.test(id);
  return isNamed && readPointer(payload, '/action') === 'create'
    ? `create:${type.slice(0, 100)}:${id}`
    : null;
}
