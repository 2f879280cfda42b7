import { randomInt } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { createTestDatabase } from '../../src/testing/test-database.ts';
import { Random } from '../random.ts';
import { planDeathsAt } from './harness/runs/crash-plan.ts';
import { PLANTED } from './harness/runs/planted.ts';
import { type CrashOptions, type CrashReport, runCrashes } from './harness/runs/run-crashes.ts';

// In every run, the server dies at each of these points, whatever the seed: after a commit, and between the transactions of a
// delivery and of a job.
const POINTS = [
  'commit.done',
  'claim.committed',
  'record.committed',
  'job.claimed',
  'job.worked',
  'job.recorded',
] as const;
const RANDOM_TIMES = 1;
const TIMEOUT_MS = 180_000;

it(
  'a server on PostgreSQL that is killed under load loses nothing that it acknowledged',
  async ({ annotate }) => {
    const seed = Number(process.env['HUBLINE_CRASH_SEED'] ?? randomInt(2 ** 31));
    await annotate(`HUBLINE_CRASH_SEED=${seed} repeats this run`);
    const deaths = planDeathsAt(new Random(seed), POINTS, RANDOM_TIMES);
    const report = await runOnPostgres({ seed, cycles: deaths.length, deaths });
    expect(report.violations, `HUBLINE_CRASH_SEED=${seed}`).toEqual([]);
    // A point that no run reaches proves nothing.
    expect(report.missed, `HUBLINE_CRASH_SEED=${seed}`).toEqual([]);
    expect(report.events).toBeGreaterThan(deaths.length);
  },
  TIMEOUT_MS,
);

it(
  'the harness notices record-before-send',
  async () => {
    const { options, says } = PLANTED['record-before-send'];
    const { violations } = await runOnPostgres(options);
    expect(violations.join('\n')).toMatch(says);
  },
  TIMEOUT_MS,
);

async function runOnPostgres(options: CrashOptions): Promise<CrashReport> {
  const database = await createTestDatabase(inject('postgresUrl'));
  try {
    return await runCrashes({ ...options, databaseUrl: database.url });
  } finally {
    await database.drop();
  }
}
