import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { withoutCrashPoints } from '../../scripts/without-crash-points.ts';
import { library } from '../../tsup.base.ts';

const options = library(['esm']);

export default defineConfig({
  ...options,
  // Beside what users import, the programs of threads.
  entry: {
    ...(options.entry as Record<string, string>),
    'sender-thread': 'src/delivery/senders/sender-thread.ts',
    'copy-thread': 'src/backups/copy/copy-thread.ts',
    'http-thread': 'src/http/front/http-thread.ts',
    'call-thread': 'src/providers/calls/call-thread.ts',
  },
  esbuildPlugins: [...(options.esbuildPlugins ?? []), withoutCrashPoints],
  // The server is published with the dashboard that it serves.
  async onSuccess() {
    await cp(buildDashboard(), 'dist/dashboard', { recursive: true });
  },
});
