import { LIMITS } from '@hubline/contract/constants';

/** The number of scheduled attempts, with the first. */
const SCHEDULED = LIMITS.retryDelaysMs.length;

/** The number of an attempt, and of how many if the schedule has it: `2 of 5`. */
export const attemptNumber = (number: number) =>
  number <= SCHEDULED ? `${number} of ${SCHEDULED}` : String(number);
