import { LIMITS } from '@hubline/contract';
import { isTooLarge, sketchOf } from '../../domain/json/bounded-value.ts';
import { skipSpace } from '../../domain/json/json.ts';
import { faultIn } from '../../domain/json/json-fault.ts';
import { measureJson } from '../../domain/json/json-measure.ts';

/** JSON as text and value, or what is wrong with it, worded to follow "The body". */
export type ParsedJson =
  | {
      ok: true;
      text: string;
      value: unknown;
      /** True if the value is only a sketch of the text: its first short members. */
      isSketch: boolean;
    }
  | { ok: false; issue: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body as text without a byte order mark; `null` when it is not UTF-8. */
export function decodeUtf8(body: Buffer): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

/** Reads a text as JSON of any type. The text is kept as it came, to be stored untouched. If it is large and has very many parts, the value is a sketch. */
export function parseJson(text: string): ParsedJson {
  if (skipSpace(text, 0) === text.length) return { ok: false, issue: 'is empty; it must be JSON' };
  // Before it is parsed: a megabyte of brackets costs the parser a tenth of a second.
  const { excess, heapBytes } = measureJson(text, { depth: LIMITS.jsonDepth });
  if (excess) return { ok: false, issue: `is nested deeper than ${LIMITS.jsonDepth} levels` };
  const isSketch = isTooLarge(text, heapBytes);
  if (isSketch && faultIn(text) !== -1) return { ok: false, issue: 'is not JSON' };
  try {
    const value = JSON.parse(isSketch ? sketchOf(text) : text) as unknown;
    return { ok: true, text, value, isSketch };
  } catch {
    return { ok: false, issue: 'is not JSON' };
  }
}

/** Reports whether a JSON value is an object, which is what an event's payload has to be. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A body as the text and value of a JSON object, or what is wrong with it. */
export function readJsonObject(
  body: Buffer,
): { ok: true; text: string; value: Record<string, unknown> } | { ok: false; issue: string } {
  const text = decodeUtf8(body);
  if (text === null) return { ok: false, issue: 'is not UTF-8' };
  const json = parseJson(text);
  if (!json.ok) return json;
  const { value } = json;
  return isJsonObject(value) ? { ok: true, text, value } : { ok: false, issue: 'is not a JSON object' };
}
