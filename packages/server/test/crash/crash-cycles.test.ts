import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runCrashes } from './harness/runs/run-crashes.ts';

// One kill at each crash point in the server, in a sender, in a checkpoint and in two kinds of backup, and two more at
// random times.
const CYCLES = 18;
const TIMEOUT_MS = 600_000;

it(
  'a server that is killed 18 times under load loses nothing that it acknowledged',
  async ({ annotate }) => {
    const seed = Number(process.env['HUBLINE_CRASH_SEED'] ?? randomInt(2 ** 31));
    await annotate(`HUBLINE_CRASH_SEED=${seed} repeats this run`);
    const report = await runCrashes({ seed, cycles: CYCLES });
    expect(report.violations, `HUBLINE_CRASH_SEED=${seed}`).toEqual([]);
    // A point that no run reaches proves nothing.
    expect(report.missed, `HUBLINE_CRASH_SEED=${seed}`).toEqual([]);
    expect(report.events).toBeGreaterThan(CYCLES);
  },
  TIMEOUT_MS,
);

// Five crashes in a row during housekeeping put it off for a day.
it(
  'a point of retention is reached, although the five lives before have all ended there',
  async () => {
    const deaths = Array.from({ length: 6 }, () => ({ how: 'retention.committed', at: 1 }) as const);
    const report = await runCrashes({ seed: 1, cycles: deaths.length, deaths });
    expect(report).toMatchObject({ violations: [], missed: [] });
  },
  TIMEOUT_MS,
);
