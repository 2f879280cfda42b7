import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildDashboard } from '../../../../scripts/build-dashboard.ts';

export const EMAIL = 'owner@example.com';
export const PASSWORD = 'correct horse battery';

/** The server as a test sees it. */
export interface Place {
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly userId: string;
  stop(): Promise<void>;
}

/**
 * A fresh server with an owner who has a password, the workspace `acme`, and the dashboard as it would be shipped. Its time
 * goes by `speed` times as fast, for those who would have to wait for the retries of a delivery.
 */
export async function startServer({
  speed,
  env,
}: {
  speed?: number;
  /** Environment variables of the server. */
  env?: Record<string, string>;
} = {}): Promise<Place> {
  const options = { dashboard: `${buildDashboard()}/`, password: PASSWORD, speed, env };
  const script = join(import.meta.dirname, 'server-process.ts');
  const child = spawn(process.execPath, ['--conditions=hubline-source', script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const closed = once(child, 'close');
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), closed]);
  if (typeof first[0] !== 'string') throw new Error(`The server ended with ${String(first[0])}.`);
  return {
    ...(JSON.parse(first[0]) as Omit<Place, 'stop'>),
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}
