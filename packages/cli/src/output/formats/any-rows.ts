import { type ResolvedColumn, columnsOf } from './columns.ts';

/** The name of the column of values that have no fields. */
const VALUE = 'value';

/** The rows of a value of any shape: the items of a list, or the value itself; none for an empty response. */
export function rowsOf(value: unknown): readonly object[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? item : { [VALUE]: item },
  );
}

/** The columns of rows of any shape: each field that one of them has, in the order in which they appear. */
export function anyColumns(rows: readonly object[]): ResolvedColumn[] {
  const paths = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columnsOf({
    noun: ['item', 'items'],
    fields: paths,
    columns: paths.map((path) => ({ path, flexible: true })),
    id: paths[0] ?? VALUE,
  });
}
