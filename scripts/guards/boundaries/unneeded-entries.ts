import type { Row } from './import-table.ts';
import type { Import } from './imports-of.ts';
import { ruleOf } from '../rule-of.ts';
import { isTest } from '../../workspace.ts';

/** Entries of the import table that no file needs: they would let a later import pass unnoticed. */
export function unneededEntries(
  tables: readonly Readonly<Record<string, Row>>[],
  found: readonly Import[],
): string[] {
  const needs = needsOf(found);
  return tables.flatMap((table) =>
    Object.entries(table).flatMap(([name, row]) =>
      [...row.imports, ...(row.types ?? []), ...(row.lazy ?? [])].flatMap((entry) => {
        const need = needs.get(`${name} ${entry}`);
        if (need === undefined) return [`${name} imports nothing by "${entry}": remove it from the row`];
        const isWide = need === 'type' && row.imports.includes(entry);
        return isWide ? [`${name} imports only types by "${entry}": move it to types`] : [];
      }),
    ),
  );
}

/** `row entry` → the most that an import needs of it. The widest entry that allows an import is the one that it needs. */
function needsOf(found: readonly Import[]): Map<string, 'type' | 'value'> {
  const needs = new Map<string, 'type' | 'value'>();
  for (const { path, specifier, typeOnly } of found.filter((each) => !isTest(each.path))) {
    const rule = ruleOf(path, specifier);
    if (!rule?.row) continue;
    const { imports, types = [], lazy = [] } = rule.row;
    const entry = [imports, lazy, types]
      .map((list) => rule.entries.find((each) => list.includes(each)))
      .find((each) => each !== undefined);
    const key = `${rule.name} ${entry}`;
    if (!typeOnly || !needs.has(key)) needs.set(key, typeOnly ? 'type' : 'value');
  }
  return needs;
}
