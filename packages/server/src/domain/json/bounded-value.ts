import { LIMITS } from '@hubline/contract';
import { endOfValue, skipSpace } from './json.ts';
import { measureJson } from './json-measure.ts';
import { sketch } from './sketch.ts';

// The heap that the value of a text longer than `LIMITS.bodyBytes` may take. A push of 2,048 commits, GitHub's largest, takes a quarter of
// it; 25 MB of `{},` would take 700 MB.
const VALUE_BYTES = 16 * 1024 * 1024;

/** Reports whether the value of a text would take so much memory that only a sketch of it is parsed. */
export const isTooLarge = (text: string, heapBytes: number): boolean =>
  text.length > LIMITS.bodyBytes && heapBytes > VALUE_BYTES;

/** The first short members of a JSON text. */
export function sketchOf(text: string): string {
  const start = skipSpace(text, 0);
  return sketch(text, [[start, endOfValue(text, start)]]);
}

/** A text whose value can be held in memory: the JSON text itself, or a sketch of it. */
export function boundedText(text: string): string {
  if (text.length <= LIMITS.bodyBytes) return text;
  return isTooLarge(text, measureJson(text, { depth: Infinity }).heapBytes) ? sketchOf(text) : text;
}
