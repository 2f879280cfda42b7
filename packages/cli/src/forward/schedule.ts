import { LIMITS } from '@hubline/contract/constants';

/** The delays of all attempts: one attempt, or the server's schedule, `speed` times as fast. */
export function delaysOf(retry: 'none' | 'spec', speed: number): readonly number[] {
  const delays = LIMITS.retryDelaysMs;
  return retry === 'none' ? delays.slice(0, 1) : delays.map((ms) => ms / Math.max(1, speed));
}
