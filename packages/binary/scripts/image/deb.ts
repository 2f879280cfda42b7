import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type ParsedTarEntryWithData, unpackTar } from 'modern-tar';
import xz from 'xz-decompress';
import { Refusal } from '../script.ts';

/** A package of Debian, read on any system: an `ar` archive of two tar archives. */
interface Deb {
  /** The description that scanners read: name, version, source. */
  readonly control: Uint8Array;
  /** The files by path, without a leading dot or slash. */
  readonly files: ReadonlyMap<string, ParsedTarEntryWithData>;
}

const MAGIC = '!<arch>\n';
const HEADER = 60;

/** @throws {Refusal} naming the package if it is not a Debian package. */
export async function readDeb(name: string, bytes: Buffer<ArrayBuffer>): Promise<Deb> {
  const members = membersOf(bytes);
  const archive = async (part: string): Promise<Map<string, ParsedTarEntryWithData>> => {
    const [file, body] = [...members].find(([member]) => member.startsWith(`${part}.tar`)) ?? [];
    if (file === undefined || body === undefined)
      throw new Refusal(`${name} is not a Debian package: it has no ${part}.tar`);
    const entries = await unpackTar(unpacked(file, body));
    return new Map(entries.map((entry) => [entry.header.name.replace(/^\.?\//, ''), entry]));
  };
  const control = (await archive('control')).get('control')?.data;
  if (!control) throw new Refusal(`${name} is not a Debian package: it has no control file`);
  return { control, files: await archive('data') };
}

function membersOf(bytes: Buffer<ArrayBuffer>): Map<string, Buffer<ArrayBuffer>> {
  const members = new Map<string, Buffer<ArrayBuffer>>();
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return members;
  for (let at = MAGIC.length; at + HEADER <= bytes.length;) {
    const header = bytes.toString('latin1', at, at + HEADER);
    const size = Number.parseInt(header.slice(48, 58), 10);
    const begin = at + HEADER;
    members.set(header.slice(0, 16).trim().replace(/\/$/, ''), bytes.subarray(begin, begin + size));
    // Members begin at even offsets.
    at = begin + size + (size % 2);
  }
  return members;
}

function unpacked(file: string, body: Buffer<ArrayBuffer>): Uint8Array | ReadableStream<Uint8Array> {
  if (file.endsWith('.xz')) return unxz(body);
  if (file.endsWith('.gz')) return gunzipSync(body);
  if (file.endsWith('.zst')) return zstdDecompressSync(body);
  return body;
}

export function unxz(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new xz.XzReadableStream(new Blob([bytes]).stream());
}
