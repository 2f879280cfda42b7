import { dirname, posix } from 'node:path';
import { packageTable, type Row, serverTable } from './boundaries/import-table.ts';

/** The part of the import table that decides about one import. */
export interface Rule {
  /** The name of the row: a package, or a path under `server/src`. */
  readonly name: string;
  readonly row: Row | undefined;
  /** The entries that would allow it, from the widest to the narrowest. */
  readonly entries: readonly string[];
}

export const SERVER = 'packages/server/src';

/** The rule for an import; `null` inside of one package or one folder of the server, where everything is allowed. */
export function ruleOf(path: string, specifier: string): Rule | null {
  const [, name = ''] = path.split('/');
  const from = posix.relative(SERVER, path);
  const unit = unitOf(from);
  const { name: own, row } =
    name === 'server' ? { name: unit, row: serverTable[unit] } : { name, row: packageTable[name] };
  if (!specifier.startsWith('.')) return { name: own, row, entries: namesOf(specifier) };
  if (name !== 'server') return null;
  const to = posix.relative(SERVER, posix.join(dirname(path), specifier));
  const target = unitOf(to);
  return own === target || topOf(from) === topOf(to) ? null : { name: own, row, entries: ['*', target, to] };
}

/** `node:fs/promises` is named by `node:`, `node:fs` and itself. */
function namesOf(specifier: string): string[] {
  const parts = specifier.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return specifier.startsWith('node:') ? ['node:', ...paths] : paths;
}

const topOf = (path: string): string => path.split('/')[0] ?? path;

/** The longest path of the server's table that holds the file; `.` for the other files right under `src`. */
export function unitOf(path: string): string {
  const rows = Object.keys(serverTable).filter(
    (row) => path === row || path === `${row}.ts` || path.startsWith(`${row}/`),
  );
  return rows.toSorted((a, b) => b.length - a.length)[0] ?? (path.includes('/') ? topOf(path) : '.');
}
