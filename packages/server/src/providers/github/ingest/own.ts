import { readPointer } from '../../../domain/json/json-pointer.ts';
import { isStamped } from '../../signatures/stamp.ts';

/** Reports whether a payload is about the creation of one of our own notifications. */
export function isOwnNotification(payload: unknown, secret: string | undefined): boolean {
  const action = readPointer(payload, '/action');
  if (action !== 'created' && action !== 'opened') return false;
  return isStamped(readPointer(payload, action === 'created' ? '/comment/body' : '/issue/body'), secret);
}
