import type { OlderKindName } from '../../../db/jobs.ts';
import type { JobKind } from '../../../jobs/job-kind.ts';

/** A kind of job under the name that it had in earlier versions. */
export const underOlderName = <Payload>(kind: JobKind<Payload>, name: OlderKindName): JobKind<Payload> => ({
  ...kind,
  name,
});
