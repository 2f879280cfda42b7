import type { AttemptErrorKind } from '@hubline/contract/constants';

/** There was no usable HTTP response. The message names no address and nothing that was sent. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: AttemptErrorKind;

  constructor(kind: AttemptErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
