import { dirname, posix } from 'node:path';
import type { Import } from './imports-of.ts';
import { SERVER, unitOf } from '../rule-of.ts';
import { isTest } from '../../workspace.ts';

/**
 * Problems with folders of the server that import each other, types included: neither can be understood, moved or tested without the
 * other. `known`: the pairs that remain. A pair that no longer exists must leave the list.
 */
export function twoWayProblems(known: readonly string[], imports: readonly Import[]): string[] {
  const ways = new Set<string>();
  for (const { path, specifier } of imports) {
    if (!path.startsWith(`${SERVER}/`) || isTest(path) || !specifier.startsWith('.')) continue;
    const way = wayOf(path, posix.join(dirname(path), specifier));
    if (way) ways.add(way.join(' ↔ '));
  }
  const pairs = [...ways].filter((way) => {
    const [from = '', to = ''] = way.split(' ↔ ');
    return from < to && ways.has(`${to} ↔ ${from}`);
  });
  return [
    ...pairs
      .filter((pair) => !known.includes(pair))
      .map(
        (pair) => `${pair} import each other: move what both need, or let one of them take it as an argument`,
      ),
    ...known
      .filter((pair) => !pairs.includes(pair))
      .map(
        (pair) =>
          `${pair} do not import each other any longer: remove the pair from scripts/guards/boundaries/import-table.ts`,
      ),
  ];
}

/** The two sibling folders that an import connects; `null` if one of them is a file, which belongs to its folder. */
function wayOf(path: string, target: string): [string, string] | null {
  const from = posix.relative(SERVER, path).split('/');
  const to = posix.relative(SERVER, target).split('/');
  const depth = from.findIndex((part, index) => part !== to[index]);
  const [own, other] = [from, to].map((parts) => folderAt(parts, depth));
  return own && other ? [own, other] : null;
}

/** A folder by its path. The foundation files right under `src` count as one folder: `.`. */
function folderAt(parts: readonly string[], depth: number): string | null {
  if (parts.length > depth + 1) return parts.slice(0, depth + 1).join('/');
  return depth === 0 && unitOf(parts.join('/')) === '.' ? '.' : null;
}
