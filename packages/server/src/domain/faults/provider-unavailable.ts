/** A provider's API failed, hung, or was answered for by something else. The next try may work; nothing that it said counts. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  /** When it asked to be called again; otherwise soon. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 2) {
    super(message);
    this.retryAfterSeconds = Math.max(1, retryAfterSeconds);
  }
}
