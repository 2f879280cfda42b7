import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { given, SERVER_FLAGS } from './flags.ts';

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
    'Takes the flags of server start. Nothing is started or made; secrets are masked. A port that this user could not take now is reported, and is no error: the server may run already, or as another user.',
  flags: SERVER_FLAGS,
  examples: ['hubline server check-config', 'HUBLINE_PORT=80 hubline server check-config --json'],
  view: view<ServerSetting>()({
    noun: ['setting', 'settings'],
    fields: ['setting', 'value'],
    columns: ['setting', { path: 'value', flexible: true }],
    id: 'setting',
  }),
  async *run(ctx, { flags }): AsyncGenerator<ServerSetting> {
    const { ConfigError, parseStartConfig, refuseUnfitDirectory, requireLimits, tlsWarnings, tryPorts } =
      await import('@hubline/server');
    const parsed = parseStartConfig(given(flags), { ...ctx.env });
    // In a directory that has been removed, a path that begins there leads nowhere.
    refuseUnfitDirectory(ctx.absolute(parsed.data));
    const { providerApiUrls, providerOAuthUrls, s3, names: _, ...config } = parsed;
    for (const warning of tlsWarnings(parsed, new Date(ctx.now()))) await ctx.warn(warning);
    try {
      // With few files, a port cannot be tried either.
      requireLimits(parsed);
      await tryPorts(parsed);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      await ctx.note(`A start would be refused now: ${error.message}`);
    }
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

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function shown(name: string, value: string | number | boolean | undefined): string | number | boolean | null {
  if (value === undefined) return null;
  if (SECRETS.includes(name)) return '…';
  if (!URLS.includes(name)) return value;
  const url = new URL(String(value));
  if (url.password) url.password = '…';
  return decodeURI(url.href);
}
