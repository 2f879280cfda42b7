import type { FailureKind } from './failures/failure.ts';

/** There was no usable HTTP response. The message names no address and nothing that was sent. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
