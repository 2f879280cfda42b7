import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the part, and of the file beside the programs. */
export const BUILD_ID = 'build-id';

/** The same for all programs of one build, and for no other: a hash of the parts that they share, given by their files. */
export function buildIdOf(parts: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const [name, file] of Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const bytes = readFileSync(file);
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return `hubline-build ${hash.digest('hex')}\n`;
}

/** Reports whether a program is from the last build. */
export function isOfLastBuild(dist: string, program: Buffer): boolean {
  const file = join(dist, BUILD_ID);
  return existsSync(file) && program.includes(readFileSync(file));
}
