import { randomInt } from 'node:crypto';
import { inject } from 'vitest';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../src/testing/test-database.ts';
import { runCrashes } from './harness/runs/run-crashes.ts';

const CYCLES = 4;
const TIMEOUT_MS = 180_000;

it(
  'a server on PostgreSQL that is killed under load loses nothing that it acknowledged',
  async ({ annotate }) => {
    const seed = Number(process.env['HUBLINE_CRASH_SEED'] ?? randomInt(2 ** 31));
    await annotate(`HUBLINE_CRASH_SEED=${seed} repeats this run`);
    const database = await createTestDatabase(inject('postgresUrl'));
    try {
      const report = await runCrashes({ seed, cycles: CYCLES, databaseUrl: database.url });
      expect(report.violations, `HUBLINE_CRASH_SEED=${seed}`).toEqual([]);
      expect(report.events).toBeGreaterThan(CYCLES);
    } finally {
      await database.drop();
    }
  },
  TIMEOUT_MS,
);
