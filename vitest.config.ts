import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/gate/longest-first.ts';

// Packages resolve each other's sources through this condition, so that no test needs a build.
const condition = '--conditions=hubline-source';
// In MiB, for each half of the space for new objects. From 1 MiB, where Node starts, collections take about a tenth of the CPU of the tests.
const newObjects = '--min-semi-space-size=16';
// Setting conditions replaces Vite's own for servers, so they are repeated.
const conditions = ['hubline-source', 'module', 'node', 'development|production'];

// Loading the server takes longer than most test files, so the files of these projects share one process per worker.
const shared = { isolate: false };

const serverTests = join(import.meta.dirname, 'packages/server/test');

// Tests that do not depend on storage: permissions, input checks, HTTP parsing, memory, files, and vendors' protocols.
const notAboutStorage = [
  'api/automations/{automation-refusals,hostile-automations}',
  'api/events/large-events',
  'api/http/{documented-errors,own-errors,rate-limit,strict-input}',
  'api/http/{http-parsing,http-thread,request-bodies,request-target,single-headers,connections/slow-connections}',
  'api/identity/{access-matrix,invitation-proofs,pages,password-guessing}',
  'api/integrations/{jira-oauth,oauth-vendors,provider-definitions,provider-failures}',
  'api/operations/dashboard',
  'delivery/{dead-names,senders,signatures}',
  'ingest/{definitions,every-provider,github,provider-specifics,presets}',
];

// Their tests start servers and commands in their own processes.
const programs = join(import.meta.dirname, 'scripts/programs/bundle.global-setup.ts');

const browserTests = 'packages/dashboard/test/browser/**/*.test.ts';

// A browser in German: numbers that follow it instead of the page's English fail the tests that read them.
const german = { ...shared, globalSetup: [programs], env: { LC_ALL: 'de_DE.UTF-8' } };

const project = (name: string, include: string[], test: object = {}) => ({
  extends: true as const,
  test: { name, include, ...test },
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Global setups run in an environment of their own.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    // Processes rather than threads: a test may send signals, change the environment and load native modules.
    pool: 'forks',
    // More than twice the cores of a small machine: many tests wait for a process, a timer or a disk.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    execArgv: [condition, newObjects],
    // Processes that a test starts find the sources too, and compile them once.
    env: {
      NODE_OPTIONS: condition,
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node'),
    },
    // A limit for a hang, not a measure of speed: the machine that runs this may be busy with other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    exclude: ['**/node_modules/**', '**/dist/**'],
    projects: [
      project('scripts', ['scripts/**/*.test.ts']),
      project('contract', ['packages/contract/**/*.test.ts'], shared),
      project('webhooks', ['packages/webhooks/**/*.test.ts']),
      project('sdk', ['packages/sdk/**/*.test.ts'], shared),
      // jq-web's only export is a promise, which vitest's interop would take for a module with a `then`.
      project('cli', ['packages/cli/**/*.test.ts'], {
        ...shared,
        deps: { interopDefault: false },
        globalSetup: [programs],
        setupFiles: [join(import.meta.dirname, 'packages/cli/src/test/new-home.setup.ts')],
      }),
      // Pages in a DOM, against a real server.
      {
        ...project('dashboard', ['packages/dashboard/**/*.test.{ts,tsx}'], {
          ...german,
          exclude: [browserTests, '**/node_modules/**', '**/dist/**'],
          environment: join(import.meta.dirname, 'packages/dashboard/test/support/environment.ts'),
        }),
        oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
      },
      // And in Chromium. A worker serves one project and one environment: these files would end the workers of those with a DOM.
      project('browser', [browserTests], german),
      project('bench', ['packages/bench/**/*.test.ts']),
      project('binary', ['packages/binary/**/*.test.ts']),
      project('server', ['packages/server/**/*.test.ts'], {
        ...shared,
        globalSetup: [programs],
        exclude: ['**/*.pg.test.ts', '**/node_modules/**'],
      }),
      // The same API tests on PostgreSQL: behavior must not depend on the storage.
      project(
        'server-postgres',
        ['packages/server/**/*.pg.test.ts', 'packages/server/test/{api,delivery,ingest}/**/*.test.ts'],
        {
          ...shared,
          exclude: ['**/node_modules/**', ...notAboutStorage.map((files) => `**/test/${files}.test.ts`)],
          globalSetup: [programs, join(serverTests, 'postgres.global-setup.ts')],
          setupFiles: [join(serverTests, 'postgres.setup.ts')],
        },
      ),
    ],
  },
});
