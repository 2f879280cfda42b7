import { ID_ALPHABET, ID_PREFIXES, type IdKind } from '@hubline/contract';
import { isoTime, millis } from '../../../domain/time.ts';

// The tables that grow with every event hold IDs as their 16 bytes, times as milliseconds and names as small
// numbers: an event takes half the space that text takes, and costs a quarter less to store. They are
// translated here.

/** An ID as its 128 bits; the column implies the kind. It sorts like the text. */
export type IdBytes = Buffer;

// An ID ends in 26 digits: one of 3 bits, then 25 of 5 bits.
const DIGITS = 26;
const VALUE = new Uint8Array(128).fill(255);
for (let value = 0; value < ID_ALPHABET.length; value += 1) VALUE[ID_ALPHABET.charCodeAt(value)] = value;
const PAIRS = Array.from(
  { length: 32 * 32 },
  (_, pair) => ID_ALPHABET.charAt(pair >> 5) + ID_ALPHABET.charAt(pair & 31),
);

const valueAt = (id: string, index: number): number => VALUE[id.charCodeAt(index)] ?? 255;

/**
 * Four digits as a number of 20 bits. It makes no arrays: those of one ID would take three times the memory
 * of its bytes (measured).
 */
function digitsAt(id: string, index: number): number {
  const a = valueAt(id, index);
  const b = valueAt(id, index + 1);
  const c = valueAt(id, index + 2);
  const d = valueAt(id, index + 3);
  if ((a | b | c | d) > 31) throw notAnId(id);
  return (a << 15) | (b << 10) | (c << 5) | d;
}

const notAnId = (id: string) => new TypeError(`${JSON.stringify(id)} is not an ID.`);

// A cache. The bytes of an event's ID are needed again while it is stored, and those of a webhook with every delivery: half of an event's
// six lookups hit it. An ID's slot is its last 8 bits, which are random.
const recent = Array.from({ length: 256 }, () => ({ id: 'none', bytes: Buffer.alloc(0) as IdBytes }));

/**
 * The bytes of an ID of any kind. They are shared: never change them. Throws for a text that `isId` refuses,
 * so check IDs from outside with that first.
 */
export function idBytes(id: string): IdBytes {
  const slot = recent[((valueAt(id, id.length - 2) & 7) << 5) | valueAt(id, id.length - 1)];
  if (slot === undefined) return toBytes(id);
  if (slot.id !== id) {
    slot.bytes = toBytes(id);
    slot.id = id;
  }
  return slot.bytes;
}

function toBytes(id: string): Buffer {
  const start = id.length - DIGITS;
  if (start < 1) throw notAnId(id);
  const first = valueAt(id, start);
  const second = valueAt(id, start + 1);
  if (first > 7 || second > 31) throw notAnId(id);
  const bytes = Buffer.allocUnsafe(16);
  bytes[0] = (first << 5) | second;
  for (let group = 0; group < 3; group += 1) {
    const high = digitsAt(id, start + 2 + group * 8);
    const low = digitsAt(id, start + 6 + group * 8);
    const at = 1 + group * 5;
    bytes[at] = high >> 12;
    bytes[at + 1] = (high >> 4) & 255;
    bytes[at + 2] = ((high & 15) << 4) | (low >> 16);
    bytes[at + 3] = (low >> 8) & 255;
    bytes[at + 4] = low & 255;
  }
  return bytes;
}

/** `idBytes`, for an ID that may be missing. */
export const idBytesOrNull = (id: string | null): IdBytes | null => (id === null ? null : idBytes(id));

/** The ID of a kind with these bytes. */
export function idText(kind: IdKind, bytes: IdBytes): string {
  let text = `${ID_PREFIXES[kind]}_${PAIRS[bytes[0] as number]}`;
  for (let at = 1; at < 16; at += 5) {
    const high = bytes.readUIntBE(at, 3) >> 4;
    const low = bytes.readUIntBE(at + 2, 3) & 0xfffff;
    text += `${PAIRS[high >> 10]}${PAIRS[high & 1023]}${PAIRS[low >> 10]}${PAIRS[low & 1023]}`;
  }
  return text;
}

/** `idText`, for an ID that may be missing. */
export const idTextOrNull = (kind: IdKind, bytes: IdBytes | null): string | null =>
  bytes === null ? null : idText(kind, bytes);

/** An ID as its 32 digits of 4 bits: `Statements.hexOf`. */
export type IdHex = string;

const HEX = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The ID of a kind with these digits. Five hexadecimal digits make four digits of an ID: 20 bits. */
export function idTextOfHex(kind: IdKind, hex: IdHex): string {
  let text = `${ID_PREFIXES[kind]}_${PAIRS[bitsAt(hex, 0, 2)]}`;
  for (let at = 2; at < 32; at += 5) {
    const bits = bitsAt(hex, at, 5);
    text += `${PAIRS[bits >> 10]}${PAIRS[bits & 1023]}`;
  }
  return text;
}

/** `idTextOfHex`, for an ID that may be missing: SQLite turns `null` into an empty text. */
export const idTextOfHexOrNull = (kind: IdKind, hex: IdHex | null): string | null =>
  hex ? idTextOfHex(kind, hex) : null;

function bitsAt(hex: IdHex, start: number, digits: number): number {
  let bits = 0;
  for (let at = start; at < start + digits; at += 1) bits = (bits << 4) | (HEX[hex.charCodeAt(at)] as number);
  return bits;
}

/** The smallest bytes that an ID created at this time can have. */
export function idBytesFrom(time: number): IdBytes {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, time), 0, 6);
  return bytes;
}

/** The time at which an ID was created, in milliseconds. */
export const timeOfId = (id: string): number => idBytes(id).readUIntBE(0, 6);

/** `millis`, for a time that may be missing. */
export const millisOrNull = (time: string | null): number | null => (time === null ? null : millis(time));

/** `isoTime`, for a time that may be missing. */
export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** A closed set of names, each stored as its number. */
export interface Codes<Name extends string> {
  readonly of: Readonly<Record<Name, number>>;
  /** The name with this number. */
  name(code: number): Name;
}

/** The names of a column and their numbers. A number that has been released is never given to another name. */
export function codes<Name extends string>(of: Readonly<Record<Name, number>>): Codes<Name> {
  const names: Name[] = [];
  for (const name of Object.keys(of) as Name[]) names[of[name]] = name;
  return {
    of,
    name(code) {
      const name = names[code];
      if (name === undefined)
        throw new Error(
          `A newer version of Hubline stored the code ${code}, which this version does not know.`,
        );
      return name;
    },
  };
}
