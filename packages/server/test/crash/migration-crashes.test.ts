import { expect, it } from 'vitest';
import { runMigrationCrashes } from './harness/runs/migration-crashes.ts';

// `pnpm bench crash` kills at every statement.
const STRIDE = 29;
const KILLS_AT_LEAST = 7;
const TIMEOUT_MS = 120_000;

it(
  'a start that is killed while it migrates leaves an intact database, which the next start completes',
  async () => {
    const { violations, kills } = await runMigrationCrashes({ stride: STRIDE });
    expect(violations).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(KILLS_AT_LEAST);
  },
  TIMEOUT_MS,
);
