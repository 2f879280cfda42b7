import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';

interface Older {
  readonly version: string;
  /** The newest step of the schema that it knows. */
  readonly schema: string;
}

/**
 * Refuses an older version that could not open the database. The database is in `data`, or in `HUBLINE_DATA`. If there is none, it is
 * assumed to be migrated by this version.
 */
export async function refuseAcrossMigration(
  ctx: Context,
  { version, schema }: Older,
  data: string | undefined,
): Promise<void> {
  const { parseServerConfig, SCHEMA, schemaOf } = await import('@hubline/server');
  const directory = data ?? ctx.env['HUBLINE_DATA'];
  const config = directory ? parseServerConfig({ data: directory }, {}) : undefined;
  const applied = config && schemaOf(config);
  // The names of steps begin with a number of four digits.
  if ((applied ?? SCHEMA) <= schema) return;
  throw new CommandError(
    'conflict',
    applied
      ? `The database in ${directory} has schema step ${applied}, and hubline ${version} knows only those up to ${schema}.`
      : `hubline ${version} knows no schema step after ${schema}, and this version migrates to ${SCHEMA}.`,
    'Stop the server, restore the backup from before the migration (hubline server restore), and name its directory with --data.',
  );
}
