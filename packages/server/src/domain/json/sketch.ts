import { endOfString, endOfValue, skipSpace } from './json.ts';
import type { Span } from './json-measure.ts';

// The size of a small body: a summary needs only the beginning of a payload, or short members of it.
const ROOM = 64 * 1024;

/**
 * Shortens the objects and arrays at `spans` in a JSON text. An object keeps its members, in their order, as far as there is room for
 * all spans together. A member without room is emptied if it is an object, keeps its first elements if it is an array, and is left out
 * otherwise.
 */
export function sketch(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let room = ROOM;
  let done = 0;
  for (const [start, end] of spans) {
    const short = end - start <= room ? text.slice(start, end) : shorten(text, start, room);
    room = Math.max(0, room - short.length);
    pieces.push(text.slice(done, start), short);
    done = end;
  }
  return [...pieces, text.slice(done)].join('');
}

function shorten(text: string, start: number, most: number): string {
  if (text[start] === '[') return firstElements(text, start, most);
  const members: string[] = [];
  let room = most;
  for (let index = skipSpace(text, start + 1); text[index] === '"' && room > 0;) {
    const nameEnd = endOfString(text, index) + 1;
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    const value =
      valueEnd - index <= room
        ? text.slice(valueStart, valueEnd)
        : shortened(text, valueStart, room - (nameEnd - index));
    if (value !== null && nameEnd - index <= room) {
      members.push(`${text.slice(index, nameEnd)}:${value}`);
      // Two more for the colon and the comma.
      room -= nameEnd - index + value.length + 2;
    }
    const next = skipSpace(text, valueEnd);
    index = text[next] === ',' ? skipSpace(text, next + 1) : next;
  }
  return `{${members.join(',')}}`;
}

// An array gets only a part of the room, because the members after it may say more.
const ARRAY_PART = 0.25;

function shortened(text: string, start: number, room: number): string | null {
  if (text[start] === '{') return '{}';
  return text[start] === '[' ? firstElements(text, start, room * ARRAY_PART) : null;
}

function firstElements(text: string, start: number, most: number): string {
  let end = start + 1;
  for (let index = skipSpace(text, end); text[index] !== ']' && index < text.length;) {
    const elementEnd = endOfValue(text, index);
    if (elementEnd - start > most) break;
    end = elementEnd;
    const next = skipSpace(text, elementEnd);
    if (text[next] !== ',') break;
    index = skipSpace(text, next + 1);
  }
  return `${text.slice(start, end)}]`;
}
