import type { ServerConfig } from '@hubline/server';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { given, SERVER_FLAGS } from './flags.ts';
import { requireAddress } from './start/require-address.ts';
import { variableWarnings } from './variable-warnings.ts';

interface ServerSetting {
  /** The flag without its dashes. */
  readonly setting: string;
  /** `null` for one that is not set. */
  readonly value: string | number | boolean | null;
}

const SECRETS = ['masterKey', 'metricsToken'];
const PORTS_OF_DOMAIN = ['httpsPort', 'httpPort'];
const URLS = ['databaseUrl', 'smtpUrl'];

export const command = define({
  path: 'server check-config',
  summary: 'Check the flags and variables that a server would start with, and list the resulting settings.',
  description:
    'Takes the flags of server start, and refuses what a start would refuse. Nothing is started or created; secrets are masked. A port that this user cannot use now is only a warning: the server may already run, or run as another user. Two more cases are only warnings: a data directory that a running server uses (its database is then not read), and a PostgreSQL that is down or refuses the login, after at most 5 s. Only a start reads a PostgreSQL database, and notices that HUBLINE_MASTER_KEY lacks a key after an interrupted rotation.',
  flags: SERVER_FLAGS,
  examples: ['hubline server check-config', 'HUBLINE_PORT=80 hubline server check-config --json'],
  view: view<ServerSetting>()({
    noun: ['setting', 'settings'],
    fields: ['setting', 'value'],
    columns: ['setting', { path: 'value', flexible: true }],
    id: 'setting',
  }),
  async *run(ctx, { flags }): AsyncGenerator<ServerSetting> {
    const {
      backupWarning,
      databaseWarning,
      inspectStorage,
      parseStartConfig,
      refuseUnusableDirectory,
      requireLimits,
      surroundingsOf,
      tlsWarnings,
      warningsOf,
    } = await import('@hubline/server');
    const parsed = parseStartConfig(given(flags), { ...ctx.env });
    // With too few open files allowed, none of the checks below could run.
    requireLimits(parsed);
    // If the current directory has been removed, a relative path leads nowhere.
    refuseUnusableDirectory(ctx.absolute(parsed.data));
    const storageWarning = inspectStorage(parsed);
    const { providerApiUrls, providerOAuthUrls, s3, names: _, ...config } = parsed;
    const portConflict = await takenPort(parsed);
    const unreachable = await databaseWarning(parsed);
    const now = new Date(ctx.now());
    const warnings = [
      ...(await variableWarnings(ctx.env, parsed.databaseUrl)),
      ...tlsWarnings(parsed, now),
      ...warningsOf(parsed, surroundingsOf(parsed, now)),
    ];
    for (const warning of warnings) await ctx.warn(warning);
    if (portConflict !== null) await ctx.warn(`A start would be refused now: ${portConflict}`);
    for (const warning of [storageWarning, unreachable, await backupWarning(parsed)])
      if (warning !== null) await ctx.warn(warning);
    const unused = config.domain === undefined ? PORTS_OF_DOMAIN : ['port'];
    for (const [name, value] of Object.entries(config)) {
      if (unused.includes(name)) continue;
      yield { setting: kebabCase(name), value: shown(name, value) };
    }
    if (config.backupTo?.startsWith('s3://')) {
      yield { setting: 's3-endpoint', value: s3.endpoint };
      yield { setting: 's3-region', value: s3.region };
      yield { setting: 's3-credentials', value: s3.credentials && '…' };
    }
    for (const [provider, url] of Object.entries(providerApiUrls)) {
      yield { setting: `${provider}-api-url`, value: url };
    }
    for (const [provider, url] of Object.entries(providerOAuthUrls)) {
      yield { setting: `${provider}-oauth-url`, value: url };
    }
  },
});

/** The reason why a port cannot be taken now; `null` if it can. Throws `ConfigError` for an address that is not of this machine. */
async function takenPort(config: ServerConfig): Promise<string | null> {
  const { ConfigError, tryPorts } = await import('@hubline/server');
  try {
    await tryPorts(config);
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    await requireAddress(config);
    return error.message;
  }
}

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function shown(name: string, value: string | number | boolean | undefined): string | number | boolean | null {
  if (value === undefined) return null;
  if (SECRETS.includes(name)) return '…';
  if (!URLS.includes(name)) return value;
  const url = new URL(String(value));
  if (url.password) url.password = '…';
  return decodeURI(url.href);
}
