import { isTimestamp } from '@hubline/contract';
import { readPath, readPointer } from '../json/json-pointer.ts';
import { maskSecrets } from './mask-secrets.ts';
import { oneLine } from './summary/summary.ts';

/** Paths in a payload, in order of preference, as JSON pointers that the code names. */
export type Pointers = readonly (string | Path)[];

/** A JSON pointer, split in advance: worthwhile for paths that are read in every event. */
type Path = readonly string[];

/** Splits pointers. */
export const paths = (...pointers: readonly string[]): readonly Path[] =>
  pointers.map((pointer) => pointer.split('/').slice(1));

const read = (payload: unknown, pointer: string | Path): unknown =>
  typeof pointer === 'string' ? readPointer(payload, pointer) : readPath(payload, pointer);

// Longer than any line that is kept, and short enough that folding costs nothing even in a text of megabytes.
const LOOK_AT = 4_000;
const URL_MAX = 2_048;

/** The text or number at the first of these paths that has one, as one line without secrets; `null` if none has. */
export function firstText(payload: unknown, pointers: Pointers): string | null {
  for (const pointer of pointers) {
    const value = read(payload, pointer);
    if (typeof value === 'number' && isExact(value)) return String(value);
    const line = typeof value === 'string' ? oneLine(value.slice(0, LOOK_AT)) : '';
    if (line) return line;
  }
  return null;
}

/**
 * Reports whether a number is the one that was written: `JSON.parse` turns an integer beyond 2^53 into another one, and `1e999` into
 * infinity.
 */
export const isExact = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

/** The web address at the first of these paths that has one, without secrets. People are shown no other links. */
export function firstUrl(payload: unknown, pointers: Pointers): string | null {
  for (const pointer of pointers) {
    const value = read(payload, pointer);
    if (typeof value === 'string' && value.length <= URL_MAX && /^https?:\/\//i.test(value)) {
      const url = URL.parse(value);
      if (url) return maskSecrets(url.href);
    }
  }
  return null;
}

/** The time (RFC 3339 or Unix seconds) at the first of these paths that has one, in UTC. */
export function firstTime(payload: unknown, pointers: Pointers): string | null {
  for (const pointer of pointers) {
    const value = read(payload, pointer);
    if (typeof value === 'string' && isTimestamp(value)) return new Date(value).toISOString();
    // Numbers outside of 1973 to 5138 are counts or IDs.
    if (typeof value === 'number' && value >= 1e8 && value < 1e11)
      return new Date(value * 1_000).toISOString();
  }
  return null;
}
