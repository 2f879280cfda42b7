import { LIMITS } from '@hubline/contract';

/**
 * A provider's API failed, hung, or something else responded in its place. The next call may work. It does not mean, for example, that the
 * credentials are wrong.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  /** The wait that it asked for, at most an hour; by default, a short time. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 2) {
    super(message);
    this.retryAfterSeconds = Math.min(Math.max(1, retryAfterSeconds), LIMITS.retryAfterMaxMs / 1_000);
  }
}
