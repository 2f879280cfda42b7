import { cp, readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { defineConfig } from 'tsup';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { library } from '../../tsup.base.ts';

// What it leaves out does nothing in a build: the calls of a no-op, whose names would only be asked about.
const CRASH_POINT = /^\s*chaos\.reach\('[\w.]+'\);$/gm;

/** Leaves the crash points out. Lines stay where they are, for the source maps. docs/decisions/crash-testing.md */
const withoutCrashPoints: Plugin = {
  name: 'without-crash-points',
  setup(build) {
    build.onLoad({ filter: /\/server\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(CRASH_POINT, ''),
      loader: 'ts',
    }));
  },
};

export default defineConfig({
  ...library(['esm']),
  esbuildPlugins: [withoutCrashPoints],
  // The server is published with the dashboard that it serves.
  async onSuccess() {
    await cp(buildDashboard(), 'dist/dashboard', { recursive: true });
  },
});
