import { pause } from '../clock/timer.ts';
import type { JobRun, RunAgain } from './job-kind.ts';

// After this long, other jobs of the kind get a turn.
const TURN_MS = 500;

/**
 * Makes one step after another, each with a transaction of its own, until `step` reports that it was the last, or the turn is over.
 * The job then continues in a later turn; a process that stops ends it between two steps.
 */
export async function inSteps(
  { signal }: Pick<JobRun, 'signal'>,
  step: () => Promise<boolean>,
): Promise<RunAgain | void> {
  const until = performance.now() + TURN_MS;
  for (;;) {
    const began = performance.now();
    if (await step()) return;
    if (signal.aborted || performance.now() > until) return { againInMs: 0 };
    // Others have the database for as long as this step used it.
    await pause(performance.now() - began);
  }
}
