import { onTestFinished } from 'vitest';
import { parseServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import type { ServerOverrides } from '../../src/start/server-overrides.ts';
import type { Timer } from '../../src/clock/timer.ts';
import { Api } from '../api/support/api.ts';
import { CHEAP, type TestWorkspace } from '../api/support/workspace.ts';

/** Starts another server on the database of a workspace, for one test. */
export async function startAnother(
  { server: { storage } }: TestWorkspace,
  { flags = {}, ...overrides }: ServerOverrides & { flags?: ServerFlags; env?: Record<string, string> } = {},
): Promise<RunningServer> {
  const config = parseServerConfig(
    {
      ...storage,
      port: 0,
      allowHttpLocalhost: true,
      senders: 0,
      httpThread: 'off',
      rateLimit: 10_000_000,
      logLevel: 'silent',
      ...flags,
    },
    overrides.env ?? {},
  );
  const server = await startServer(config, { ...CHEAP, ...overrides });
  onTestFinished(() => server.stop());
  return server;
}

/** A workspace as seen through another server. */
export const through = (server: RunningServer, there: TestWorkspace): TestWorkspace => ({
  ...there,
  api: new Api(server.baseUrl, there.api.key),
});

/** The server's timers without the long ones, so that no sweep finds work that no hint has announced. */
export const onlyShortTimers: Timer = (run, ms) => {
  if (ms >= 20_000) return () => {};
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
