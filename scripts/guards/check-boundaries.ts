/**
 * The house has walls: packages exist because users install different things, folders because developers need a wall.
 * Without this script the first import across one goes unnoticed and every later change has to live with it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { folderRules, unitOf } from './server-folders.ts';
import { packageTable, serverTable } from './import-table.ts';
import { COMPUTED, importsOf } from './imports-of.ts';
import type { Import } from './imports-of.ts';
import { report } from '../report.ts';
import { isTest, root, sourceFiles, workspacePackages } from '../workspace.ts';

/** A source file: its path from the workspace root, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export function boundaryProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(path, text).flatMap((found) =>
      rulesBroken(path, found).map((rule) => `${path}:${found.line} imports "${found.specifier}": ${rule}`),
    ),
  );
}

function rulesBroken(path: string, found: Import): string[] {
  const [, folder = ''] = path.split('/');
  const source = `packages/${folder}/src`;
  if (found.specifier === COMPUTED)
    return ['name the module in a string, so that its boundary can be checked'];
  if (found.star) return ['export names one by one; `export *` hides what the module offers'];
  if (!found.specifier.startsWith('.')) return isTest(path) ? [] : moduleRules(path, found);

  const target = posix.join(dirname(path), found.specifier);
  if (!target.startsWith(`packages/${folder}/`))
    return ['leaves the package; import the other package by its name'];
  if (isTest(path)) return [];
  if (target === `${source}/index.ts`)
    return ["is the package's own index; import the file that has the name"];
  if (isTest(target)) return ['is test code; move what both need into a source file'];
  return folder === 'server'
    ? folderRules(posix.relative(source, path), posix.relative(source, target), found)
    : [];
}

/** Imports by name: the package's row, narrowed by its folder's row. */
function moduleRules(path: string, { specifier, typeOnly, dynamic }: Import): string[] {
  const [, folder = ''] = path.split('/');
  const row = packageTable[folder];
  if (!row) return [`packages/${folder} has no row; add one to scripts/guards/import-table.ts`];
  const unit =
    folder === 'server' ? serverTable[unitOf(posix.relative('packages/server/src', path))] : undefined;
  const narrowed = unit?.modules && !typeOnly ? unit.modules : row.imports;
  if (allows(narrowed, specifier)) return [];
  if (allows(row.lazy ?? [], specifier))
    return typeOnly || dynamic ? [] : ['load it with `await import()` where it is needed'];
  if (!allows(row.types ?? [], specifier))
    return [`not in the row of ${unit?.modules ? path : folder}, scripts/guards/import-table.ts`];
  return typeOnly ? [] : ['only its types may be imported: use `import type`'];
}

function allows(entries: readonly string[], specifier: string): boolean {
  return entries.some(
    (entry) => specifier === entry || specifier.startsWith(entry.endsWith(':') ? entry : `${entry}/`),
  );
}

if (import.meta.main) {
  const paths = workspacePackages().flatMap(sourceFiles);
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  report(boundaryProblems(files), `Imports of ${files.length} files`);
}
