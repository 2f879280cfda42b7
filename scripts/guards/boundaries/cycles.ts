import { dirname, posix } from 'node:path';
import type { Import } from './imports-of.ts';

/**
 * Problems with files that import each other, over any number of files, types included: none of them can be read, or tested,
 * without the others. Each cycle is reported once, as the way from a file back to itself.
 */
export function cycleProblems(imports: readonly Import[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const { path, specifier } of imports) {
    if (!specifier.startsWith('.')) continue;
    const known = targets.get(path) ?? new Set();
    targets.set(path, known.add(posix.join(dirname(path), specifier)));
  }
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start !== -1) problems.push(`${[...way.slice(start), path].join(' → ')}: an import cycle`);
    if (start !== -1 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return problems;
}
