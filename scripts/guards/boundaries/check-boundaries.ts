/**
 * Packages exist because users install different things, folders because developers need boundaries.
 * Without this script, the first import across a boundary goes unnoticed, and every later change has to live with it.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { cycleProblems } from './cycles.ts';
import { fullFolders } from './full-folders.ts';
import { packageTable, serverTable, twoWays } from './import-table.ts';
import { COMPUTED, importsOf } from './imports-of.ts';
import type { Import } from './imports-of.ts';
import { ownTime } from './own-time.ts';
import { repeated, repeatedTypeProblems } from './repeated-types.ts';
import { ruleOf } from '../rule-of.ts';
import { twoWayProblems } from './two-ways.ts';
import { unneededEntries } from './unneeded-entries.ts';
import { report } from '../../report.ts';
import { isTest, root, sourceFiles, workspacePackages } from '../../workspace.ts';

/** Problems with single imports. */
export function boundaryProblems(imports: readonly Import[]): string[] {
  return imports.flatMap((found) =>
    rulesBroken(found).map((rule) => `${found.path}:${found.line} imports "${found.specifier}": ${rule}`),
  );
}

function rulesBroken(found: Import): string[] {
  const { path } = found;
  const [, folder = ''] = path.split('/');
  const source = `packages/${folder}/src`;
  if (found.specifier === COMPUTED)
    return ['name the module in a string, so that its boundary can be checked'];
  if (found.star) return ['export names one by one; `export *` hides what the module offers'];
  if (!found.specifier.startsWith('.')) return isTest(path) ? [] : rowRules(found);

  const target = posix.join(dirname(path), found.specifier);
  if (!target.startsWith(`packages/${folder}/`))
    return ['leaves the package; import the other package by its name'];
  if (isTest(path)) return [];
  if (target === `${source}/index.ts`)
    return ["is the package's own index; import the file that has the name"];
  if (isTest(target)) return ['is test code; move what both need into a source file'];
  return rowRules(found);
}

const CURE =
  'turn the import around, or move what both need into a folder that both may import; if the architecture itself changes, add it to the row in scripts/guards/boundaries/import-table.ts';

/** The row of the package, or of the server's folder. */
function rowRules({ path, specifier, typeOnly, dynamic }: Import): string[] {
  const rule = ruleOf(path, specifier);
  if (!rule) return [];
  const { name, row, entries } = rule;
  if (!row) return [`${name} has no row; add one to scripts/guards/boundaries/import-table.ts`];
  const isIn = (list: readonly string[] = []): boolean => entries.some((entry) => list.includes(entry));
  if (isIn(row.imports)) return [];
  if (isIn(row.lazy)) return typeOnly || dynamic ? [] : ['load it with `await import()` where it is needed'];
  if (!isIn(row.types)) return [`not in the row of ${name}: ${CURE}`];
  return typeOnly ? [] : ['only its types may be imported: use `import type`'];
}

if (import.meta.main) {
  const paths = workspacePackages().flatMap(sourceFiles);
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const imports = importsOf(files);
  const problems = [
    ...boundaryProblems(imports),
    ...unneededEntries([packageTable, serverTable], imports),
    ...twoWayProblems(twoWays, imports),
    ...cycleProblems(imports),
    ...fullFolders(
      globSync('{examples,packages,scripts}/**/*.{ts,tsx}', {
        cwd: root,
        exclude: ['**/node_modules/**', '**/dist/**'],
      }),
    ),
    ...repeatedTypeProblems(repeated, files),
    ...ownTime(files),
  ];
  report(problems, `Imports and types of ${paths.length} files`);
}
