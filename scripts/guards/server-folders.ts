import { serverTable } from './import-table.ts';
import type { Import } from './imports-of.ts';

/** Imports between the server's folders. */
export function folderRules(from: string, to: string, { typeOnly }: Import): string[] {
  const [own, target] = [unitOf(from), unitOf(to)];
  const row = serverTable[own];
  if (!row) return [`server/src/${own} has no row; add one to scripts/guards/import-table.ts`];
  if (own === target || topOf(from) === topOf(to)) return [];
  const allowed = [...row.imports, ...(typeOnly ? (row.types ?? []) : [])];
  if (['*', target, to].some((entry) => allowed.includes(entry))) return [];
  return [
    `${own} may import only ${allowed.join(', ') || 'itself'} (arrows point down, see docs/architecture.md)`,
  ];
}

const topOf = (path: string): string => path.split('/')[0] ?? path;

/** The longest path of the server's table that holds the file; `.` for the other files right under `src`. */
export function unitOf(path: string): string {
  const rows = Object.keys(serverTable).filter(
    (row) => path === row || path === `${row}.ts` || path.startsWith(`${row}/`),
  );
  return rows.toSorted((a, b) => b.length - a.length)[0] ?? (path.includes('/') ? topOf(path) : '.');
}
