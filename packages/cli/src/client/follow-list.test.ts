import { expect, it } from 'vitest';
import { pollPause } from './follow-list.ts';

it('a pause is no longer than its caller has time for, and ends with its signal', async () => {
  const stop = new AbortController();
  // Without the caller's bound, each of these pauses would take an hour.
  const pause = pollPause(stop.signal, 3_600_000);
  await pause(true, 1);
  await pause(true, 0);
  const endless = pause(true, 3_600_000);
  stop.abort();
  await expect(endless).rejects.toThrow(/abort/);
});
