import { isTimestamp } from '@hubline/contract';
import { oneLine } from '../domain/summary.ts';
import { readPointer } from './json-pointer.ts';

/** Places in a payload, in order of preference, as JSON pointers. */
export type Pointers = readonly string[];

// More than any line that is kept, and little enough to fold a text of megabytes at no cost.
const LOOK_AT = 4_000;
const URL_MAX = 2_048;

/** The first of these places that holds a text or a number, as one line; `null` when none does. */
export function firstText(payload: unknown, pointers: Pointers): string | null {
  for (const pointer of pointers) {
    const value = readPointer(payload, pointer);
    if (typeof value === 'number') return String(value);
    const line = typeof value === 'string' ? oneLine(value.slice(0, LOOK_AT)) : '';
    if (line) return line;
  }
  return null;
}

/** The first of these places that holds a web address, which is all that a person may be led to. */
export function firstUrl(payload: unknown, pointers: Pointers): string | null {
  for (const pointer of pointers) {
    const value = readPointer(payload, pointer);
    if (typeof value === 'string' && value.length <= URL_MAX && /^https?:\/\//i.test(value)) {
      const url = URL.parse(value);
      if (url) return url.href;
    }
  }
  return null;
}

/** The first of these places that holds a time (RFC 3339 or Unix seconds), in UTC. */
export function firstTime(payload: unknown, pointers: Pointers): string | null {
  for (const pointer of pointers) {
    const value = readPointer(payload, pointer);
    if (typeof value === 'string' && isTimestamp(value)) return new Date(value).toISOString();
    // 1973 to 5138: anything else is a count or an id.
    if (typeof value === 'number' && value >= 1e8 && value < 1e11)
      return new Date(value * 1_000).toISOString();
  }
  return null;
}
