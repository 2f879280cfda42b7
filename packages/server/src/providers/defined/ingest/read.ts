import { firstUrl, isExact } from '../../../domain/events/reading.ts';
import { memberText } from '../../../domain/json/json.ts';
import { isIndex, pointerPath, readPath } from '../../../domain/json/json-pointer.ts';
import { oneLine } from '../../../domain/events/summary/summary.ts';
import { isTimestamp } from '@hubline/contract';
import { headerIn } from './headers.ts';

/** A call whose body was read. */
export interface ReadCall {
  headers: Readonly<Record<string, string>>;
  /** The payload as text, which keeps the digits of numbers that JavaScript would round. */
  text: string;
  value: Readonly<Record<string, unknown>>;
  /** A value that is missing may be in the text. */
  isSketch: boolean;
}

/** Paths to a value in a call, in order of preference: JSON pointers, and headers as `header:X-Event`. */
type ValuePaths = readonly string[];

const HEADER = 'header:';

/** The names of the headers among paths. */
export const headersAmong = (paths: ValuePaths = []): string[] =>
  paths.filter((path) => path.startsWith(HEADER)).map((path) => path.slice(HEADER.length).toLowerCase());

/** The text or number at the first of these paths that has one, as it was written; `undefined` when none has. */
export function textAt(call: ReadCall, paths: ValuePaths = []): string | undefined {
  for (const path of paths) {
    const found = path.startsWith(HEADER)
      ? headerIn(call.headers, path.slice(HEADER.length))
      : scalarAt(call, path);
    if (found !== undefined && found.trim() !== '') return found.trim();
  }
  return undefined;
}

// Longer than any line that is kept, and short enough that folding a text of megabytes costs nothing.
const READ_MAX = 4_000;

/** Like `textAt`, as one line without secrets, for people; `null` when no path has one. */
export const lineAt = (call: ReadCall, paths: ValuePaths | undefined): string | null =>
  oneLine(textAt(call, paths)?.slice(0, READ_MAX) ?? '') || null;

/** The web address at the first of these paths that has one. */
export const urlAt = ({ value }: ReadCall, paths: ValuePaths = []): string | null =>
  firstUrl(
    value,
    paths.filter((path) => !path.startsWith(HEADER)).map((path) => pointerPath(path)),
  );

// Smaller numbers are Unix seconds, until the year 5138. Larger ones are milliseconds, from 1973.
const MILLISECONDS_FROM = 1e11;
const DATE_MAX = 8.64e15;

/** The time at the first of these paths that has one: RFC 3339, or Unix time in seconds or milliseconds. */
export function timeAt(call: ReadCall, paths: ValuePaths = []): string | null {
  for (const path of paths) {
    const text = textAt(call, [path]) ?? '';
    if (isTimestamp(text)) return new Date(text).toISOString();
    if (!/^\d{1,16}(?:\.\d{1,9})?$/.test(text)) continue;
    const number = Number(text);
    const milliseconds = number < MILLISECONDS_FROM ? number * 1_000 : number;
    const iso = milliseconds <= DATE_MAX ? new Date(milliseconds).toISOString() : '';
    if (isTimestamp(iso)) return iso;
  }
  return null;
}

function scalarAt({ text, value, isSketch }: ReadCall, pointer: string): string | undefined {
  const path = pointerPath(pointer);
  const found = readPath(value, path);
  if (found === undefined && isSketch) return scalarIn(text, path);
  if (typeof found === 'string') return found;
  if (typeof found !== 'number') return undefined;
  return Number.isFinite(found) && isExact(found) ? String(found) : memberText(text, stepsIn(value, path));
}

/** The text or number at a path, read without making the values around it. */
function scalarIn(text: string, path: readonly string[]): string | undefined {
  let part: string | undefined = text;
  for (const key of path) {
    const inArray: boolean = part.startsWith('[');
    part = inArray && !isIndex(key) ? undefined : memberText(part, [inArray ? Number(key) : key]);
    if (part === undefined) return undefined;
  }
  if (part.startsWith('"')) return JSON.parse(part) as string;
  return /^[-\d]/.test(part) ? part : undefined;
}

/** A path with the indexes of arrays as numbers. */
function stepsIn(value: unknown, path: readonly string[]): (string | number)[] {
  let current = value;
  return path.map((key) => {
    const step = Array.isArray(current) ? Number(key) : key;
    current = (current as Record<string, unknown>)[key];
    return step;
  });
}
