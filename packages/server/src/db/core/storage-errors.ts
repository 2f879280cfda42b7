/** The code that a driver gave its error; empty without one. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Reports whether a unique constraint refused the row; `column` narrows to one, such as `workspaces.slug`. */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  const code = codeOf(error);
  if (code !== '23505' && code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return false;
  if (column === undefined) return true;
  // SQLite names `table.column`, PostgreSQL the constraint `table_column_key`.
  const { message, constraint } = error as Error & { constraint?: string };
  return message.includes(column) || constraint === `${column.replace('.', '_')}_key`;
}
