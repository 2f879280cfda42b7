import { readPointer } from '../../../domain/json/json-pointer.ts';
import { linearResource } from './events.ts';

/**
 * A key for the creation of a thing, made of the thing's ID, so that a search finds the same key; `null` for every
 * other change. Unlike the ID of the call, this ID is signed.
 */
export function linearKey(payload: unknown): string | null {
  const id = readPointer(payload, '/data/id');
  const isNamed = typeof id === 'string' && /^[\w-]{1,100}$/.test(id);
  return isNamed && readPointer(payload, '/action') === 'create'
    ? `create:${linearResource(payload)}:${id}`
    : null;
}
