import { describe, expect, it } from 'vitest';
import { runCrashes } from './harness/run-crashes.ts';

const TIMEOUT_MS = 120_000;

const deathsAt = (how: 'commit.begun' | 'record.committed', ...times: number[]) =>
  times.map((at) => ({ how, at }));

describe('the harness notices', { timeout: TIMEOUT_MS }, () => {
  it('an answer before the commit', async () => {
    const { violations } = await runCrashes({
      seed: 1,
      cycles: 3,
      // Under load: what was answered in the last moments is lost in each of them.
      deaths: deathsAt('commit.begun', 40, 80, 120),
      bug: 'ack-before-commit',
    });
    expect(violations.join('\n')).toMatch(/acknowledged event \d+ is lost/);
  });

  it('a record before the call', async () => {
    const { violations } = await runCrashes({
      seed: 1,
      cycles: 3,
      deaths: deathsAt('record.committed', 10, 20, 30),
      bug: 'record-before-send',
    });
    expect(violations.join('\n')).toMatch(/never attempted|nobody received it/);
  });

  // The first call takes longer than a lease, so that another has delivered when its result arrives.
  const stale = { seed: 1, cycles: 0, events: 4, speed: 60, holdFirstMs: 2_000 };

  it('a result that is recorded after the lease was lost', async () => {
    const { violations } = await runCrashes({ ...stale, bug: 'unfenced-lease' });
    expect(violations.join('\n')).toMatch(/counts 1 attempts and has those numbered 1,1/);
  });

  it('and nothing where that result is dropped', async () => {
    const { violations, repeated } = await runCrashes(stale);
    expect(violations).toEqual([]);
    expect(repeated).toBeGreaterThan(0);
  });
});
