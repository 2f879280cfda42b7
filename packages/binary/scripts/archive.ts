import { readFileSync, writeFileSync } from 'node:fs';
import { type Index, LENGTH_DIGITS, MARK } from '../src/archive-format.ts';

/** The placeholder in a program for the position of its archive. It is as long as the digits that replace it. */
export const UNPLACED = '<archive at>....';

/** Writes an archive. `parts` has the file of each part by its name. */
export function writeArchive(parts: Readonly<Record<string, string>>, file: string): void {
  const contents = Object.entries(parts).map(([name, path]) => ({ name, bytes: readFileSync(path) }));
  const index: Record<string, Index[string]> = {};
  let at = 0;
  for (const { name, bytes } of contents) {
    index[name] = [at, bytes.length];
    at += bytes.length;
  }
  const list = Buffer.from(JSON.stringify(index));
  const head = MARK + String(list.length).padStart(LENGTH_DIGITS, '0');
  writeFileSync(file, Buffer.concat([Buffer.from(head), list, ...contents.map(({ bytes }) => bytes)]));
}

/** Writes the position of the archive into the program that contains it. */
export function placeArchive(program: Buffer, archive: Buffer): void {
  const at = positionOf(program, archive, 'the archive');
  const placeholder = positionOf(program, Buffer.from(UNPLACED), 'the placeholder for its position');
  program.write(String(at).padStart(UNPLACED.length, '0'), placeholder, 'latin1');
}

function positionOf(program: Buffer, bytes: Buffer, title: string): number {
  const at = program.indexOf(bytes);
  if (at === -1 || program.includes(bytes, at + 1))
    throw new Error(`The program must contain ${title} exactly once`);
  return at;
}
