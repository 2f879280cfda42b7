import { readPointer } from '../../../domain/json/json-pointer.ts';
import { isStamped } from '../../signatures/stamp.ts';

/** Reports whether a payload says that one of our own notifications has been written. */
export function isOwnNotification(payload: unknown, secret: string | undefined): boolean {
  const action = readPointer(payload, '/action');
  if (action !== 'created' && action !== 'opened') return false;
  return isStamped(readPointer(payload, action === 'created' ? '/comment/body' : '/issue/body'), secret);
}
