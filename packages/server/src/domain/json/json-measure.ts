import { endOfString } from './json.ts';

/** Limits of a JSON text: on its depth, and on the members of each of its objects and arrays. */
export interface JsonBounds {
  depth: number;
  /** If given, an object that has one name twice is refused too. */
  members?: number;
  /** The name of fields whose content is free-form: in it, only the depth is bounded. */
  freeForm?: string;
}

/**
 * The limit that a JSON text exceeds. `path` leads to the object or array that has too many members, or to the name that its
 * object has twice.
 */
export type JsonExcess = { of: 'depth' } | { of: 'members' | 'repeats'; path: (string | number)[] };

/** The size of a JSON text as a value. */
export interface JsonMeasure {
  /** An estimate of the heap that its value takes, in bytes: as far as the text was read. */
  heapBytes: number;
  /** Its objects, arrays, and members of objects, which take the parser ten times as long as elements: as far as the text was read. */
  parts: number;
  excess: JsonExcess | null;
  /** The free-form objects and arrays; one without an end has that of the text. */
  freeForms: readonly Span[];
}

/** A part of a text: its beginning, and the position after it. */
export type Span = readonly [start: number, end: number];

/** An object or array that is open: where the name of its current member stands, and how many members are complete. */
interface Level {
  isObject: boolean;
  nameStart: number;
  nameEnd: number;
  members: number;
  /** The names that it has so far, if each may be there only once. */
  names: Set<string> | undefined;
}

// Heap of V8 without pointer compression, measured on arrays of a million: an empty object takes 56 bytes, an element with its
// value 8 to 40, a member with its own key about 64.
const CONTAINER_BYTES = 56;
const VALUE_BYTES = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;

/**
 * Measures a JSON text without parsing it, up to the first excess. The text may be invalid, so that it can be judged before it
 * is parsed: a megabyte of `[{},{},…]` takes twenty as a value, and is refused at the cost of its first members.
 */
export function measureJson(
  text: string,
  { depth: maxDepth, members: maxMembers = Infinity, freeForm }: JsonBounds,
): JsonMeasure {
  // One for each depth, used again and again: a payload may open a hundred thousand objects.
  const levels: Level[] = [];
  let depth = 0;
  let freeDepth = Infinity;
  let freeStart = 0;
  const freeForms: Span[] = [];
  let expectsName = false;
  let containers = 0;
  let elements = 1;
  let members = 0;
  let excess: JsonExcess | null = null;
  for (let index = 0; index < text.length && excess === null; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      const level = levels[depth - 1];
      if (expectsName && level) {
        level.nameStart = index;
        level.nameEnd = end + 1;
        if (maxMembers !== Infinity && depth < freeDepth && isRepeated(text, level)) {
          excess = { of: 'repeats', path: pathTo(text, levels.slice(0, depth)) };
        }
      }
      expectsName = false;
      index = end;
    } else if (code === OBJECT || code === ARRAY) {
      containers += 1;
      const parent = levels[depth - 1];
      depth += 1;
      if (depth > maxDepth) excess = { of: 'depth' };
      else if (depth < freeDepth && parent?.isObject && nameOf(text, parent) === freeForm)
        [freeDepth, freeStart] = [depth, index];
      levels[depth - 1] = openLevel(levels[depth - 1], code === OBJECT);
      expectsName = code === OBJECT;
    } else if (code === OBJECT_END || code === ARRAY_END) {
      depth = Math.max(depth - 1, 0);
      if (depth < freeDepth) {
        if (freeDepth !== Infinity) freeForms.push([freeStart, index + 1]);
        freeDepth = Infinity;
      }
    } else if (code === COMMA) {
      elements += 1;
      const level = levels[depth - 1];
      if (!level || depth >= freeDepth) continue;
      level.members += 1;
      expectsName = level.isObject;
      if (level.members >= maxMembers)
        excess = { of: 'members', path: pathTo(text, levels.slice(0, depth - 1)) };
    } else if (code === COLON) members += 1;
  }
  if (freeDepth !== Infinity) freeForms.push([freeStart, text.length]);
  const heapBytes = containers * CONTAINER_BYTES + (elements + members) * VALUE_BYTES;
  return { heapBytes, parts: containers + members, excess, freeForms };
}

function openLevel(used: Level | undefined, isObject: boolean): Level {
  if (!used) return { isObject, nameStart: 0, nameEnd: 0, members: 0, names: undefined };
  used.isObject = isObject;
  used.members = 0;
  used.nameEnd = used.nameStart;
  used.names?.clear();
  return used;
}

/** Reports whether the object has the name of its current member already, and keeps it. */
function isRepeated(text: string, level: Level): boolean {
  const names = (level.names ??= new Set());
  const before = names.size;
  return names.add(nameOf(text, level)).size === before;
}

const pathTo = (text: string, levels: readonly Level[]) =>
  levels.map((level) => (level.isObject ? nameOf(text, level) : level.members));

function nameOf(text: string, { nameStart, nameEnd }: Level): string {
  const written = text.slice(nameStart, nameEnd);
  if (!written.includes('\\')) return written.slice(1, -1);
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}
