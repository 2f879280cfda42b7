import { openSync, readSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { type Index, LENGTH_DIGITS, MARK, OPENED, type Place } from './archive-format.ts';

// Everything that this file holds beside Node is read from it as from any other file. Node's own way to ship assets maps them into
// memory, where they stay: 9 MB of an idle server.

/** The position of the archive in this file, in digits. The build writes it there as soon as it knows. */
declare const ARCHIVE_AT: string;

const { file, at } = (getEnvironmentData(OPENED) as unknown as Place | undefined) ?? openOwn();
const head = bytesAt(at, MARK.length + LENGTH_DIGITS).toString('latin1');
if (!head.startsWith(MARK)) throw damaged();
const indexLength = Number(head.slice(MARK.length));
const index = JSON.parse(bytesAt(at + head.length, indexLength).toString()) as Index;
const partsAt = at + head.length + indexLength;

export const hasPart = (name: string): boolean => name in index;

/** The bytes of a part, in memory of their own. */
export function part(name: string): Buffer<ArrayBuffer> {
  const place = index[name];
  if (!place) throw new Error(`${name} is not in this file`);
  return bytesAt(partsAt + place[0], place[1]);
}

function openOwn(): Place {
  const place = { file: openProgram(), at: Number(ARCHIVE_AT) };
  setEnvironmentData(OPENED, { ...place });
  return place;
}

/** Opens the program that runs. Linux finds it even where an upgrade has replaced it since the start. */
function openProgram(): number {
  try {
    return openSync('/proc/self/exe', 'r');
  } catch {
    return openSync(process.execPath, 'r');
  }
}

function bytesAt(position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let read = 0; read < length;) {
    const more = readSync(file, bytes, read, length - read, position + read);
    if (more === 0) throw damaged();
    read += more;
  }
  return bytes;
}

function damaged(): Error {
  return new Error(`${process.execPath} is damaged. Download it again.`);
}
