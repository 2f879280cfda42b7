// Writes what is derived from the command specs: the help that is printed without parsing, the reference and the man pages.
// `--check` writes nothing and fails when a file is out of date.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { manPages } from './man.ts';
import { referencePages } from './reference.ts';
import { rootHelp } from './root-help.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const check = process.argv.includes('--check');

const files = new Map<string, string>([
  ['packages/cli/src/generated/root-help.ts', await rootHelp()],
  ...(await referencePages()).map(([name, text]): [string, string] => [`docs/reference/cli/${name}`, text]),
  ...(await manPages()).map(([name, text]): [string, string] => [`packages/cli/man/${name}`, text]),
]);

/** Files of an earlier run that nothing makes anymore. */
async function leftovers(): Promise<string[]> {
  const folders = ['docs/reference/cli', 'packages/cli/man'];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return names.map((name) => `${folder}/${name}`);
    }),
  );
  return found.flat().filter((path) => !files.has(path));
}

const stale: string[] = [];
for (const [path, text] of files) {
  const file = join(root, path);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
  stale.push(path);
  if (check) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
for (const path of await leftovers()) {
  stale.push(path);
  if (!check) await rm(join(root, path));
}
if (check && stale.length > 0) {
  for (const path of stale) console.error(`${relative('.', path)} is out of date.`);
  process.exitCode = 1;
}
