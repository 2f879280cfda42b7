import type { PlantedBug } from '../../../../src/chaos/planted-bugs.ts';
import type { Death } from './crash-plan.ts';
import type { CrashOptions } from './run-crashes.ts';

const deathsAt = (how: Death['how'], ...times: number[]) => ({
  cycles: times.length,
  deaths: times.map((at): Death => ({ how, at })),
});

/**
 * The result of the first call arrives when its lease is over and the second call has delivered. There are fewer events
 * than a webhook has permits, because the second call needs one.
 */
export const STALE_RESULT: CrashOptions = { seed: 1, cycles: 0, events: 3, speed: 60, holdFirst: true };

// The complaints about a finished delivery that is open again.
const TAKEN_BACK = /attempt 2 was made after attempt 1 had succeeded$|is retrying and still open$/m;

/** For each planted bug, a run in which it does harm, and the violations that the harness must report. */
export const PLANTED: Readonly<Record<PlantedBug, { options: CrashOptions; says: RegExp }>> = {
  'ack-before-commit': {
    // Under load: a kill loses what was acknowledged since the last late commit, which now and then is nothing.
    options: { seed: 1, bug: 'ack-before-commit', ...deathsAt('commit.begun', 40, 60, 80) },
    says: /^acknowledged event \d+ is lost$/m,
  },
  'offer-before-commit': {
    options: { seed: 1, bug: 'offer-before-commit', ...deathsAt('attempt.ended', 4) },
    says: /^call \S+ belongs to no delivery$/m,
  },
  'job-done-at-claim': {
    options: {
      seed: 1,
      bug: 'job-done-at-claim',
      cycles: 1,
      deaths: [{ how: 'job.claimed', at: 1, kind: 'mail' }],
    },
    says: /^the email to \S+ is lost$/m,
  },
  'record-before-send': {
    options: { seed: 1, bug: 'record-before-send', ...deathsAt('record.committed', 10) },
    says: /never attempted$|nobody received it$/m,
  },
  'stale-sender-result': {
    options: { seed: 1, cycles: 0, events: 3, speed: 60, failFirst: true, bug: 'stale-sender-result' },
    // On a busy machine, the second call may end after the late result of the first: then nothing is taken back, but an attempt that
    // replaced another was counted, too.
    says: new RegExp(`${TAKEN_BACK.source}|^the statistics count \\d+ attempts, and \\d+ are stored$`, 'm'),
  },
  'unfenced-lease': {
    options: { ...STALE_RESULT, bug: 'unfenced-lease' },
    says: TAKEN_BACK,
  },
};
