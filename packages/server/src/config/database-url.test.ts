import { expect, it } from 'vitest';
import { parseServerConfig } from './config.ts';

const URL = 'postgres://hub@db.internal/hub';

const parse = (query: string, env: Record<string, string> = {}) =>
  parseServerConfig({ databaseUrl: `${URL}${query}` }, env).databaseUrl;

it.each([
  [
    '?sslmode=verify-full&sslcrl=/crl',
    'sslcrl, which would have no effect: a revoked certificate would be accepted; to revoke one',
  ],
  ['?sslmode=verify-full&sslcrldir=/crls', 'sslcrldir, which would have no effect: a revoked certificate'],
  ['?service=hub', 'service, which would have no effect: write what it says into --database-url'],
  ['?dbname=other', 'dbname, which would have no effect: name the database in the path'],
  ['?database=other', 'database, which would have no effect: name the database in the path'],
  ['?hostaddr=10.0.0.1', 'hostaddr, which would have no effect: name the address as the host'],
  ['?passfile=/pass', 'passfile, which would have no effect: name the file in PGPASSFILE'],
  ['?channel_binding=require', 'channel_binding, which would have no effect: leave it out, and let TLS'],
  ['?sslmode=no-verify&channel_binding=require', 'channel_binding, which would have no effect'],
  ['?uselibpqcompat=true&sslmode=require&channel_binding=require', 'channel_binding, which'],
  ['?sslmode=require&sslmode=no-verify&channel_binding=require', 'channel_binding, which'],
  ['?gssencmode=require', 'gssencmode, which would have no effect'],
  ['?require_auth=scram-sha-256', 'require_auth, which would have no effect'],
  [
    '?sslmode=require&ssl_min_protocol_version=TLSv1.3',
    'ssl_min_protocol_version, which would have no effect',
  ],
  ['?ssl_mode=require', 'ssl_mode, which would have no effect: check its spelling, or leave it out'],
  ['?sslMode=require', 'sslMode, which would have no effect: check its spelling'],
])('a URL with a parameter that would be ignored is refused, with what to do instead: %s', (query, says) => {
  expect(() => parse(query)).toThrow(`--database-url must not have the parameter ${says}`);
});

it.each([
  ['?sslcert=/cert', 'has sslcert without sslkey: a certificate needs its key. Give both, or neither.'],
  ['?sslkey=/key', 'has sslkey without sslcert'],
  ['?sslrootcert=system', 'must not have sslrootcert=system: leave it out, and set sslmode=verify-full'],
])('a URL whose files for TLS cannot be used is refused: %s', (query, says) => {
  expect(() => parse(query)).toThrow(`--database-url ${says}`);
});

it.each([
  ['PGSERVICE', 'hub', 'would have no effect: write what it says into --database-url'],
  ['PGHOSTADDR', '10.0.0.1', 'would have no effect: name the address as the host'],
  ['PGSSLCRL', '/crl', 'would have no effect: a revoked certificate would be accepted; to revoke one'],
  ['PGREQUIREAUTH', 'scram-sha-256', 'would have no effect: unset it, and let TLS check the certificate'],
  ['PGCHANNELBINDING', 'require', 'would have no effect: unset it, and let TLS check the certificate'],
  ['PGGSSENCMODE', 'require', 'would have no effect: unset it'],
])('a variable that psql follows and the server would ignore is refused: %s', (name, value, says) => {
  expect(() => parse('', { [name]: value })).toThrow(`${name} must not be set, because it ${says}`);
  expect(parse('', { [name]: '' })).toBe(URL);
});

it.each(['allow', 'Require', 'verify_full'])(
  'PGSSLMODE=%s, with which the driver uses no TLS, is refused',
  (mode) => {
    const env = { PGSSLMODE: mode };
    expect(() => parse('', env)).toThrow('PGSSLMODE must be disable, require, verify-ca or verify-full');
    expect(parse('?sslmode=disable', env)).toContain('sslmode=disable');
  },
);

it.each([
  '?sslmode=verify-full&channel_binding=require',
  '?channel_binding=prefer&gssencmode=prefer&ssl_min_protocol_version=TLSv1.2',
  '?pgbouncer=true&supa=base-pooler.x&connection_limit=5&pool_timeout=10',
  '?ssl=true&channel_binding=require',
  '?sslcrl=&sslcertmode=disable',
  '?connect_timeout=3&keepalives=1&target_session_attrs=read-write&application_name=hub',
  '?sslmode=verify-full&sslrootcert=/ca&sslcert=/cert&sslkey=/key&options=-c%20lock_timeout%3D30s',
])('a URL with parameters that work, or lose nothing when they are ignored, stays as it is: %s', (query) => {
  expect(parse(query)).toBe(`${URL}${query}`);
});

it('without PostgreSQL, its variables do not matter', () => {
  expect(parseServerConfig({}, { PGSERVICE: 'hub', PGSSLMODE: 'allow' }).databaseUrl).toBeUndefined();
});
