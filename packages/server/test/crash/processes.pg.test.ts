import { randomInt } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { createTestDatabase } from '../../src/testing/test-database.ts';
import { runProcesses } from './harness/runs/run-processes.ts';

it('three processes on one database lose nothing when one is killed, one is frozen beyond its leases, one is cut off from the database, and then all are', async ({
  annotate,
}) => {
  const seed = Number(process.env['HUBLINE_CRASH_SEED'] ?? randomInt(2 ** 31));
  await annotate(`HUBLINE_CRASH_SEED=${seed} repeats this run`);
  const database = await createTestDatabase(inject('postgresUrl'));
  try {
    const faults = ['kill', 'freeze', 'sever', 'cut'] as const;
    const run = { seed, databaseUrl: database.url, processes: 3, faults, events: 1_500 };
    const report = await runProcesses(run);
    expect(report.violations, `HUBLINE_CRASH_SEED=${seed}`).toEqual([]);
    // The number depends on the speed of the machine.
    expect(report.events).toBeGreaterThan(faults.length);
  } finally {
    await database.drop();
  }
});
