import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../workspace.ts';
import { LONG, longestFirst } from './longest-first.ts';

const file = (name: string, path: string) => ({ project: { name }, moduleId: join(root, path) });

it('the long files of a project come first in it, and nothing else changes its place', () => {
  const sdk = file('sdk', 'packages/sdk/test/crash/large.test.ts');
  const large = file('server', 'packages/server/test/api/large.test.ts');
  const small = file('server', 'packages/server/test/api/small.test.ts');
  const crash = file('server', 'packages/server/test/crash/crash.test.ts');
  const fuzz = file('server', 'packages/server/test/fuzz/fuzz.test.ts');
  const last = file('webhooks', 'packages/webhooks/src/verify.test.ts');
  expect(longestFirst([sdk, large, crash, small, fuzz, last])).toEqual([
    sdk,
    crash,
    fuzz,
    large,
    small,
    last,
  ]);
});

it('every folder of long files exists: a renamed one would run last again', () => {
  expect(LONG.filter((folder) => !existsSync(join(root, 'packages/server/test', folder)))).toEqual([]);
});
