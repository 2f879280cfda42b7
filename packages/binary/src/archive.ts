import { openSync, readSync } from 'node:fs';
import { getRawAsset } from 'node:sea';
import { type Index, LENGTH_DIGITS, MARK, OPENED, type Place } from './archive-format.ts';

// All contents of this program except Node are read from its file as from any other file. Node's own API for assets would map them into
// memory, where they would stay: 9 MB of an idle server.

/** The position of the archive in this file, in digits that the build writes. Not a number in a thread: the main thread has opened it. */
declare const ARCHIVE_AT: string;

const at = Number(ARCHIVE_AT);
const place = Number.isInteger(at) ? openOwn() : opened();
/** The whole archive, for users who may run but not read this file. */
const mapped = place ? undefined : Buffer.from(getRawAsset('archive'));
const head = bytesAt(0, Buffer.alloc(MARK.length + LENGTH_DIGITS)).toString('latin1');
if (!head.startsWith(MARK)) throw damaged();
const indexLength = Number(head.slice(MARK.length));
const index = JSON.parse(bytesAt(head.length, Buffer.alloc(indexLength)).toString()) as Index;
const partsAt = head.length + indexLength;

export const hasPart = (name: string): boolean => name in index;

/** The length of a part in bytes. */
export const lengthOf = (name: string): number => placeOf(name)[1];

/** The bytes of a part, in new memory or at the start of `into`. */
export function part(name: string, into?: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const [start, length] = placeOf(name);
  return bytesAt(partsAt + start, into?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length));
}

function placeOf(name: string): Index[string] {
  const found = index[name];
  if (!found) throw new Error(`${name} is not in this file`);
  return found;
}

function openOwn(): Place | undefined {
  const file = openProgram();
  if (file === undefined) return undefined;
  return { file, at };
}

/** The archive that the main thread has opened. */
function opened(): Place | undefined {
  const { getEnvironmentData } = process.getBuiltinModule('node:worker_threads');
  return getEnvironmentData(OPENED) as unknown as Place | undefined;
}

/** Tells threads where the archive is, before they start. Called only for programs with threads: loading the module takes 4 ms. */
export function showThreads({ setEnvironmentData }: typeof import('node:worker_threads')): void {
  if (place) setEnvironmentData(OPENED, { ...place });
}

/** Opens the program that runs. Linux finds it even if an upgrade has replaced it since the start. */
function openProgram(): number | undefined {
  for (const path of ['/proc/self/exe', process.execPath]) {
    try {
      return openSync(path, 'r');
    } catch {
      // The system is not Linux, or the user may not read the file.
    }
  }
  return undefined;
}

/** Fills memory with the bytes of the archive from a position on. */
function bytesAt(position: number, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const { length } = bytes;
  if (!place) {
    if (mapped?.copy(bytes, 0, position) !== length) throw damaged();
    return bytes;
  }
  for (let read = 0; read < length;) {
    const more = readSync(place.file, bytes, read, length - read, place.at + position + read);
    if (more === 0) throw damaged();
    read += more;
  }
  return bytes;
}

function damaged(): Error {
  return new Error(`${process.execPath} is damaged. Download it again.`);
}
