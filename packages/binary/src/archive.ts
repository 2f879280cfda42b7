import { openSync, readSync } from 'node:fs';
import { getRawAsset } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { type Index, LENGTH_DIGITS, MARK, OPENED, type Place } from './archive-format.ts';

// Everything that this file holds beside Node is read from it as from any other file. Node's own way to ship assets maps them into
// memory, where they stay: 9 MB of an idle server.

/** The position of the archive in this file, in digits. The build writes it there as soon as it knows. */
declare const ARCHIVE_AT: string;

const place = (getEnvironmentData(OPENED) as unknown as Place | undefined) ?? openOwn();
/** All of the archive, for who may run this file and not read it. */
const mapped = place ? undefined : Buffer.from(getRawAsset('archive'));
const head = bytesAt(0, MARK.length + LENGTH_DIGITS).toString('latin1');
if (!head.startsWith(MARK)) throw damaged();
const indexLength = Number(head.slice(MARK.length));
const index = JSON.parse(bytesAt(head.length, indexLength).toString()) as Index;
const partsAt = head.length + indexLength;

export const hasPart = (name: string): boolean => name in index;

/** The bytes of a part, in memory of their own. */
export function part(name: string): Buffer<ArrayBuffer> {
  const found = index[name];
  if (!found) throw new Error(`${name} is not in this file`);
  return bytesAt(partsAt + found[0], found[1]);
}

function openOwn(): Place | undefined {
  const file = openProgram();
  if (file === undefined) return undefined;
  const place = { file, at: Number(ARCHIVE_AT) };
  setEnvironmentData(OPENED, { ...place });
  return place;
}

/** Opens the program that runs. Linux finds it even where an upgrade has replaced it since the start. */
function openProgram(): number | undefined {
  for (const path of ['/proc/self/exe', process.execPath]) {
    try {
      return openSync(path, 'r');
    } catch {
      // Not Linux, or not to be read.
    }
  }
  return undefined;
}

/** Bytes of the archive, from a position on. */
function bytesAt(position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
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
