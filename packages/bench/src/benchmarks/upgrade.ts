import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Options } from '../options.ts';
import { runHarness } from '../process/harness.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';

const HARNESS = new URL('../../../server/test/crash/harness/upgrade.process.ts', import.meta.url);

/** The report of the harness. */
interface UpgradeReport {
  /** The migrations that ran under load. */
  added: readonly string[];
  events: number;
  deliveries: number;
  calls: number;
  /** Requests that were repeated, by reason. */
  requests: { refused: number; closed: number };
  longestPauseMs: number;
  violations: readonly string[];
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MIGRATIONS = 'packages/server/src/db/migrations';
const PROCESSES = 2;
const SHOWN_MAX = 20;

const run = promisify(execFile);

/** Replaces the processes of an older version by this one, one after another under load, and measures failures and losses. */
export async function upgrade(options: Options): Promise<Result> {
  const from = options.from ?? (await beforeLastMigration());
  using folder = temporaryFolder();
  const release = join(folder.path, 'older');
  progress(`installing ${from}`);
  await run('git', ['worktree', 'add', '--detach', release, from], { cwd: ROOT });
  try {
    await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: release });
    const { seed = Date.now() % 2 ** 31 } = options;
    const input = { release, processes: PROCESSES, seed };
    return describe(from, await runHarness<UpgradeReport>(HARNESS, input));
  } finally {
    await run('git', ['worktree', 'remove', '--force', release], { cwd: ROOT });
  }
}

/** The commit before the last one that changed migrations. */
async function beforeLastMigration(): Promise<string> {
  const { stdout } = await run('git', ['log', '-1', '--format=%h^', '--', MIGRATIONS], { cwd: ROOT });
  return stdout.trim();
}

function describe(
  from: string,
  { added, requests, violations, longestPauseMs, ...ran }: UpgradeReport,
): Result {
  return {
    tables: [
      {
        title: `Rolling upgrade from ${from}`,
        columns: ['requests repeated after', 'times'],
        rows: [
          ['503', requests.refused],
          ['a closed connection', requests.closed],
        ],
      },
    ],
    notes: [
      `migrated under load: ${added.join(', ') || 'nothing'}.`,
      `${ran.events} events, ${ran.deliveries} deliveries and ${ran.calls} calls.`,
      ...violations.slice(0, SHOWN_MAX).map((violation) => `VIOLATION: ${violation}`),
    ],
    figures: {
      violations: violations.length,
      repeated_requests: requests.refused + requests.closed,
      longest_pause_ms: longestPauseMs,
    },
    goals: { violations: { atMost: 0 } },
  };
}
