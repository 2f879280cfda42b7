import { dirname } from 'node:path';

/** A reader takes in about fifteen names at a glance. */
const MOST = 15;

/** Problems with folders of more files than a reader takes in. */
export function fullFolders(paths: readonly string[]): string[] {
  const folders = Map.groupBy(paths, (path) => dirname(path));
  return [...folders]
    .filter(([, files]) => files.length > MOST)
    .map(
      ([folder, files]) =>
        `${folder} has ${files.length} files, more than ${MOST}: give one of its ideas a folder of its own`,
    );
}
