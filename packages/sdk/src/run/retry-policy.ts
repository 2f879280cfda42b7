import type { LIMITS } from '@hubline/contract/constants';
import { isAPIError } from '../core/api-error.ts';
import { isConnectionError } from '../core/errors.ts';

/** Specification, "Retry rules" 2. The contract's own numbers: others do not compile. */
type Backoff = (typeof LIMITS)['clientBackoffMs'];
export const FIRST_MS: Backoff['first'] = 1_000;
export const CAP_MS: Backoff['cap'] = 60_000;

/** Up to a quarter more, by chance: keeps clients that failed together from coming back together. */
export const jittered = (ms: number): number => ms * (1 + Math.random() / 4);

/** Milliseconds before retry `retry`, counted from 0. */
export const backoff = (retry: number): number => Math.min(jittered(FIRST_MS) * 2 ** retry, CAP_MS);

const RETRIED = [429, 500, 503];

/** Decides whether an error is retried: 429, 500, 503 and failures of the network. Specification, "Retry rules" 1 and 2. */
export const isRetried = (error: unknown): boolean =>
  isConnectionError(error) || (isAPIError(error) && RETRIED.includes(error.status));
