import { LIMITS } from '@hubline/contract/constants';
import { z } from 'zod';
import { periodMs } from '../domain/period.ts';
import { databaseConflict, databaseUrl } from './database-url.ts';
import { envName, type GivenSettings, readGiven } from './given-settings.ts';
import { asDomain, domainIssue, httpsConflict, LETS_ENCRYPT } from './https-settings.ts';
import { readS3Access, type S3Access } from './s3-access.ts';
import { withoutServiceLinks } from './service-links.ts';

/** A flag or environment variable that cannot be used. The message names the setting, the rule and the fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])], 'must be true or false')
  .transform((value) => value === true || value === 'true' || value === '1');
const integer = (min: number, max: number, rule = `must be an integer from ${min} to ${max}`) => {
  const digits = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number);
  return z.union([z.number(), digits], rule).pipe(z.int(rule).min(min, rule).max(max, rule));
};
/** A number with a setting that does not name its unit; the error names it. */
const amount = (min: number, max: number, unit: string) =>
  integer(min, max, `must be an integer from ${min} to ${max}, in ${unit}`);
/** A setting that is off by default. A flag can turn it off even if the environment turns it on. */
const orOff = <Setting extends z.ZodType>(setting: Setting) =>
  z.preprocess((value) => (value === 'off' ? undefined : value), setting.optional());
const name = z.string().regex(/\S/, 'must not be empty or only spaces');
/** Refuses `~` and `$`: in variables and files of settings, no shell expands them. */
const path = name.refine(
  (value) => !/^(?:~(?:\/|$)|\$)/.test(value),
  'must be a full path, such as /var/lib/hubline: only a shell expands ~ and $HOME',
);
const hostName = z
  .string()
  .regex(/^\S+$/, 'must be an address such as 127.0.0.1, or a name, without spaces')
  .refine(
    (value) => !/^(?:2(?:2[4-9]|3\d)(?:\.\d+){3}|255\.255\.255\.255|ff[\da-f]{2}:.*)$/i.test(value),
    'must be the address of one machine, such as 127.0.0.1, not a multicast or broadcast address',
  );
/**
 * Reports whether a URL can be a base, without user, query or fragment: paths are appended to it, and it is shown to
 * others.
 */
const isBase = (value: string): boolean => !/[?#]|^[^/]*\/\/[^/]*@/.test(value);
/** Checks the text as written: a URL parser would also find a host in `https:///x`. */
const isHttp = (value: string): boolean => /^https?:\/\/[^\s/\\?#]\S*$/i.test(value) && URL.canParse(value);
/** Reports whether a text is an HTTP URL to which a path can be appended. */
export const isHttpBase = (value: string): boolean => isHttp(value) && isBase(value);
const httpUrl = z
  .string()
  .refine(isHttp, 'must be a URL such as https://hub.example.com')
  .refine((value) => isBase(value), 'must have no user, ? or #, as in https://hub.example.com')
  .transform((value) => value.replace(/\/+$/, ''));

const domain = z
  .string()
  .transform(asDomain)
  .superRefine((name, context) => {
    const message = domainIssue(name);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** All addresses of IPv6 and IPv4, if the machine has both. */
const EVERY_ADDRESS = '::';

/** The smallest `--memory-budget`, in MiB. */
export const MEMORY_BUDGET_MIN = 32;

const SENDERS_MAX = 16;
const SENDERS_RULE = `must be auto or an integer from 0 to ${SENDERS_MAX}`;

const schema = z.object({
  host: hostName.default('127.0.0.1'),
  port: integer(0, 65_535).default(8787),
  data: path.default('./hubline-data'),
  databaseUrl: databaseUrl.optional(),
  databaseConnections: integer(2, 1_000).default(10),
  allowHttpLocalhost: flag.default(false),
  behindProxy: flag.default(false),
  tlsCert: path.optional(),
  tlsKey: path.optional(),
  domain: domain.optional(),
  acmeEmail: z.email('must be an address such as you@example.com').optional(),
  acmeDirectory: z
    .string()
    .refine(
      (value) => URL.parse(value)?.protocol === 'https:',
      `must be the https:// URL of an ACME directory, such as ${LETS_ENCRYPT}`,
    )
    .default(LETS_ENCRYPT),
  httpsPort: integer(0, 65_535).default(443),
  httpPort: integer(0, 65_535).default(80),
  publicUrl: httpUrl
    .refine(
      (value) => URL.parse(value)?.pathname === '/',
      'must have no path: its pages are at the root of a host',
    )
    .optional(),
  rateLimit: amount(1, 100_000_000, 'requests per minute').default(LIMITS.requestsPerWindow),
  burst: orOff(amount(1, 1_000_000, 'requests per second')),
  senders: z.union([z.literal('auto'), integer(0, SENDERS_MAX, SENDERS_RULE)], SENDERS_RULE).default('auto'),
  httpThread: z.enum(['auto', 'on', 'off'], 'must be auto, on or off').default('auto'),
  memoryBudget: amount(MEMORY_BUDGET_MIN, 1_000_000, 'MiB').default(128),
  retainEventsDays: amount(0, 36_500, 'days').default(90),
  retainDeliveriesDays: amount(0, 36_500, 'days').default(30),
  retainAuditDays: amount(0, 36_500, 'days').default(365),
  logFormat: z.enum(['pretty', 'json'], 'must be pretty or json').default('pretty'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info'),
  credentialCheck: z.enum(['strict', 'skip'], 'must be strict or skip').default('strict'),
  masterKey: z
    .string()
    .refine(
      (value) => value.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === 32),
      'must be 32 bytes in base64, or several such keys separated by commas, the current one first',
    )
    .optional(),
  metricsToken: z.string().min(16, 'must have at least 16 characters').optional(),
  smtpUrl: z
    .string()
    .refine(
      (value) => /^smtps?:$/.test(URL.parse(value)?.protocol ?? '') && URL.parse(value)?.hostname !== '',
      'must be a URL such as smtp://user:password@host:587, with special characters encoded: %40 for @, %2F for /',
    )
    .optional(),
  mailFrom: z
    .string()
    .regex(/[^\s<>]@[^\s<>]/, 'must be an address, with a name if you like: Hubline <hub@example.com>')
    .default('Hubline <hubline@localhost>'),
  migrationBackup: flag.default(true),
  backupEvery: orOff(
    z
      .string()
      .refine(
        (text) => periodMs(text) !== null,
        'must be a period in minutes, hours or days, such as 90m, 24h or 7d, up to 366d',
      ),
  ),
  backupKeep: integer(1, 10_000).default(7),
  backupTo: path.optional(),
  synchronous: z.enum(['FULL', 'NORMAL'], 'must be FULL or NORMAL').default('FULL'),
});

type SettingName = keyof z.output<typeof schema>;
const SETTINGS = Object.keys(schema.shape) as SettingName[];
/** The variables of all settings. */
export const VARIABLES: ReadonlySet<string> = new Set(SETTINGS.map(envName));

/** The settings of a server, checked and with defaults. */
export type ServerConfig = z.output<typeof schema> & {
  /** The flag or variable that each setting came from, for messages; for a setting that was not given, its flag. */
  names: GivenSettings<SettingName>['names'];
  /** Base URLs of provider APIs, by provider key, from `HUBLINE_<PROVIDER>_API_URL`. */
  providerApiUrls: Readonly<Record<string, string>>;
  /** Origins of provider OAuth endpoints, by provider key, from `HUBLINE_<PROVIDER>_OAUTH_URL`. */
  providerOAuthUrls: Readonly<Record<string, string>>;
  /** The credentials for backups in S3, from the `AWS_*` variables that all S3 tools read. */
  s3: S3Access;
};

/** The settings of a server: flags by their camel-case name. Every one also reads `HUBLINE_<FLAG>`. */
export type ServerFlags = {
  [Name in keyof z.input<typeof schema>]?: z.input<typeof schema>[Name] | undefined;
};

/** Parses the settings. Flags win over the environment, the environment over the defaults. Throws `ConfigError`. */
export function parseServerConfig(flags: ServerFlags, env: Record<string, string | undefined>): ServerConfig {
  const { values, names } = readGiven(SETTINGS, flags, withoutServiceLinks(env));
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = names[issue?.path[0] as SettingName];
    throw new ConfigError(`${name} ${issue?.message ?? 'cannot be used'}.`);
  }
  const config = parsed.data;
  const conflict =
    httpsConflict(config, { values, names }) ??
    (config.databaseUrl === undefined
      ? null
      : databaseConflict(config.databaseUrl, { env, name: names.databaseUrl }));
  if (conflict !== null) throw new ConfigError(conflict);
  refuseHalfTls({ ...config, names });
  if (config.allowHttpLocalhost && env['NODE_ENV'] === 'production') {
    throw new ConfigError(
      `${names.allowHttpLocalhost} lets the webhooks of every user call this machine, so it is refused with NODE_ENV=production.`,
    );
  }
  refuseUnusableBackups({ ...config, names });
  return {
    ...config,
    ...(config.domain !== undefined && {
      // A server with a domain is for other machines to reach.
      host: values.host === undefined ? EVERY_ADDRESS : config.host,
      publicUrl: config.publicUrl ?? `https://${config.domain}`,
    }),
    names,
    s3: readS3Access(env),
    providerApiUrls: providerUrls(env, 'API'),
    providerOAuthUrls: providerUrls(env, 'OAUTH'),
  };
}

function refuseHalfTls({ tlsCert, tlsKey, names }: Pick<ServerConfig, 'tlsCert' | 'tlsKey' | 'names'>): void {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return;
  const [given, other] = tlsKey === undefined ? [names.tlsCert, 'KEY'] : [names.tlsKey, 'CERT'];
  throw new ConfigError(
    `${given} needs --tls-${other.toLowerCase()} (or HUBLINE_TLS_${other}): a certificate needs its key. Give both, or neither.`,
  );
}

function refuseUnusableBackups({
  backupEvery,
  backupTo,
  databaseUrl,
  names,
}: Pick<ServerConfig, 'backupEvery' | 'backupTo' | 'databaseUrl' | 'names'>): void {
  if (backupEvery === undefined) return;
  if (databaseUrl !== undefined)
    throw new ConfigError(
      `${names.backupEvery} backs up SQLite, but this server uses PostgreSQL. Unset it, and use pg_dump: see "Backups" in the self-hosting guide.`,
    );
  if (backupTo === undefined)
    throw new ConfigError(
      `${names.backupEvery} needs --backup-to (or HUBLINE_BACKUP_TO): a directory on another disk, or s3://bucket/prefix.`,
    );
}

function providerUrls(
  env: Record<string, string | undefined>,
  kind: 'API' | 'OAUTH',
): Record<string, string> {
  const pattern = new RegExp(`^HUBLINE_([A-Z0-9_]+)_${kind}_URL$`);
  const urls: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const provider = pattern.exec(name)?.[1];
    if (!provider || !value) continue;
    const url = httpUrl.safeParse(value);
    if (!url.success)
      throw new ConfigError(
        `${name} must be a URL such as https://github.example.com/api/v3, without user, ? and #.`,
      );
    urls[provider.toLowerCase()] = url.data;
  }
  return urls;
}
