import type { OnLoadOptions } from 'esbuild';
import { expect, it } from 'vitest';
import { withoutCrashPoints } from './without-crash-points.ts';

const filters: RegExp[] = [];
await withoutCrashPoints.setup({
  onLoad: ({ filter }: OnLoadOptions) => void filters.push(filter),
} as never);

it.each([
  ['/hubline/packages/server/src/delivery/engine.ts', true],
  [String.raw`C:\hubline\packages\server\src\delivery\engine.ts`, true],
  ['/hubline/packages/cli/src/main.ts', false],
])('leaves crash points out of the sources of the server, on every system: %s, %s', (path, matches) => {
  expect(filters.some((filter) => filter.test(path))).toBe(matches);
});
