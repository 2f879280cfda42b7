import { cp, readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { defineConfig } from 'tsup';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { library } from '../../tsup.base.ts';

// Calls of a no-op that a build leaves out: their names would only be asked about.
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

const options = library(['esm']);

export default defineConfig({
  ...options,
  // Beside what users import, the programs of threads.
  entry: {
    ...(options.entry as Record<string, string>),
    'sender-thread': 'src/delivery/senders/sender-thread.ts',
    'copy-thread': 'src/backups/copy-thread.ts',
  },
  esbuildPlugins: [withoutCrashPoints],
  // The server is published with the dashboard that it serves.
  async onSuccess() {
    await cp(buildDashboard(), 'dist/dashboard', { recursive: true });
  },
});
