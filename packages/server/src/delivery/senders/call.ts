import type { AttemptErrorKind } from '@hubline/contract/constants';

/** One POST to sign and make, in a form that can be handed to another thread. */
export interface Call {
  readonly deliveryId: string;
  readonly trigger: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly url: string;
  /** The frozen bytes. A sender may transfer the memory of a byte array, which its owner then loses. */
  readonly body: string | Uint8Array;
  /** The signing secrets: the current one first, then one that a rotation keeps valid. */
  readonly secrets: readonly string[];
  /** The time of this attempt, in whole Unix seconds. */
  readonly timestamp: number;
  /** Deadline for DNS, connect, TLS, headers and body together, in milliseconds. */
  readonly timeoutMs: number;
}

/** The result of a call: a value, whatever the receiver did. */
export interface CallResult {
  durationMs: number;
  /** The response of the receiver; `null` for none. If its body never ended, the part that came. */
  response: { status: number; headers: Record<string, string>; body: string } | null;
  error: { kind: AttemptErrorKind; message: string } | null;
  /** The `Retry-After` of a 429 or 503 as it came; `null` when there was none. */
  retryAfter: string | null;
  /** A 2xx whose status line and headers came in time. Specification, "Delivery" 3. */
  ok: boolean;
  /** The failure is this server's, such as too many open files or a shutdown: it must not count against the receiver. */
  localFailure: boolean;
}

/** Signs and makes calls. */
export interface Sender {
  /** Makes a call. Never rejects; `interrupted`: the sender died in the middle of it. */
  send(call: Call): Promise<CallResult | 'interrupted'>;
  /** Ends running calls, as failures of this side. */
  destroy(): Promise<void>;
}

/** A call that this server could not make. */
export const notMade = (message: string): CallResult => ({
  durationMs: 0,
  response: null,
  error: { kind: 'connect', message: `not sent: ${message}` },
  retryAfter: null,
  ok: false,
  localFailure: true,
});
