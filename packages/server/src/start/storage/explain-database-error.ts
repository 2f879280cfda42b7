import { createPrivateKey, X509Certificate } from 'node:crypto';
import pg from 'pg';
import { ConfigError } from '../../config/config.ts';
import { DATABASE_FLAG as FLAG } from '../../config/database-url.ts';
import { codeOf } from '../../db/core/storage-errors.ts';
import { isReadOnly } from '../../db/postgres/postgres-error.ts';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { fileReason } from '../../system/file-reason.ts';
import { networkReason } from '../../system/network-reason.ts';

const PASSWORD = `Check the user and the password in ${FLAG}. Encode special characters there, such as %40 for @ and %2F for /, or leave the password out and set PGPASSWORD.`;

/** Codes of PostgreSQL, and of poolers in between, each with what the operator can do. */
const CURES: readonly (readonly [RegExp, string])[] = [
  [
    /^08P01/,
    `If ${FLAG} leads to a pooler such as PgBouncer, set its pool_mode to session, or name PostgreSQL itself.`,
  ],
  [/^28/, PASSWORD],
  [/^3F000/, `Name a schema in the search_path of the user of ${FLAG}.`],
  [/^3D000/, `Create the database, or name another in ${FLAG}.`],
  [/^42501/, `Make the user of ${FLAG} the owner of the database.`],
  [/^42P07/, `Use a separate database in ${FLAG}: this one has the tables of another program.`],
  [/^53300/, 'Raise max_connections of PostgreSQL, or lower --database-connections.'],
  [
    /^55P03/,
    'Another session holds a lock on its tables: find it in pg_stat_activity, then wait until it ends, or end it.',
  ],
  [/^57P03/, 'Start the server again in a moment.'],
];
const OTHER = `Check ${FLAG}, and the log of PostgreSQL.`;
const UNREACHABLE = `Check that PostgreSQL is running there and accepts connections from this machine, or name another host in ${FLAG}.`;
const TLS = `Give PostgreSQL a certificate that is trusted here, name its authority with sslrootcert=/path/ca.pem in ${FLAG}, or turn off TLS with sslmode=disable.`;

/** Turns an error of PostgreSQL at a start into a `ConfigError` that says what to do; every other error stays as it is. */
export function explainDatabaseError(error: unknown, databaseUrl: string): unknown {
  if (error instanceof ConfigError) return error;
  const cause = error instanceof StorageUnavailable ? error.cause : error;
  const unusable = unusableFile(cause, databaseUrl) ?? unusableUrl(databaseUrl) ?? unusableTls(databaseUrl);
  if (unusable !== null) return new ConfigError(unusable, { cause: error });
  const { host, database } = targetOf(databaseUrl);
  if (cause instanceof pg.DatabaseError) {
    if (isReadOnly(cause)) return takesOnlyReads(databaseUrl, error);
    const cure = CURES.find(([codes]) => codes.test(codeOf(cause)))?.[1] ?? OTHER;
    // A statement that PostgreSQL refuses for another reason is a bug.
    if (cure === OTHER && error === cause) return error;
    return new ConfigError(`PostgreSQL at ${host} refuses ${database}: ${cause.message}. ${cure}`, {
      cause: error,
    });
  }
  if (!(error instanceof StorageUnavailable)) return error;
  const reason = networkReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  const authority = new URL(databaseUrl).searchParams.get('sslrootcert');
  if (authority !== null && reason.includes('authority is unknown'))
    return new ConfigError(
      `PostgreSQL at ${host} cannot be reached: no authority in sslrootcert=${authority} has signed its certificate. Name the file of the one that has in ${FLAG}.`,
      { cause: error },
    );
  const cure = /certificate|TLS/.test(reason) ? TLS : /password/.test(reason) ? PASSWORD : UNREACHABLE;
  return new ConfigError(`PostgreSQL at ${host} cannot be reached: ${reason}. ${cure}`, { cause: error });
}

/** The refusal of a database that a start cannot write to. */
export function takesOnlyReads(databaseUrl: string, cause?: unknown): ConfigError {
  const { host, database } = targetOf(databaseUrl);
  return new ConfigError(
    `PostgreSQL at ${host} takes only reads of ${database}. If it is a replica, name the primary in ${FLAG}; otherwise turn off default_transaction_read_only.`,
    { cause },
  );
}

/** Refuses a URL that the driver cannot use, or that names files for TLS that it cannot use. Throws `ConfigError`. */
export function requireUsableUrl(databaseUrl: string): void {
  try {
    targetOf(databaseUrl);
  } catch (error) {
    throw explainDatabaseError(error, databaseUrl);
  }
  const unusable = unusableTls(databaseUrl);
  if (unusable !== null) throw new ConfigError(unusable);
}

/** Explains an error of a file that the URL names, such as `sslrootcert`, which the driver reads. */
function unusableFile(error: unknown, databaseUrl: string): string | null {
  const { path } = error as NodeJS.ErrnoException;
  const reason = fileReason(error);
  const [name] = [...new URL(databaseUrl).searchParams].find(([, value]) => value === path) ?? [];
  if (name === undefined || reason === null) return null;
  return `${name}=${path} in ${FLAG} cannot be read: ${reason}. Name a file that this user may read.`;
}

/** Explains a URL that breaks the driver's own rules for parameters. */
function unusableUrl(databaseUrl: string): string | null {
  try {
    targetOf(databaseUrl);
    return null;
  } catch (error) {
    return `${FLAG} cannot be used: ${(error as Error).message}`;
  }
}

/**
 * Explains a file of the URL that has the wrong content: OpenSSL would refuse it with a code, or find no authority and trust no
 * certificate.
 */
function unusableTls(databaseUrl: string): string | null {
  const { ssl } = new pg.Client({ connectionString: databaseUrl });
  if (ssl === null || typeof ssl !== 'object') return null;
  const named = (name: string) => `${name}=${new URL(databaseUrl).searchParams.get(name)} in ${FLAG}`;
  const noCertificate = (name: string) =>
    `${named(name)} is no certificate: name a file that has one in PEM, from -----BEGIN CERTIFICATE----- on.`;
  const { ca, cert, key, rejectUnauthorized } = ssl;
  const isChecked = ca !== undefined && rejectUnauthorized !== false;
  if (isChecked && read(() => new X509Certificate(String(ca))) === null) return noCertificate('sslrootcert');
  const own = cert === undefined ? undefined : read(() => new X509Certificate(String(cert)));
  if (own === null) return noCertificate('sslcert');
  const secret = key === undefined ? undefined : read(() => createPrivateKey(String(key)));
  if (secret === null)
    return `${named('sslkey')} is no private key that can be read: name a file that has one in PEM, without a passphrase.`;
  if (own && secret && !own.checkPrivateKey(secret))
    return `${named('sslkey')} does not belong to the certificate of ${named('sslcert')}: name the two files that were made together.`;
  return null;
}

function read<Value>(parse: () => Value): Value | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

function targetOf(databaseUrl: string): { host: string; database: string } {
  const { host, port, database } = new pg.Client({ connectionString: databaseUrl });
  return { host: host.startsWith('/') ? host : `${host}:${port}`, database: `the database ${database}` };
}
