import pg from 'pg';
import { ConfigError } from '../config/config.ts';
import { codeOf } from '../db/core/storage-errors.ts';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { networkReason } from '../system/network-reason.ts';

const FLAG = '--database-url (or HUBLINE_DATABASE_URL)';

/** Codes of PostgreSQL, each with what the operator can do. */
const CURES: readonly (readonly [RegExp, string])[] = [
  [
    /^28/,
    `Check the user and the password in ${FLAG}. Write special characters there as in every URL, such as %40 for @ and %2F for /, or leave the password out and set PGPASSWORD.`,
  ],
  [/^3D000/, `Create the database, or name another in ${FLAG}.`],
  [/^42501/, `Make the user of ${FLAG} the owner of the database.`],
  [/^53300/, 'Raise max_connections of PostgreSQL, or lower --database-connections.'],
  [/^57P03/, 'Start the server again in a moment.'],
];
const UNREACHABLE = `Check that PostgreSQL runs there and takes connections from this machine, or name another host in ${FLAG}.`;

/** Turns an error of PostgreSQL at a start into a `ConfigError` that says what to do; every other error stays as it is. */
export function explainDatabaseError(error: unknown, databaseUrl: string): unknown {
  const cause = error instanceof StorageUnavailable ? error.cause : error;
  const { host, database } = placeOf(databaseUrl);
  if (cause instanceof pg.DatabaseError) {
    const cure = CURES.find(([codes]) => codes.test(codeOf(cause)))?.[1];
    if (cure === undefined) return error;
    return new ConfigError(`PostgreSQL at ${host} refuses ${database}: ${cause.message}. ${cure}`, {
      cause: error,
    });
  }
  if (!(error instanceof StorageUnavailable)) return error;
  const reason = networkReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return new ConfigError(`PostgreSQL at ${host} cannot be reached: ${reason}. ${UNREACHABLE}`, {
    cause: error,
  });
}

function placeOf(databaseUrl: string): { host: string; database: string } {
  const { host, port, database } = new pg.Client({ connectionString: databaseUrl });
  return { host: host.startsWith('/') ? host : `${host}:${port}`, database: `the database ${database}` };
}
