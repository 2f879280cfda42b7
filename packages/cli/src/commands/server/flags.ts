import { LIMITS } from '@hubline/contract/constants';
import type { ServerConfig } from '@hubline/server';
import { resolve } from 'node:path';
import type { FlagTable } from '../../spec/flag.ts';

/** The storage of a server. Like all flags of a server, these are passed on unchanged: the server checks them and has the defaults. */
export const STORAGE_FLAGS = {
  data: {
    type: 'text',
    value: 'dir',
    summary: 'Directory of the database and the master key (server default: ./hubline-data)',
  },
  'database-url': { type: 'text', value: 'url', summary: 'PostgreSQL instead of the embedded SQLite' },
} as const satisfies FlagTable;

/** The destination of scheduled backups. */
export const BACKUP_FLAGS = {
  'backup-to': {
    type: 'text',
    value: 'dir|s3://…',
    summary:
      'Destination of scheduled backups: a directory, or s3://bucket/prefix with the usual AWS_* variables',
  },
} as const satisfies FlagTable;

/** The flags of a server, which checks them and knows their defaults; each can also come from `HUBLINE_<FLAG>`. */
export const SERVER_FLAGS = {
  host: { type: 'text', value: 'address', summary: 'Address to listen on (server default: 127.0.0.1)' },
  port: {
    type: 'text',
    value: 'port',
    summary: 'Port to listen on, 0 for a free one (server default: 8787)',
  },
  ...STORAGE_FLAGS,
  'allow-http-localhost': {
    type: 'boolean',
    summary: 'Let webhooks call http:// on this machine, for development',
  },
  'behind-proxy': {
    type: 'boolean',
    summary: 'Trust X-Forwarded-Proto and -For from a proxy that terminates TLS',
  },
  'tls-cert': { type: 'text', value: 'file', summary: 'Certificate (PEM), to serve HTTPS' },
  'tls-key': { type: 'text', value: 'file', summary: 'Key of the certificate (PEM)' },
  domain: {
    type: 'text',
    value: 'name',
    summary: 'Serve HTTPS for this domain, with a certificate that the server gets and renews automatically',
  },
  'acme-email': {
    type: 'text',
    value: 'address',
    summary: 'Your email address, for the authority that issues the certificate',
  },
  'acme-directory': {
    type: 'text',
    value: 'url',
    summary: "URL of the ACME directory of an authority other than Let's Encrypt",
  },
  'https-port': {
    type: 'text',
    value: 'port',
    summary: 'Port for HTTPS with --domain, to which 443 is forwarded (server default: 443)',
  },
  'http-port': {
    type: 'text',
    value: 'port',
    summary: 'Port for plain HTTP with --domain, to which 80 is forwarded (server default: 80)',
  },
  'public-url': { type: 'text', value: 'url', summary: 'URL where others reach the server' },
  'rate-limit': {
    type: 'text',
    value: 'n',
    summary: `Requests per minute for each workspace (server default: ${LIMITS.requestsPerWindow})`,
  },
  'retain-events-days': {
    type: 'text',
    value: 'n',
    summary: 'Keep events for this many days, 0 for no limit (server default: 90)',
  },
  'retain-deliveries-days': {
    type: 'text',
    value: 'n',
    summary:
      'Keep finished deliveries and their attempts for this many days, 0 for no limit (server default: 30)',
  },
  'retain-audit-days': {
    type: 'text',
    value: 'n',
    summary: 'Keep the audit log for this many days, 0 for no limit (server default: 365)',
  },
  senders: {
    type: 'text',
    value: 'auto|n',
    suggestions: ['auto'],
    summary:
      'Threads that send webhook calls, 0 for none (server default: auto, one fewer than there are cores, at most 8)',
  },
  'http-thread': {
    type: 'text',
    value: 'auto|on|off',
    suggestions: ['auto', 'on', 'off'],
    summary:
      'Handle HTTP in a separate thread (server default: auto, on with three cores or more, off with --domain)',
  },
  'memory-budget': {
    type: 'text',
    value: 'MiB',
    summary: 'Memory for all request bodies, responses, streams and deliveries (server default: 128)',
  },
  'database-connections': {
    type: 'text',
    value: 'n',
    summary: 'Maximum connections to PostgreSQL (server default: 10)',
  },
  burst: {
    type: 'text',
    value: 'n',
    summary: 'Maximum requests per second for each workspace (server default: off)',
  },
  'backup-every': {
    type: 'text',
    value: 'period',
    summary: 'Back up SQLite at this interval, such as 24h; needs --backup-to (server default: off)',
  },
  'backup-keep': {
    type: 'text',
    value: 'n',
    summary: 'How many scheduled backups to keep (server default: 7)',
  },
  ...BACKUP_FLAGS,
  'log-format': {
    type: 'text',
    value: 'pretty|json',
    suggestions: ['pretty', 'json'],
    summary: 'Format of the log on stderr (server default: pretty)',
  },
} as const satisfies FlagTable;

/** The flags that were given. A switch that was not given is left to the environment. */
export function given(
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(flags).filter(
      (entry): entry is [string, string | boolean] => entry[1] !== undefined && entry[1] !== false,
    ),
  );
}

/** The database of a server with its place, for people, so that they notice a wrong folder. */
export function databaseOf({ data, databaseUrl }: Pick<ServerConfig, 'data' | 'databaseUrl'>): string {
  return databaseUrl === undefined ? `the database in ${resolve(data)}` : 'the PostgreSQL database';
}
