/** The variables that every command reads. */
export const VARIABLES = {
  HUBLINE_API_KEY: 'key to authenticate with; wins over the saved one',
  HUBLINE_API_KEY_FILE: 'file with the key, for secrets mounted as files',
  HUBLINE_BASE_URL: 'API to talk to, such as https://hub.example.com/v1',
  HUBLINE_WORKSPACE: 'workspace to act in: ID or slug',
  HUBLINE_CONTEXT: 'saved context to use',
  HUBLINE_CONFIG_DIR:
    'directory of the configuration; default: $XDG_CONFIG_HOME/hubline, %APPDATA%\\hubline on Windows, or ~/.config/hubline',
  HUBLINE_KEYCHAIN: 'off: keep keys in the configuration, not in the system keychain',
  HUBLINE_NO_INPUT: 'never ask: fail and name the flag instead',
  HUBLINE_NO_UPDATE_NOTICE: 'no note about a newer version',
  HUBLINE_UPGRADE_URL: 'where hubline upgrade finds releases, instead of GitHub',
  HUBLINE_PAGER: 'program for long output; empty or cat for none (if unset: the saved pager, PAGER, or less)',
  HUBLINE_DEBUG: 'show requests on stderr, like --verbose',
  NO_COLOR: 'no color',
  CLICOLOR_FORCE: 'color even without a terminal (also FORCE_COLOR)',
  CI: 'never ask: nobody can answer',
  HTTPS_PROXY:
    'proxy for requests to other machines (also HTTP_PROXY); needs Node.js 22.21 or 24.5, or later',
  NO_PROXY: 'hosts to reach without the proxy',
  SSL_CERT_FILE: 'file with the certificates to trust, instead of those of Node.js',
  NODE_EXTRA_CA_CERTS: 'file with more certificates to trust',
} as const;

/** The variables that a server reads, and that none of its flags sets. */
export const OF_SERVERS = {
  'HUBLINE_<FLAG>': 'server: each flag of hubline server start, such as HUBLINE_PORT for --port',
  HUBLINE_MASTER_KEY: 'server: 32 bytes in base64, instead of the file master.key',
  HUBLINE_METRICS_TOKEN: 'server: the token that reads /metrics from other machines',
  HUBLINE_SMTP_URL: 'server: mail server that sends its emails, such as smtp://user:password@host:587',
  HUBLINE_MAIL_FROM: 'server: sender of its emails, such as Hubline <hub@example.com>',
  HUBLINE_CREDENTIAL_CHECK: 'server: skip, if it cannot reach the internet; default: strict',
  HUBLINE_LOG_LEVEL: 'server: debug, info, warn, error or silent; default: info',
  HUBLINE_MIGRATION_BACKUP: 'server: false to make no copy of SQLite before a migration',
  HUBLINE_SYNCHRONOUS: 'server: NORMAL may lose events when the power fails; default: FULL',
  'HUBLINE_<PROVIDER>_API_URL': "server: another base URL for a provider's API",
  'HUBLINE_<PROVIDER>_OAUTH_URL': 'server: another origin for its OAuth pages and tokens',
} as const;
