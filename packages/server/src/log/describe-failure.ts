import { ConfigError } from '../config/config.ts';
import { MailError } from '../domain/faults/mail-error.ts';
import { ProviderUnavailable } from '../domain/faults/provider-unavailable.ts';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { networkReason } from '../system/network-reason.ts';

/** Codes of the system, of its network, and of the disk of SQLite. */
const OF_SYSTEM = /^(?:E[A-Z]+$|SQLITE_(?:BUSY|FULL|IOERR|LOCKED|CANTOPEN|READONLY|PERM))/;

const POSTGRES =
  'Check that the PostgreSQL of HUBLINE_DATABASE_URL or --database-url is running and accepts connections.';

const CURES: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL)/, 'Make room on the disk of the data directory.'],
  [
    /^(?:EACCES|EPERM|EROFS|SQLITE_(?:CANTOPEN|READONLY|PERM))/,
    'Let the server write to its data directory.',
  ],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'Stop the other program that holds the database.'],
  [/^(?:EIO|SQLITE_IOERR)/, 'Check the disk of the data directory, and the system log.'],
  [/^53300/, 'Raise max_connections of PostgreSQL, or lower --database-connections.'],
  [
    /^55P03/,
    'Find it in pg_stat_activity with pg_blocking_pids(pid) of a session that waits. It ends by itself, or with pg_terminate_backend(pid).',
  ],
  [
    /^57014/,
    'Find in pg_stat_activity what holds its tables; statement_timeout of PostgreSQL may be too short.',
  ],
  [
    /^(?:25006|28|3D000)/,
    'Check the host, the user and the password of HUBLINE_DATABASE_URL or --database-url.',
  ],
  [/^(?:08|55000|57P)/, POSTGRES],
];

/** The log fields of a failure: a sentence if the system or a setting has to be fixed, the stack if it may be a bug. */
export function describeFailure(error: unknown): { reason: string } | { err: unknown } {
  if (error instanceof ConfigError || error instanceof ProviderUnavailable) return { reason: error.message };
  if (error instanceof MailError)
    return { reason: error.host === null ? error.message : `${error.message} (${error.host})` };
  if (!(error instanceof Error)) return { err: error };
  const isWrapped = codeOf(error) === '' && error.cause instanceof Error;
  const cause = isWrapped ? (error.cause as Error) : error;
  const code = codeOf(cause);
  if (!(error instanceof StorageUnavailable) && !OF_SYSTEM.test(code)) return { err: error };
  const cure =
    CURES.find(([codes]) => codes.test(code))?.[1] ??
    (error instanceof StorageUnavailable && networkReason(cause) !== null ? POSTGRES : '');
  const other = error instanceof StorageUnavailable ? 'PostgreSQL' : 'The other side';
  const said = `${sentenceOf(cause, { code, other })} ${cure}`.trim();
  return { reason: isWrapped ? `${error.message} ${said}` : said };
}

function sentenceOf(error: Error, { code, other }: { code: string; other: string }): string {
  const reason = networkReason(error);
  if (reason === null) return `${error.message.replace(/\.$/, '')}${code === '' ? '' : ` (${code})`}.`;
  const [first = error]: Error[] = error instanceof AggregateError ? error.errors : [];
  const { address, hostname, port } = first as { address?: string; hostname?: string; port?: number };
  const host = hostname ?? address ?? other;
  const named = port === undefined ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `${named} cannot be reached: ${reason}.`;
}

const codeOf = ({ code }: Error & { code?: unknown }): string => (typeof code === 'string' ? code : '');
