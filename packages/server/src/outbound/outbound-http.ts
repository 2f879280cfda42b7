import type { OutboundDispatcher } from './dispatcher.ts';
import { exchange } from './exchange.ts';
import type { FailureKind } from './failure.ts';
import type { Outbound } from './outbound.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1024 * 1024;

/** There was no usable HTTP answer. The message names no address and nothing that was sent. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface OutboundOptions {
  /** For URLs that users name. */
  guarded: OutboundDispatcher;
  /** For URLs of the operator's configuration. */
  trusted: OutboundDispatcher;
  /** GitHub refuses requests without one. */
  userAgent: string;
}

/** Makes the way out for provider calls. */
export function createOutbound({ guarded, trusted, userAgent }: OutboundOptions): Outbound {
  return async (request) => {
    const result = await exchange(request.trusted ? trusted : guarded, {
      method: request.method,
      url: request.url,
      headers: { 'user-agent': userAgent, ...request.headers },
      body: request.body ?? null,
      timeoutMs: request.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      readBytes: MAX_BODY_BYTES,
      keepBytes: MAX_BODY_BYTES,
    });
    if ('failure' in result) throw new OutboundError(result.failure.kind, result.failure.message);
    const { status, headers, body, complete } = result.answer;
    if (!complete) throw new OutboundError('protocol', 'the answer was cut off or is larger than 1 MiB');
    return { status, headers: joinHeaders(headers), body: body.toString('utf8') };
  };
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
  );
}
