import { z } from 'zod';

/** The setting that names PostgreSQL, for messages. */
export const DATABASE_FLAG = '--database-url (or HUBLINE_DATABASE_URL)';

type Env = Readonly<Record<string, string | undefined>>;

const URL_RULE =
  'must be a URL such as postgres://user:password@host/database, with special characters encoded: %40 for @, %2F for /';

// A comma before the @ belongs to the password.
const NAMES_SEVERAL = /^[^/]*\/\/(?:[^/?#]*@)?[^/?#@,]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&#]*,/;
const ONE_HOST =
  'must name one host: for a primary and its replicas, give a proxy, a virtual address or a DNS name that leads to the primary';

const CHECKED_MODES = ['require', 'verify-ca', 'verify-full'];
const SSL_MODES = ['disable', ...CHECKED_MODES, 'no-verify'];
const SSL_MODE_RULE =
  'must have the sslmode disable, require, verify-ca or verify-full, or no-verify for TLS without checking the certificate';

/** Reports whether every `sslmode` of a URL is known and does not let the driver silently continue without TLS. */
const hasSslModes = (url: string): boolean =>
  URL.parse(url)
    ?.searchParams.getAll('sslmode')
    .every((mode) => SSL_MODES.includes(mode)) ?? true;

/** The driver checks the certificate in all of these modes, and warns of each name but the last at every start. */
const withPlainTls = (url: string): string =>
  url.includes('uselibpqcompat=')
    ? url
    : url.replace(/([?&]sslmode=)(?:require|verify-ca)(?=&|#|$)/, '$1verify-full');

/** Adds a host to a URL with a socket in `host`, for readers other than the driver: `user@localhost/database?host=/run/postgresql`. */
const withHost = (url: string): string =>
  /[?&]host=/.test(url) ? url.replace(/^([^/]*\/\/[^/?#]*@)\//, '$1localhost/') : url;

/** The URL of a PostgreSQL database. */
export const databaseUrl = z
  .string()
  .overwrite(withHost)
  .refine((value) => !NAMES_SEVERAL.test(value), ONE_HOST)
  .regex(/^postgres(?:ql)?:\/\//, URL_RULE)
  .refine((value) => NAMES_SEVERAL.test(value) || URL.canParse(value), URL_RULE)
  .refine(hasSslModes, SSL_MODE_RULE)
  .transform(withPlainTls);

/** Parameters that the driver follows. */
const FOLLOWED = new Set(
  (
    'host port user password application_name fallback_application_name client_encoding options ssl sslmode sslrootcert sslcert sslkey ' +
    'sslnegotiation uselibpqcompat statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout'
  ).split(' '),
);

/**
 * Parameters of libpq that lose nothing here: the server has limits and heartbeats of its own, and refuses a replica and a key with a
 * passphrase. The last two rows are those that hosts put into URLs for the pools of other programs.
 */
const HARMLESS = new Set(
  (
    'connect_timeout keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout load_balance_hosts ' +
    'target_session_attrs sslcompression sslsni sslpassword krbsrvname gsslib gssdelegation min_protocol_version max_protocol_version ' +
    'pgbouncer supa connection_limit pool_timeout socket_timeout statement_cache_size max keepAlive ' +
    'connectionTimeoutMillis idleTimeoutMillis'
  ).split(' '),
);

interface Unread {
  cure: string;
  /** The variable that psql reads. */
  variable?: string;
  /** Values that ask for nothing. */
  harmless?: readonly string[];
}

const CHECK_INSTEAD = 'leave it out, and let TLS check the certificate with sslmode=verify-full';
const REVOKED =
  'a revoked certificate would be accepted; to revoke one, replace the authority in sslrootcert';
const IN_PATH = 'name the database in the path, as in postgres://host/database';
const FROM_SERVICE = `write what it says into ${DATABASE_FLAG}`;

/** Parameters that the driver would ignore, although they protect the connection or lead to another database. */
const UNREAD: Readonly<Record<string, Unread>> = {
  service: { variable: 'PGSERVICE', cure: FROM_SERVICE },
  servicefile: { cure: FROM_SERVICE },
  dbname: { cure: IN_PATH },
  database: { cure: IN_PATH },
  hostaddr: { variable: 'PGHOSTADDR', cure: `name the address as the host in ${DATABASE_FLAG}` },
  passfile: { cure: 'name the file in PGPASSFILE' },
  sslcrl: { variable: 'PGSSLCRL', cure: REVOKED },
  sslcrldir: { variable: 'PGSSLCRLDIR', cure: REVOKED },
  require_auth: { variable: 'PGREQUIREAUTH', cure: CHECK_INSTEAD },
  requirepeer: { variable: 'PGREQUIREPEER', cure: CHECK_INSTEAD },
  channel_binding: {
    variable: 'PGCHANNELBINDING',
    harmless: ['disable', 'prefer'],
    cure: CHECK_INSTEAD,
  },
  gssencmode: { variable: 'PGGSSENCMODE', harmless: ['disable', 'prefer'], cure: CHECK_INSTEAD },
  sslcertmode: { variable: 'PGSSLCERTMODE', harmless: ['allow', 'disable'], cure: 'leave it out' },
  ssl_min_protocol_version: {
    variable: 'PGSSLMINPROTOCOLVERSION',
    // Node refuses older versions in any case.
    harmless: ['TLSv1', 'TLSv1.1', 'TLSv1.2'],
    cure: 'leave it out, and set ssl_min_protocol_version of PostgreSQL',
  },
};

/**
 * A sentence about a setting of the connection that psql would follow and the driver would not, so that the connection would be less safe
 * than it looks, or lead to another database; `null` for none. `name` is the flag or variable of the URL.
 */
export function databaseConflict(url: string, { env, name }: { env: Env; name: string }): string | null {
  const { searchParams } = new URL(url);
  const mode = searchParams.getAll('sslmode').at(-1) ?? env['PGSSLMODE'] ?? '';
  const hasTls = mode === '' && ['true', '1'].includes(searchParams.get('ssl') ?? '');
  const isChecked = hasTls || (CHECKED_MODES.includes(mode) && !searchParams.has('uselibpqcompat'));
  const isHarmless = (parameter: string, value: string) =>
    UNREAD[parameter]?.harmless?.includes(value) === true || (parameter === 'channel_binding' && isChecked);
  for (const [parameter, value] of searchParams) {
    if (value === '' || FOLLOWED.has(parameter) || HARMLESS.has(parameter) || isHarmless(parameter, value))
      continue;
    const cure = UNREAD[parameter]?.cure ?? 'check its spelling, or leave it out';
    return `${name} must not have the parameter ${parameter}, which would have no effect: ${cure}.`;
  }
  for (const [parameter, { variable = '', cure }] of Object.entries(UNREAD)) {
    const value = env[variable] ?? '';
    if (value === '' || searchParams.has(parameter) || isHarmless(parameter, value)) continue;
    return `${variable} must not be set, because it would have no effect: ${cure.replace('leave it out', 'unset it')}.`;
  }
  // The driver would not use TLS.
  if (!searchParams.has('sslmode') && !['', 'prefer', ...SSL_MODES].includes(mode))
    return `PGSSLMODE ${SSL_MODE_RULE.replace('have the sslmode', 'be')}.`;
  for (const [one, other] of [
    ['sslcert', 'sslkey'],
    ['sslkey', 'sslcert'],
  ] as const)
    if (searchParams.has(one) && !searchParams.has(other))
      return `${name} has ${one} without ${other}: a certificate needs its key. Give both, or neither.`;
  if (searchParams.get('sslrootcert') === 'system')
    return `${name} must not have sslrootcert=system: leave it out, and set sslmode=verify-full, which trusts the usual authorities.`;
  return null;
}

// Variables that psql reads, and the driver does not. Without them, TLS is as strict, or fails.
const UNREAD_FILES = { PGSSLROOTCERT: 'sslrootcert', PGSSLCERT: 'sslcert', PGSSLKEY: 'sslkey' };

// A server refuses a replica in any case.
const WRITABLE = ['any', 'read-write', 'primary'];

// The size of the pool, as other programs call it.
const POOL_SIZES = ['connection_limit', 'max'];

/** Sentences about settings of the connection that have no effect, and do no harm. */
export function unreadDatabaseSettings(url: string, env: Env): string[] {
  const { searchParams } = new URL(url);
  const unread = Object.entries(UNREAD_FILES)
    .filter(([variable, parameter]) => env[variable] && !searchParams.has(parameter))
    .map(
      ([variable, parameter]) =>
        `${variable} has no effect. Name the file with ${parameter}=/path in ${DATABASE_FLAG}.`,
    );
  for (const parameter of POOL_SIZES)
    if (searchParams.has(parameter))
      unread.push(
        `${parameter} in ${DATABASE_FLAG} has no effect. Set the size of the pool with --database-connections (or HUBLINE_DATABASE_CONNECTIONS).`,
      );
  const binding =
    searchParams.get('channel_binding') === 'require'
      ? 'channel_binding'
      : env['PGCHANNELBINDING'] === 'require'
        ? 'PGCHANNELBINDING'
        : null;
  if (binding !== null) unread.push(`${binding}=require has no effect: TLS checks the certificate instead.`);
  const inUrl = searchParams.get('target_session_attrs');
  const wanted = inUrl ?? env['PGTARGETSESSIONATTRS'] ?? '';
  const name = inUrl === null ? 'PGTARGETSESSIONATTRS' : 'target_session_attrs';
  if (wanted !== '' && !WRITABLE.includes(wanted))
    unread.push(
      `${name}=${wanted} has no effect, because a server must be able to write. Name the primary in ${DATABASE_FLAG}.`,
    );
  return unread;
}
