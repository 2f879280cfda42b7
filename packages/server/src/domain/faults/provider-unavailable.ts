/** A provider's API failed, hung, or something else answered in its place. The next attempt may work; this answer means nothing. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  /** The wait that it asked for; by default, a short time. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 2) {
    super(message);
    this.retryAfterSeconds = Math.max(1, retryAfterSeconds);
  }
}
