import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

// Calls of a no-op. Builds leave them out, because their names would only raise questions.
const CRASH_POINT = /^\s*chaos\.reach\('[\w.]+'(, [\w.]+)?\);$/gm;

/** Leaves the crash points out. Lines stay where they are, for the source maps. docs/decisions/crash-testing.md */
export const withoutCrashPoints: Plugin = {
  name: 'without-crash-points',
  setup(build) {
    build.onLoad({ filter: /[\\/]server[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(CRASH_POINT, ''),
      loader: 'ts',
    }));
  },
};
