import type { SourceFile } from './check-boundaries.ts';
import type { Row } from './import-table.ts';
import { importsOf } from './imports-of.ts';
import { ruleOf } from './rule-of.ts';
import { isTest } from '../workspace.ts';

/** Entries of the import table that no file needs: a door that nobody uses lets in what nobody looks at. */
export function unneededEntries(
  tables: readonly Readonly<Record<string, Row>>[],
  files: readonly SourceFile[],
): string[] {
  const needs = needsOf(files);
  return tables.flatMap((table) =>
    Object.entries(table).flatMap(([name, row]) =>
      [...row.imports, ...(row.types ?? []), ...(row.lazy ?? [])].flatMap((entry) => {
        const need = needs.get(`${name} ${entry}`);
        if (need === undefined) return [`${name} imports nothing by "${entry}": remove it from the row`];
        const isWide = need === 'type' && row.imports.includes(entry) && entry !== '*';
        return isWide ? [`${name} imports only types by "${entry}": move it to types`] : [];
      }),
    ),
  );
}

/** `row entry` → the most that an import needs of it. The widest entry that allows an import is the one that it needs. */
function needsOf(files: readonly SourceFile[]): Map<string, 'type' | 'value'> {
  const needs = new Map<string, 'type' | 'value'>();
  for (const { path, text } of files.filter((file) => !isTest(file.path))) {
    for (const { specifier, typeOnly } of importsOf(path, text)) {
      const rule = ruleOf(path, specifier);
      if (!rule?.row) continue;
      const { imports, types = [], lazy = [] } = rule.row;
      const entry = [imports, lazy, types]
        .map((list) => rule.entries.find((each) => list.includes(each)))
        .find((found) => found !== undefined);
      const key = `${rule.name} ${entry}`;
      if (!typeOnly || !needs.has(key)) needs.set(key, typeOnly ? 'type' : 'value');
    }
  }
  return needs;
}
