import { describe, expect, it } from 'vitest';
import { PLANTED, STALE_RESULT } from './harness/runs/planted.ts';
import { runCrashes } from './harness/runs/run-crashes.ts';

const TIMEOUT_MS = 120_000;

describe('the harness notices', { timeout: TIMEOUT_MS }, () => {
  it.each(Object.entries(PLANTED))('%s', async (_, { options, says }) => {
    const { violations } = await runCrashes(options);
    expect(violations.join('\n')).toMatch(says);
  });

  it('nothing when the server drops a result that came too late', async () => {
    const { violations, repeated } = await runCrashes(STALE_RESULT);
    expect(violations).toEqual([]);
    expect(repeated).toBeGreaterThan(0);
  });
});
