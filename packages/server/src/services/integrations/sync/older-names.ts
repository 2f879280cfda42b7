import type { JobKind } from '../../../jobs/job-kind.ts';

/**
 * A kind of job under the name that it had until 2026-11-28: `catch_up` for `sync`, `catch_up_all` for `sync_all`. New jobs never
 * get it. An older process may have left such a job, or may add one while an upgrade replaces one process after the other.
 */
export const underOlderName = <Payload>(kind: JobKind<Payload>): JobKind<Payload> => ({
  ...kind,
  name: kind.name.replace('sync', 'catch_up'),
});
