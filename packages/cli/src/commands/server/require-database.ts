import { resolve } from 'node:path';
import type { ServerConfig } from '@hubline/server';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors.ts';

interface Options {
  /** `--data` as it was given. */
  readonly data: string | undefined;
  /** Whether the command may make a database that is not there. */
  readonly mayCreate: boolean;
}

/**
 * Sees to it that a command works on the database that is meant. In the wrong folder there is none: that is an error, or, for a command
 * that may make one, a question unless the directory was named. Answers whether the database is new.
 */
export async function requireDatabase(
  ctx: Context,
  config: ServerConfig,
  { data, mayCreate }: Options,
): Promise<boolean> {
  // Its address was given, and whether it is empty is for the server to see.
  if (config.databaseUrl !== undefined) return false;
  const { hasDatabase } = await import('@hubline/server');
  if (hasDatabase(config.data)) return false;
  const missing = `There is no database in ${resolve(config.data)}.`;
  if (!mayCreate) {
    throw new CommandError(
      'not_found',
      missing,
      'Name the directory of the server with --data, or make one: hubline server start',
    );
  }
  const named = data !== undefined || Boolean(ctx.env['HUBLINE_DATA']);
  if (named || ctx.globals.yes || ctx.globals.dryRun) return true;
  if (!ctx.interactive) {
    throw new CommandError(
      'usage',
      missing,
      'Name the directory of the server with --data. To make a new database here, add --yes.',
    );
  }
  if (await (await ctx.prompt('--yes')).confirm(`${missing} Make a new one there?`)) return true;
  throw new CommandError(
    'usage',
    'Cancelled: nothing was made.',
    'Name the directory of the server with --data.',
  );
}
