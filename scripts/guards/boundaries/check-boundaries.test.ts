import { describe, expect, it } from 'vitest';
import { boundaryProblems } from './check-boundaries.ts';
import type { Row } from './import-table.ts';
import { importsOf } from './imports-of.ts';
import { ownTime } from './own-time.ts';
import { repeatedTypeProblems } from './repeated-types.ts';
import { twoWayProblems } from './two-ways.ts';
import { unneededEntries } from './unneeded-entries.ts';

const broken = (path: string, text: string): string[] =>
  boundaryProblems(importsOf([{ path: `packages/${path}`, text }]));

describe('every boundary refuses', () => {
  it.each([
    [
      'a module without a row',
      'contract/src/a.ts',
      "import x from 'lodash';",
      'not in the row of contract: turn the import around, or move',
    ],
    [
      'anything at all in webhooks',
      'webhooks/src/a.ts',
      "import { z } from 'zod';",
      'not in the row of webhooks',
    ],
    [
      "Node's modules in webhooks",
      'webhooks/src/a.ts',
      "import { hash } from 'node:crypto';",
      'only its types',
    ],
    [
      'the contract in the SDK',
      'sdk/src/a.ts',
      "import { LIMITS } from '@hubline/contract';",
      'not in the row of sdk',
    ],
    [
      'values of the generated types in the SDK',
      'sdk/src/a.ts',
      "import { Event } from '@hubline/contract/types';",
      'only its types',
    ],
    [
      'an inline type import, which stays a bare import at run time',
      'sdk/src/a.ts',
      "import { type Event } from '@hubline/contract/types';",
      'only its types',
    ],
    [
      'the server loaded eagerly by the CLI',
      'cli/src/a.ts',
      "import { start } from '@hubline/server';",
      'await import()',
    ],
    ['a package without a row', 'newcomer/src/a.ts', "import x from 'zod';", 'newcomer has no row'],
    [
      'a path into another package',
      'cli/src/a.ts',
      "import { a } from '../../sdk/src/a.ts';",
      'leaves the package',
    ],
    [
      'a path into another package from a test',
      'cli/src/a.test.ts',
      "import '../../sdk/src/a.ts';",
      'leaves the package',
    ],
    ["the package's own index", 'sdk/src/resources/a.ts', "import { b } from '../index.ts';", 'own index'],
    ['test code in a source file', 'sdk/src/a.ts', "import { b } from '../test/b.ts';", 'is test code'],
    ['export *', 'sdk/src/index.ts', "export * from './a.ts';", 'export names one by one'],
    ['export * as', 'sdk/src/index.ts', "export * as a from './a.ts';", 'export names one by one'],
    ['a computed import', 'cli/src/a.ts', 'await import(name);', 'name the module in a string'],
    ['require', 'contract/src/a.ts', "const x = require('lodash');", 'not in the row of contract'],
    ['a re-export', 'contract/src/a.ts', "export { x } from 'lodash';", 'not in the row of contract'],
    [
      'an import type expression',
      'sdk/src/a.ts',
      "type X = import('@hubline/contract').X;",
      'not in the row of sdk',
    ],
  ])('%s', (_name, path, text, message) => {
    expect(broken(path, text)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['domain', '../db/events/events.ts'],
    ['domain', '../context.ts'],
    ['db', '../services/events/events.ts'],
    ['providers', '../db/events/events.ts'],
    ['services', '../http/app.ts'],
    ['services', '../delivery/engine.ts'],
    ['services', '../providers/github/github.ts'],
    ['services', '../server.ts'],
    ['services', '../outbound/http-client.ts'],
    ['db', '../outbound/http-client.ts'],
    ['http', '../db/events/events.ts'],
    ['http', '../delivery/engine.ts'],
    ['http', '../providers/registry.ts'],
    ['delivery', '../db/webhooks/deliveries.ts'],
    ['db', '../start/storage/open-storage.ts'],
    ['limits', '../context.ts'],
    ['secrets', '../db/meta.ts'],
    ['delivery', '../http/app.ts'],
  ])('in the server: %s importing %s', (folder, target) => {
    expect(broken(`server/src/${folder}/a.ts`, `import type { a } from '${target}';`)).toHaveLength(1);
  });

  it.each([
    ['domain', 'node:fs'],
    ['domain', 'kysely'],
    ['domain', 'zod'],
    ['db', 'undici'],
    ['db', 'hono'],
    ['db', 'node:http'],
    ['services', 'node:net'],
    ['services', 'undici'],
  ])('in the server: %s reaching for %s', (folder, module) => {
    expect(broken(`server/src/${folder}/a.ts`, `import x from '${module}';`)).toHaveLength(1);
  });

  it('a folder of the server without a row', () => {
    expect(broken('server/src/utils/a.ts', "import { b } from '../domain/b.ts';")).toEqual([
      expect.stringContaining('utils has no row'),
    ]);
  });

  it('a foundation file that imports more than types from above', () => {
    expect(broken('server/src/context.ts', "import { open } from './db/core/store.ts';")).toHaveLength(1);
  });
});

describe('the table has no entry that no file needs', () => {
  const needs = (row: Row, ...lines: string[]): string[] =>
    unneededEntries([{ sdk: row }], importsOf([{ path: 'packages/sdk/src/a.ts', text: lines.join('\n') }]));

  it('refuses an entry that no import uses', () => {
    expect(needs({ imports: ['ky', 'p-retry'] }, "import ky from 'ky';")).toEqual([
      expect.stringContaining('sdk imports nothing by "p-retry"'),
    ]);
  });

  it('refuses an entry for values if only types are imported', () => {
    expect(needs({ imports: ['ky'] }, "import type ky from 'ky';")).toEqual([
      expect.stringContaining('move it to types'),
    ]);
  });

  it('accepts entries that are needed for a value, for a type, and by import()', () => {
    const row = { imports: ['ky'], types: ['node:'], lazy: ['p-retry'] };
    const lines = ["import ky from 'ky';", "import type http from 'node:http';", "await import('p-retry');"];
    expect(needs(row, ...lines)).toEqual([]);
  });
});

describe('folders of the server that import each other', () => {
  const twoWay = (known: string[], ...imports: [from: string, to: string][]): string[] =>
    twoWayProblems(
      known,
      importsOf(
        imports.map(([from, to]) => ({
          path: `packages/server/src/${from}`,
          text: `import type { a } from '${to}';`,
        })),
      ),
    );

  it.each([
    ['db ↔ domain', 'db/a/b.ts', '../../domain/a.ts', 'domain/a.ts', '../db/c.ts'],
    ['services/a ↔ services/b', 'services/a/b.ts', '../b/a.ts', 'services/b/c.ts', '../a/c.ts'],
    ['. ↔ jobs', 'context.ts', './jobs/a.ts', 'jobs/b.ts', '../context.ts'],
  ])('%s is refused, unless it is known', (pair, from, to, back, forth) => {
    const imports: [string, string][] = [
      [from, to],
      [back, forth],
    ];
    expect(twoWay([], ...imports)).toEqual([expect.stringContaining(`${pair} import each other`)]);
    expect(twoWay([pair], ...imports)).toEqual([]);
  });

  it('must leave the list when only one direction is left', () => {
    expect(twoWay(['db ↔ domain'], ['db/a.ts', '../domain/a.ts'])).toEqual([
      expect.stringContaining('do not import each other any longer'),
    ]);
  });

  it.each([
    [
      'a folder and the files next to it',
      'services/fire-trigger.ts',
      './a/b.ts',
      'services/a/b.ts',
      '../fire-trigger.ts',
    ],
    ['the composition root', 'server.ts', './jobs/a.ts', 'jobs/a.ts', '../context.ts'],
  ])('are not %s', (_name, from, to, back, forth) => {
    expect(twoWay([], [from, to], [back, forth])).toEqual([]);
  });
});

describe('types of one package that have the same name', () => {
  const problems = (known: Record<string, string>, ...files: [path: string, text: string][]): string[] =>
    repeatedTypeProblems(
      known,
      files.map(([path, text]) => ({ path: `packages/${path}`, text })),
    );

  it.each([
    ['an interface and a type', 'export interface Lease {}', 'export type Lease = string;'],
    ['classes', 'export abstract class Lease {}', 'export class Lease<Row> {}'],
  ])('are refused, unless the name is known: %s', (_name, first, second) => {
    const files: [string, string][] = [
      ['sdk/src/a.ts', first],
      ['sdk/src/b/c.ts', second],
    ];
    expect(problems({}, ...files)).toEqual([
      'packages/sdk/src/a.ts and packages/sdk/src/b/c.ts export a type Lease: name each by what it is',
    ]);
    expect(problems({ 'sdk Lease': 'two clocks' }, ...files)).toEqual([]);
  });

  it('must leave the list when only one is left', () => {
    expect(problems({ 'sdk Lease': 'two clocks' }, ['sdk/src/a.ts', 'export type Lease = string;'])).toEqual([
      expect.stringContaining('sdk Lease is declared once'),
    ]);
  });

  it.each([
    ['in two packages', 'cli/src/b.ts', 'export type Lease = string;'],
    ['generated', 'sdk/src/generated/b.ts', 'export type Lease = string;'],
    ['in a test', 'sdk/src/b.fixture.ts', 'export type Lease = string;'],
    ['of which one is not exported', 'sdk/src/b.ts', 'type Lease = string;'],
    ['of which one is exported again', 'sdk/src/b.ts', "export type { Lease } from './a.ts';"],
  ])('may be %s', (_name, path, text) => {
    expect(problems({}, ['sdk/src/a.ts', 'export type Lease = number;'], [path, text])).toEqual([]);
  });
});

describe('every boundary allows', () => {
  it.each([
    ['contract/src/a.ts', "import { z } from 'zod';\nimport { b } from './b.ts';"],
    ['webhooks/src/adapters/node.ts', "import type { IncomingMessage } from 'node:http';"],
    ['sdk/src/a.ts', "import ky from 'ky';\nimport type { Event } from '@hubline/contract/types';"],
    ['cli/src/a.ts', "const { start } = await import('@hubline/server');"],
    ['cli/src/a.test.ts', "import { start } from '@hubline/server';\nimport fc from 'fast-check';"],
    [
      'server/src/services/a.ts',
      "import { insert } from '../db/a.ts';\nimport { credentials } from '../providers/credentials.ts';",
    ],
    ['server/src/http/ingest.ts', "import type { Provider } from '../providers/provider.ts';"],
    ['server/src/http/ingest/read.ts', "import type { Provider } from '../../providers/provider.ts';"],
    [
      'server/src/http/app.ts',
      "import { ingest } from './ingest.ts';\nimport type { Deps } from '../context.ts';",
    ],
    ['server/src/context.ts', "import type { Db } from './db/core/store.ts';"],
    [
      'server/src/server.ts',
      "import { open } from './db/core/store.ts';\nimport { engine } from './delivery/engine.ts';",
    ],
  ])('%s', (path, text) => {
    expect(broken(path, text)).toEqual([]);
  });

  it('does not mistake text and comments for imports', () => {
    expect(
      broken('contract/src/a.ts', '// import x from "lodash"\nconst text = \'import x from "lodash"\';'),
    ).toEqual([]);
  });
});

it('a service takes the time from its clock', () => {
  const text = 'const parsed = new Date(0);\nconst now = new Date();';
  const problems = (path: string) => ownTime([{ path: `packages/${path}`, text }]);
  expect(problems('server/src/services/a.ts')).toEqual([
    "packages/server/src/services/a.ts:2 reads the system's time: use the clock in Deps",
  ]);
  expect([...problems('server/src/services/a.test.ts'), ...problems('server/src/start/a.ts')]).toEqual([]);
});
